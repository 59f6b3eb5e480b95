//! The command line and the library say the same, to the last digit.

use bandwise_tests::{QUESTIONS, compact, library_json, questions};

use crate::output;

#[test]
fn json_is_the_librarys_to_the_bit_for_200_questions() {
    let mut compared = 0;
    for question in questions() {
        let mut arguments = vec!["estimate".to_owned(), "--json".to_owned()];
        arguments.extend(
            question
                .typed()
                .map(|(field, text)| format!("--{}={text}", field.name())),
        );
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let expected = library_json(&question).expect("JSON");
        let output = output(&arguments);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(compact(&text), expected, "{arguments:?}");
        assert_eq!(output.stderr, b"", "{arguments:?}");
        let code = if answer::ask(&question).is_ok() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        compared += 1;
    }
    assert_eq!(compared, QUESTIONS);
}

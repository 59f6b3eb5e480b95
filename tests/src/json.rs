//! JSON as text, compared as text: a parsed float could hide a different last digit.

use answer::{BadInput, Question, ask};

/// The library's JSON for a question: the answer, or what is wrong with the inputs.
///
/// # Errors
/// When serde refuses, which the types rule out.
pub fn library_json(question: &Question) -> serde_json::Result<String> {
    match ask(question) {
        Ok(answer) => serde_json::to_string(&answer),
        Err(problems) => serde_json::to_string(&BadInput::from(problems)),
    }
}

/// JSON without the white space between its parts; strings stay as they are.
#[must_use]
pub fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut in_string = false;
    let mut escaped = false;
    for letter in json.chars() {
        if !in_string && letter.is_ascii_whitespace() {
            continue;
        }
        out.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = in_string,
            '"' => in_string = !in_string,
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_outside_strings_only() {
        let indented = "{\n  \"a b\": [1.50, \"x \\\" y\\\\\", \"\\\\\\\" : \"],\n\t\"c\": {}\n}\n";
        let expected = r#"{"a b":[1.50,"x \" y\\","\\\" : "],"c":{}}"#;
        assert_eq!(compact(indented), expected);
        assert_eq!(compact(expected), expected);
    }

    #[test]
    fn indenting_by_serde_is_undone_exactly() {
        let question = Question::common();
        let answer = ask(&question).unwrap();
        let pretty = serde_json::to_string_pretty(&answer).unwrap();
        assert_eq!(compact(&pretty), library_json(&question).unwrap());
    }
}

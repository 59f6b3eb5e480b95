//! The command line that gives the same answer.

use answer::Question;

/// `bandwise estimate --hardware rtx-4090 …`, quoted for a shell.
pub(crate) fn line(question: &Question) -> String {
    let mut line = "bandwise estimate".to_owned();
    for (field, text) in question.typed() {
        line.push_str(" --");
        line.push_str(field.name());
        line.push(' ');
        line.push_str(&quoted(text));
    }
    line
}

/// A word as a shell reads it back: bare if nothing in it is special, else in single quotes.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.,/:+".contains(letter);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use answer::Field;

    use super::*;

    #[test]
    fn what_a_shell_would_read_is_quoted() {
        let question = Question::common()
            .with(Field::Model, "llama 3.3; rm -rf $HOME")
            .with(Field::Host, "it's");
        assert_eq!(
            line(&question),
            r"bandwise estimate --hardware rtx-4090 --model 'llama 3.3; rm -rf $HOME' --format Q4_K_M --context 8192 --host 'it'\''s'"
        );
    }
}

//! Names copied from a model hub: `hf.co/Qwen/Qwen3-8B-GGUF:Q4_K_M`, `llama3.2:latest`.

/// Words of a repository's name that make no other model.
const IDLE: [&str; 6] = ["gguf", "instruct", "it", "chat", "hf", "latest"];

/// Hosts whose addresses go on with owner and repository.
const HOSTS: [&str; 3] = ["huggingface.co/", "www.huggingface.co/", "hf.co/"];

/// The part of a text that names a model: what stands behind host and owner.
pub(crate) fn without_path(text: &str) -> &str {
    let text = text.trim();
    let address = text.find("://").and_then(|at| text.get(at..)?.get(3..));
    let path = address.unwrap_or(text);
    let Some(repository) = HOSTS.iter().find_map(|host| path.strip_prefix(host)) else {
        return path.rsplit('/').next().unwrap_or(path);
    };
    let mut parts = repository
        .trim_end_matches('/')
        .split('/')
        .map(|part| part.split(['?', '#']).next().unwrap_or(part));
    let file = parts.clone().next_back().filter(|file| {
        std::path::Path::new(file)
            .extension()
            .is_some_and(|kind| kind.eq_ignore_ascii_case("gguf"))
    });
    let owner = parts.next().unwrap_or("");
    file.or_else(|| parts.next()).unwrap_or(owner)
}

/// Ways to read a text as a name and what stands behind it, the longest name first.
pub(crate) fn readings(text: &str) -> impl Iterator<Item = (String, &str)> {
    let cuts = text
        .rmatch_indices(is_joint)
        .filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    std::iter::once((text, ""))
        .chain(cuts)
        .map(|(name, rest)| (without_idle_words(name), rest.trim()))
}

/// The name and the tag behind its colon.
pub(crate) fn tag(text: &str) -> Option<(String, &str)> {
    text.split_once(':')
        .map(|(name, tag)| (without_idle_words(name), tag.trim()))
}

/// A name without the words that make no other model.
pub(crate) fn without_idle_words(text: &str) -> String {
    let text = text.strip_suffix(".gguf").unwrap_or(text);
    let telling = text
        .split(is_joint)
        .filter(|word| !IDLE.iter().any(|idle| idle.eq_ignore_ascii_case(word)));
    telling.collect::<Vec<_>>().join("-")
}

/// What joins the words of a name.
fn is_joint(c: char) -> bool {
    matches!(c, '-' | ':' | ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_and_owner_are_left_out() {
        for (text, name) in [
            ("Qwen3-8B", "Qwen3-8B"),
            ("Qwen/Qwen3-8B", "Qwen3-8B"),
            ("hf.co/Qwen/Qwen3-8B-GGUF:Q4_K_M", "Qwen3-8B-GGUF:Q4_K_M"),
            ("https://huggingface.co/Qwen/Qwen3-8B/", "Qwen3-8B"),
            ("https://huggingface.co/Qwen/Qwen3-8B/tree/main", "Qwen3-8B"),
            (
                "https://huggingface.co/Qwen/Qwen3-8B?library=vllm",
                "Qwen3-8B",
            ),
            (
                "https://huggingface.co/unsloth/X-GGUF/blob/main/X-Q8_0.gguf",
                "X-Q8_0.gguf",
            ),
            ("https://ollama.com/library/qwen3", "qwen3"),
            ("://", ""),
            ("hf.co/", ""),
        ] {
            assert_eq!(without_path(text), name, "{text}");
        }
    }

    #[test]
    fn idle_words_are_left_out_of_every_reading() {
        let read: Vec<_> = readings("Qwen3-8B-Instruct-GGUF:Q4_K_M").collect();
        assert_eq!(
            read,
            [
                ("Qwen3-8B-Q4_K_M".to_owned(), ""),
                ("Qwen3-8B".to_owned(), "Q4_K_M"),
                ("Qwen3-8B".to_owned(), "GGUF:Q4_K_M"),
                ("Qwen3-8B".to_owned(), "Instruct-GGUF:Q4_K_M"),
                ("Qwen3".to_owned(), "8B-Instruct-GGUF:Q4_K_M"),
            ]
        );
    }
}

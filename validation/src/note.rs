//! What notes say in words that a question needs in numbers.

/// The context a run allocated: `ctx 4096`, `262K ctx`, `n_ctx 16384`, `max-model-len 29000`.
#[must_use]
pub fn context(note: &str) -> Option<u32> {
    let words: Vec<&str> = note
        .split([' ', ';', ',', '(', ')', '=', ':'])
        .filter(|word| !word.is_empty())
        .collect();
    let is_name = |word: &str| {
        matches!(
            word,
            "ctx" | "context" | "n_ctx" | "max-model-len" | "-c" | "--ctx-size"
        )
    };
    let at = |index: usize| words.get(index).copied();
    (0..words.len()).find_map(|index| {
        if !is_name(at(index)?) {
            return None;
        }
        let before = index.checked_sub(1).and_then(at);
        // `64K context`, yet not `x2 ctx`: a number before counts only where none stands behind.
        at(index + 1)
            .and_then(tokens)
            .or_else(|| before.and_then(tokens))
    })
}

/// Layers whose feed-forward stays on the devices: `FFN layers 0-4 on GPU`.
#[must_use]
pub fn feed_forward_on_devices(note: &str) -> Option<u32> {
    let (_, rest) = note.split_once("FFN layers 0-")?;
    let (last, rest) = rest.split_once(' ')?;
    rest.starts_with("on GPU")
        .then(|| last.parse::<u32>().ok()?.checked_add(1))?
}

/// `4096`, `262K`; at least 256, since smaller numbers count something else.
fn tokens(word: &str) -> Option<u32> {
    let tokens = match word.strip_suffix(['K', 'k']) {
        Some(thousands) => thousands.parse::<u32>().ok()?.checked_mul(1024)?,
        None => word.parse().ok()?,
    };
    (256..=16_777_216).contains(&tokens).then_some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_found_however_they_are_written() {
        for (note, tokens) in [
            ("llmfit bench average incl. prompt time, context 4096", 4096),
            ("64K context allocated; 25 of 66 layers on GPU", 65_536),
            ("TP=2, 262K ctx, max_num_seqs 2", 268_288),
            ("n_ctx 16384, ubatch 512", 16_384),
            ("KV cache, max-model-len 29000: too small", 29_000),
            ("total; -c 31000; total with --swa-full", 31_000),
        ] {
            assert_eq!(context(note), Some(tokens), "{note}");
        }
        for note in [
            "",
            "context not stated",
            "2 contexts",
            "ctx",
            "batch 1, 512 new tokens",
        ] {
            assert_eq!(context(note), None, "{note}");
        }
    }

    #[test]
    fn feed_forward_layers_are_counted() {
        let note = "CPU offload: FFN layers 0-4 on GPU, other FFN on CPU";
        assert_eq!(feed_forward_on_devices(note), Some(5));
        assert_eq!(
            feed_forward_on_devices("FFN layers 0-13 on GPUs, rest"),
            Some(14)
        );
        assert_eq!(feed_forward_on_devices("FFN layers 0-4 on CPU"), None);
    }
}

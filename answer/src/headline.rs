//! The answer in one sentence, the same on every surface.

use estimator::num;

use crate::answer::{Answer, Interval};
use crate::text;

impl Answer {
    /// Whether everything lies on the devices.
    #[must_use]
    pub fn fits(&self) -> bool {
        matches!(&*self.fit.verdict, "fits" | "tight")
    }

    /// How many requests run at once, where the others wait.
    fn at_once(&self) -> String {
        match &self.memory.pool {
            Some(pool) if pool.running < self.inputs.concurrency => format!(
                ", {} of {} requests at once",
                text::count(pool.running),
                text::count(self.inputs.concurrency)
            ),
            _ => String::new(),
        }
    }

    /// What lies beside the devices, and where.
    #[must_use]
    pub fn elsewhere(&self) -> String {
        let moved = self.fit.headroom_bytes.map_or(0, i64::unsigned_abs);
        let disk = self.memory.disk_bytes;
        let ram = moved.saturating_sub(disk);
        let [ram_text, disk_text] = [ram, disk].map(|bytes| text::memory(num::f(bytes)));
        match (ram, disk) {
            (_, 0) => format!("{ram_text} in the host's RAM"),
            (0, _) => format!("{disk_text} left on disk"),
            _ => format!("{ram_text} in the host's RAM and {disk_text} left on disk"),
        }
    }

    /// Verdict, decode speed and TTFT in a sentence without a full stop.
    #[must_use]
    pub fn headline(&self) -> String {
        let model = format!("{} in {}", self.inputs.model_name, self.inputs.format);
        let machine = &self.inputs.machine;
        let context = format!("{} tokens of context", text::tokens(self.inputs.context));
        let bytes = text::memory(num::f(self.fit.headroom_bytes.map_or(0, i64::unsigned_abs)));
        let verdict = match &*self.fit.verdict {
            "fits" => format!("{model} fits on {machine} with {context}{}", self.at_once()),
            "tight" => format!("{model} just fits on {machine} with {context}, {bytes} to spare"),
            "needs_offload" => {
                format!(
                    "{model} with {context} fits on {machine} only with {}",
                    self.elsewhere()
                )
            }
            "does_not_fit" => {
                let host = &self.memory.host;
                let of_ram = host.layers + host.expert_layers > 0
                    && host.usable_bytes.is_some_and(|ram| host.total_bytes > ram);
                let what = if of_ram { " of RAM" } else { "" };
                format!(
                    "{model} with {context} does not fit on {machine}: {bytes}{what} are missing"
                )
            }
            _ => format!("whether {model} fits on {machine} with {context} is not known"),
        };
        let decode = self.decode.as_ref().map(|decode| {
            let each = if self.inputs.concurrency > 1 {
                " for each request"
            } else {
                ""
            };
            let here = format!("{} tok/s{each}", span(decode.tok_s));
            // Far from full, the speed at the question's depth says little of the context asked for.
            match self.curve.last() {
                Some(full) if num::f(full.context) > 8.0 * decode.at_context => format!(
                    "{here} at {} tokens, {} with the context full",
                    text::count(num::whole(decode.at_context)),
                    text::span(full.low, full.high)
                ),
                _ => here,
            }
        });
        let first = self
            .ttft_s
            .map(|ttft| format!("first token in {}", text::time(ttft.typical)));
        let speeds: Vec<String> = decode.into_iter().chain(first).collect();
        if speeds.is_empty() {
            verdict
        } else {
            format!("{verdict}: {}", speeds.join(", "))
        }
    }
}

fn span(interval: Interval) -> String {
    text::span(interval.low, interval.high)
}

//! `docs/validation/misses.md`: each estimate that is far off, with the reason, as it is now.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use bandwise_validation::{Compared, compare_all, host, known_runs};
use run_db::{Metric, Placement, Run};

mod reasons;

/// How far off an estimate of memory is listed.
const MEMORY: f64 = 0.10;
/// How far off an estimate of decode with weights in RAM is listed.
const OFFLOADED: f64 = 0.40;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/validation/misses.md")
}

fn is_offloaded(run: &Run) -> bool {
    run.metric == Metric::Decode
        && run.placement.is_some_and(Placement::is_offload)
        && run.host.as_deref().and_then(host::read).is_some()
}

/// A row near the limit may be on either side of it as estimates move a little.
const SLACK: f64 = 1.25;
/// How far a listed ratio may be from that of today.
const DRIFT: f64 = 0.10;

/// Rows further off than a part of what is tolerated, memory first, the worst first.
fn misses(part: f64) -> Vec<(Compared, f64)> {
    let mut rows = known_runs();
    rows.retain(|row| {
        row.as_ref().is_ok_and(|run| {
            run.quarantined().is_none() && (run.metric == Metric::MemoryGib || is_offloaded(run))
        })
    });
    let mut misses: Vec<(Compared, f64)> = compare_all(rows)
        .0
        .into_iter()
        .filter_map(|row| {
            let ratio = row.estimate.as_ref().ok()?.ratio(row.run.value);
            let limit = match row.run.metric {
                Metric::MemoryGib => MEMORY,
                _ => OFFLOADED,
            };
            ((ratio - 1.0).abs() > limit * part).then_some((row, ratio))
        })
        .collect();
    let off = |ratio: f64| ratio.max(1.0 / ratio);
    misses.sort_by(|(a, one), (b, other)| {
        let metric = |row: &Compared| row.run.metric != Metric::MemoryGib;
        (metric(a).cmp(&metric(b)))
            .then(off(*other).total_cmp(&off(*one)))
            .then(a.run.id.cmp(&b.run.id))
    });
    misses
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn page(misses: &[(Compared, f64)]) -> String {
    let mut page = String::from(
        "# Misses\n\n\
         Estimates of memory more than 10 % off, and of decode with weights in a known host's RAM more than 40 % off, on runs that may be scored.\n\
         The table is written by `UPDATE_MISSES=1 cargo test -p bandwise-validation --test misses`; each row's reason stands in `validation/tests/reasons/mod.rs`.\n",
    );
    for (title, memory) in [
        ("Memory, in GiB", true),
        ("Decode with weights in RAM, in tok/s", false),
    ] {
        let _ = write!(
            page,
            "\n## {title}\n\n| run | set-up | measured | estimate | ratio | reason |\n|---|---|---|---|---|---|\n"
        );
        for (row, ratio) in misses {
            let run = &row.run;
            if (run.metric == Metric::MemoryGib) != memory {
                continue;
            }
            let count = match run.count {
                Some(count) if count > 1 => format!("{count} x "),
                _ => String::new(),
            };
            let what = run
                .note
                .as_deref()
                .and_then(|note| note.strip_prefix("what="))
                .and_then(|note| note.split(';').next())
                .map(|what| format!(", {what}"))
                .unwrap_or_default();
            let link = if run.source.contains("://") && !run.source.contains(' ') {
                format!("[{}]({})", run.id, run.source)
            } else {
                format!("{} ({})", run.id, cell(&run.source))
            };
            let _ = writeln!(
                page,
                "| {link} | {count}{}, {} {}, {}{what} | {:.3} | {:.2} | {ratio:.2} | {} |",
                run.hardware,
                run.model,
                run.format.as_deref().unwrap_or_default(),
                run.engine,
                run.value,
                ratio * run.value,
                reasons::of(&run.id).unwrap_or("no reason known"),
            );
        }
    }
    page
}

/// Rows of the page: each run with its ratio.
fn listed(page: &str) -> Vec<(String, f64)> {
    page.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
            let id = cells.first()?.trim_start_matches('[').get(..13)?.to_owned();
            Some((id, cells.get(4)?.parse().ok()?))
        })
        .collect()
}

#[test]
fn every_miss_is_listed_with_its_reason_and_the_list_is_of_today() {
    if std::env::var_os("UPDATE_MISSES").is_some() {
        std::fs::write(path(), page(&misses(1.0))).unwrap();
    }
    let written = std::fs::read_to_string(path()).unwrap_or_default();
    let listed = listed(&written);
    let mut problems = Vec::new();
    for (row, ratio) in &misses(SLACK) {
        let id = &row.run.id;
        match listed.iter().find(|(listed, _)| listed == id) {
            None => problems.push(format!("{id} is missing: ratio {ratio:.2}")),
            Some((_, then)) if (then / ratio - 1.0).abs() > DRIFT => {
                problems.push(format!("{id} is now {ratio:.2}, listed as {then:.2}"));
            }
            Some(_) => {}
        }
        if reasons::of(id).is_none() {
            let note = row.run.note.as_deref().unwrap_or_default();
            problems.push(format!(
                "{id} has no reason: {ratio:.2} {} {note}",
                row.run.hardware
            ));
        }
    }
    let near = misses(1.0 / SLACK);
    for (id, _) in &listed {
        if !near.iter().any(|(row, _)| row.run.id == *id) {
            problems.push(format!("{id} is listed, and no miss any more"));
        }
    }
    let count = problems.len();
    assert!(
        problems.is_empty(),
        "{count} problems; `UPDATE_MISSES=1 cargo test -p bandwise-validation --test misses` writes the page\n{}",
        problems.join("\n")
    );
}

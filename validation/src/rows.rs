//! Rows of a CSV file of measured runs.

use std::collections::HashMap;
use std::io::Read;
use std::str::FromStr;

use run_db::{Metric, Parallel, Placement, Quality, Run};

use crate::reason::Reason;

/// A row, or why it can't be read. Its place in the file is its name where it has none.
pub type Row = Result<Run, (String, Reason)>;

/// Why a file has no rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It can't be read, or isn't CSV.
    #[error("not a CSV file: {0}")]
    Csv(#[from] csv::Error),
    /// A column every row needs isn't there.
    #[error("there is no column `{0}`")]
    Column(&'static str),
}

/// Columns without which no row says anything.
const NEEDED: [&str; 5] = ["hardware", "model", "engine", "metric", "value"];

/// Reads the rows of a CSV file with the columns of run-db; unknown columns are ignored, and of
/// the known ones only those are needed that every row must fill.
///
/// # Errors
/// A file that isn't CSV, or lacks a column. A row that makes no sense is no error of the file.
pub fn read(file: impl Read) -> Result<Vec<Row>, FileError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let columns: HashMap<String, usize> = reader
        .headers()?
        .iter()
        .enumerate()
        .map(|(at, name)| (name.trim().trim_start_matches('\u{feff}').to_owned(), at))
        .collect();
    if let Some(missing) = NEEDED.iter().find(|name| !columns.contains_key(**name)) {
        return Err(FileError::Column(missing));
    }
    let mut rows = Vec::new();
    for (line, record) in (2..).zip(reader.records()) {
        let record = record?;
        let cells = Cells {
            columns: &columns,
            record: &record,
        };
        let id = cells
            .text("run_id")
            .unwrap_or_else(|| format!("line {line}"));
        rows.push(run(&cells, id.clone()).map_err(|problem| (id, Reason::Unreadable(problem))));
    }
    Ok(rows)
}

struct Cells<'a> {
    columns: &'a HashMap<String, usize>,
    record: &'a csv::StringRecord,
}

impl Cells<'_> {
    fn get(&self, column: &str) -> Option<&str> {
        let cell = self.record.get(*self.columns.get(column)?)?.trim();
        (!cell.is_empty()).then_some(cell)
    }

    fn text(&self, column: &str) -> Option<String> {
        self.get(column).map(str::to_owned)
    }

    fn number<T: FromStr>(&self, column: &'static str) -> Result<Option<T>, String> {
        let Some(cell) = self.get(column) else {
            return Ok(None);
        };
        // A count that went through a table of decimals.
        let plain = cell.strip_suffix(".0").unwrap_or(cell);
        match cell.parse().or_else(|_| plain.parse()) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("`{column}` is `{cell}`: expected a number")),
        }
    }

    fn one_of<T: Copy>(
        &self,
        column: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<Option<T>, String> {
        let Some(cell) = self.get(column) else {
            return Ok(None);
        };
        let found = all
            .iter()
            .copied()
            .find(|choice| name(*choice).eq_ignore_ascii_case(cell));
        match found {
            Some(choice) => Ok(Some(choice)),
            None => {
                let names: Vec<_> = all.iter().map(|choice| name(*choice)).collect();
                let names = names.join(", ");
                Err(format!("`{column}` is `{cell}`: expected one of {names}"))
            }
        }
    }
}

fn run(cells: &Cells<'_>, id: String) -> Result<Run, String> {
    let needed = |column: &'static str| {
        cells
            .text(column)
            .ok_or_else(|| format!("`{column}` is empty"))
    };
    let metric = cells
        .one_of("metric", &Metric::ALL, Metric::name)?
        .ok_or("`metric` is empty")?;
    if let Some(unit) = cells.get("unit")
        && unit != metric.unit()
    {
        return Err(format!(
            "`unit` is `{unit}`, and `{}` is in {}",
            metric.name(),
            metric.unit()
        ));
    }
    let run = Run {
        id,
        hardware: needed("hardware")?,
        count: cells.number("device_count")?,
        host: cells.text("host"),
        power_w: cells.number("power_limit_w")?,
        model: needed("model")?,
        format: cells.text("format"),
        bits: cells.number("bpw")?,
        file_gib: cells.number("file_gib")?,
        engine: needed("engine")?,
        version: cells.text("engine_version"),
        backend: cells.text("backend"),
        flash: cells
            .get("flash_attn")
            .map(|cell| matches!(cell, "1" | "true" | "on")),
        placement: cells.one_of("placement", &Placement::ALL, Placement::name)?,
        gpu_layers: cells.text("gpu_layers"),
        cpu_experts: cells.text("cpu_moe_layers"),
        parallel: cells.one_of("parallel", &Parallel::ALL, Parallel::name)?,
        tp: cells.number("tp")?,
        pp: cells.number("pp")?,
        ep: cells.number("ep")?,
        kv: cells.text("kv_type"),
        prompt: cells.number("prompt_tokens")?,
        output: cells.number("output_tokens")?,
        depth: cells.number("context_depth")?,
        concurrency: cells.number("concurrency")?,
        speculative: cells.text("speculative"),
        metric,
        value: cells.number("value")?.ok_or("`value` is empty")?,
        date: cells.get("date").and_then(|date| date.parse().ok()),
        source: cells.text("source").unwrap_or_default(),
        quality: cells
            .one_of("quality", &Quality::ALL, Quality::name)?
            .unwrap_or(Quality::B),
        issue: cells.text("issue"),
        quarantine: cells.text("quarantine"),
        note: cells.text("notes"),
    };
    run.checked().map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "run_id,hardware,model,engine,metric,value,unit,concurrency,quality\n";

    fn rows(lines: &str) -> Vec<Row> {
        read(format!("{HEAD}{lines}").as_bytes()).unwrap()
    }

    #[test]
    fn a_row_reads_with_what_it_says() {
        let rows = rows("a,rtx-4090,llama-3.1-8b,llama.cpp,decode,128.5,tok/s,2.0,A\n");
        let run = rows[0].as_ref().unwrap();
        assert_eq!((run.id.as_str(), run.metric), ("a", Metric::Decode));
        assert_eq!((run.value, run.concurrency), (128.5, Some(2)));
        assert_eq!((run.quality, run.prompt), (Quality::A, None));
    }

    #[test]
    fn a_row_that_makes_no_sense_stays_with_its_reason() {
        for (line, problem) in [
            ("a,x,y,z,decode,fast,tok/s,1,A", "`value` is `fast`"),
            ("a,x,y,z,decode,0,tok/s,1,A", "above 0"),
            ("a,x,y,z,decode,NaN,tok/s,1,A", "finite"),
            ("a,x,y,z,speed,1,tok/s,1,A", "`metric` is `speed`"),
            ("a,x,y,z,decode,1,s,1,A", "`unit` is `s`"),
            ("a,x,y,z,decode,1,tok/s,0,A", "`concurrency`"),
            ("a,x,,z,decode,1,tok/s,1,A", "`model` is empty"),
            ("a,x,y,z,decode,1,tok/s,1,D", "`quality` is `D`"),
            ("a,x", "`metric` is empty"),
        ] {
            let rows = rows(line);
            let (id, reason) = rows[0].as_ref().unwrap_err();
            assert_eq!(id, "a");
            assert!(reason.to_string().contains(problem), "{line}: {reason}");
        }
    }

    #[test]
    fn a_row_without_a_name_is_called_by_its_line() {
        let rows = rows(",x,y,z,decode,1,tok/s,1,A\n");
        assert_eq!(rows[0].as_ref().unwrap().id, "line 2");
    }

    #[test]
    fn a_file_without_a_needed_column_is_refused() {
        let error = read("hardware,model\n".as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "there is no column `engine`");
    }
}

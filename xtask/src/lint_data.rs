//! `cargo xtask lint-data`: what the rules find in the data files.

use anyhow::Result;

/// Prints every finding; fails when one is an error.
#[cfg(feature = "data")]
pub(crate) fn lint_data() -> Result<()> {
    use anyhow::bail;
    use catalog::lint::Level;

    use crate::{step::say, workspace::root};

    let mut findings = hardware_db::lint::lint(&root().join("hardware-db/data"))?;
    findings.extend(model_db::lint::lint(&root().join("model-db/data"))?);
    findings.extend(run_db::lint::lint(&root().join("run-db/data"))?);
    findings.extend(validation::lint::lint(&root().join("run-db/data"))?);
    for finding in &findings {
        say(&finding.to_string());
    }
    let errors = findings
        .iter()
        .filter(|finding| finding.level == Level::Error)
        .count();
    let warnings = findings.len() - errors;
    if errors > 0 {
        bail!("{errors} errors and {warnings} warnings in the data");
    }
    say(&format!("no error and {warnings} warnings in the data"));
    Ok(())
}

#[cfg(not(feature = "data"))]
pub(crate) fn lint_data() -> Result<()> {
    crate::step::run(&mut crate::workspace::with_data("lint-data"))
}

//! `cargo xtask schema`: the JSON Schemas that editors check data files with.

use anyhow::Result;

/// Writes the schemas that the record types have now.
#[cfg(feature = "data")]
pub(crate) fn schema() -> Result<()> {
    use std::fs;

    use crate::{step::say, workspace::root};

    for (database, schemas) in [
        ("hardware-db", hardware_db::schema::schemas()),
        ("model-db", model_db::schema::schemas()),
        ("run-db", run_db::schema::schemas()),
    ] {
        let folder = root().join(database).join("schema");
        fs::create_dir_all(&folder)?;
        for (name, text) in schemas {
            let path = folder.join(name);
            if fs::read_to_string(&path).is_ok_and(|written| written == text) {
                continue;
            }
            fs::write(&path, text)?;
            say(&format!("wrote {}", path.display()));
        }
    }
    say("the schemas are those of the record types");
    Ok(())
}

#[cfg(not(feature = "data"))]
pub(crate) fn schema() -> Result<()> {
    crate::step::run(&mut crate::workspace::with_data("schema"))
}

//! A price held on a day: after the device came out and not after it was read.

use super::Dataset;
use crate::record::Sources;
use catalog::lint::{At, Report, Rule};
use catalog::{Date, SourceIds};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "price-dated",
    about: "a price is not dated after its source was read, and a range is not upside down",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.devices {
        let (at, sources) = (file.at(), &file.entry.sources);
        let Some(price) = &file.entry.price else {
            continue;
        };
        for (row, street) in price.street.iter().enumerate() {
            let key = format!("price.street.{row}");
            dated(report, at, &key, street.date, sources, &street.source);
            ordered(
                report,
                at,
                &key,
                street.low.amount(),
                street.high.map(|high| high.amount()),
            );
        }
        for (row, machine) in price.machines.iter().enumerate() {
            dated(
                report,
                at,
                &format!("price.machines.{row}"),
                machine.date,
                sources,
                &machine.source,
            );
        }
    }
    for file in &data.rental {
        for (row, offer) in file.entry.offers.iter().enumerate() {
            let key = format!("offers.{row}");
            dated(
                report,
                file.at(),
                &key,
                offer.date,
                &file.entry.sources,
                &offer.source,
            );
            ordered(
                report,
                file.at(),
                &key,
                offer.hour.amount(),
                offer.hour_high.map(|high| high.amount()),
            );
        }
    }
    for file in &data.api {
        dated(
            report,
            file.at(),
            "date",
            file.entry.date,
            &file.entry.sources,
            &file.entry.input.source,
        );
    }
    for file in &data.electricity {
        let source = &file.entry.kilowatt_hour.source;
        dated(
            report,
            file.at(),
            "date",
            file.entry.date,
            &file.entry.sources,
            source,
        );
    }
}

fn dated(
    report: &mut Report<'_>,
    at: At<'_>,
    key: &str,
    date: Date,
    sources: &Sources,
    ids: &SourceIds,
) {
    let read = ids
        .iter()
        .filter_map(|id| sources.get(id))
        .map(|source| source.read)
        .max();
    if let Some(read) = read.filter(|read| date > *read) {
        report.error(
            at,
            key,
            format!("dated {date}, but the source was read on {read}"),
            None,
        );
    }
}

fn ordered(report: &mut Report<'_>, at: At<'_>, key: &str, low: f64, high: Option<f64>) {
    if let Some(high) = high.filter(|high| *high <= low) {
        report.error(
            at,
            key,
            format!("the range from {low} to {high} is upside down"),
            None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_price_before_its_source_was_read_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_price_from_the_future_fails() {
        let findings = on_spoilt(&RULE, "date: 2026-05", "date: 2027-05");
        assert_eq!(
            findings[0].message,
            "dated 2027-05, but the source was read on 2026-12-01"
        );
    }

    #[test]
    fn a_range_upside_down_fails() {
        let findings = on_spoilt(&RULE, "low: 2000 USD", "low: 2000 USD, high: 1500 USD");
        assert_eq!(findings[0].key, "price.street.0");
    }
}

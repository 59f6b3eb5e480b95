//! Numbers and quantities written for people: three significant digits, always with a unit.

use estimator::explain::Unit;

/// A number with three significant digits and no needless zeros after the point.
#[must_use]
pub fn digits(value: f64) -> String {
    let size = value.abs();
    let decimals = if size >= 100.0 || size == 0.0 {
        0
    } else if size >= 10.0 {
        1
    } else if size >= 1.0 {
        2
    } else if size >= 0.1 {
        3
    } else if size >= 0.01 {
        4
    } else {
        5
    };
    format!("{value:.decimals$}")
}

/// A whole number with commas between thousands.
#[must_use]
pub fn count(value: u64) -> String {
    let plain = value.to_string();
    let mut text = String::with_capacity(plain.len() + plain.len() / 3);
    for (index, digit) in plain.chars().enumerate() {
        if index > 0 && (plain.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of tokens: `32K` where it is a whole number of 1,024s, else with commas.
#[must_use]
pub fn tokens(value: u64) -> String {
    const K: u64 = 1024;
    if value >= K * K && value.is_multiple_of(K * K) {
        format!("{}M", value / (K * K))
    } else if value >= K && value.is_multiple_of(K) {
        format!("{}K", value / K)
    } else {
        count(value)
    }
}

/// An amount of memory in binary units.
#[must_use]
pub fn memory(bytes: f64) -> String {
    const KIB: f64 = 1024.0;
    let (value, unit) = scaled(
        bytes,
        &[
            (KIB * KIB * KIB, "GiB"),
            (KIB * KIB, "MiB"),
            (KIB, "KiB"),
            (1.0, "B"),
        ],
    );
    format!("{} {unit}", digits(value))
}

/// A time.
#[must_use]
pub fn time(seconds: f64) -> String {
    if seconds >= 120.0 {
        let minutes = seconds / 60.0;
        if minutes >= 120.0 {
            return format!("{} h", digits(minutes / 60.0));
        }
        return format!("{} min", digits(minutes));
    }
    let (value, unit) = scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]);
    format!("{} {unit}", digits(value))
}

/// A value in the base unit of a step, in the unit people use for it.
#[must_use]
pub fn quantity(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Bytes => memory(value),
        Unit::BytesPerSecond => {
            let (value, unit) = scaled(value, &[(1e9, "GB/s"), (1e6, "MB/s")]);
            format!("{} {unit}", digits(value))
        }
        Unit::FlopPerSecond => {
            let (value, unit) = scaled(value, &[(1e12, "TFLOP/s"), (1e9, "GFLOP/s")]);
            format!("{} {unit}", digits(value))
        }
        Unit::Flop => {
            let (value, unit) = scaled(value, &[(1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP")]);
            format!("{} {unit}", digits(value))
        }
        Unit::Seconds => time(value),
        Unit::TokensPerSecond => format!("{} tok/s", digits(value)),
        Unit::Ratio => digits(value),
        Unit::Count => count(estimator::num::whole(value)),
    }
}

/// A range of speeds: `118–152`.
#[must_use]
pub fn span(low: f64, high: f64) -> String {
    let (low, high) = (digits(low), digits(high));
    if low == high {
        low
    } else {
        format!("{low}–{high}")
    }
}

/// A thing or several of it: `GeForce RTX 3090`, `2 × GeForce RTX 3090`.
#[must_use]
pub fn several(count: u32, name: &str) -> String {
    if count == 1 {
        name.to_owned()
    } else {
        format!("{count} × {name}")
    }
}

/// A count of parameters: `8.03 billion`.
#[must_use]
pub fn parameters(count: f64) -> String {
    let (value, unit) = scaled(
        count,
        &[
            (1e12, "trillion"),
            (1e9, "billion"),
            (1e6, "million"),
            (1.0, ""),
        ],
    );
    format!("{} {unit}", digits(value)).trim_end().to_owned()
}

/// The value in the first unit it reaches 1 in, else in the last.
fn scaled<'a>(value: f64, units: &[(f64, &'a str)]) -> (f64, &'a str) {
    let fitting = units
        .iter()
        .find(|(size, _)| value.abs() >= *size)
        .or(units.last());
    fitting.map_or((value, ""), |(size, name)| (value / size, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (128.4, "128"),
            (12.84, "12.8"),
            (1.284, "1.28"),
            (0.1284, "0.128"),
            (0.0, "0"),
            (4321.0, "4321"),
        ] {
            assert_eq!(digits(value), text);
        }
    }

    #[test]
    fn quantities_carry_their_unit() {
        assert_eq!(memory(4.58 * 1024.0 * 1024.0 * 1024.0), "4.58 GiB");
        assert_eq!(memory(0.0), "0 B");
        assert_eq!(time(0.0078), "7.80 ms");
        assert_eq!(time(600.0), "10.0 min");
        assert_eq!(tokens(32768), "32K");
        assert_eq!(tokens(1000), "1,000");
        assert_eq!(quantity(1.008e12, Unit::BytesPerSecond), "1008 GB/s");
        assert_eq!(parameters(8.03e9), "8.03 billion");
        assert_eq!(span(118.2, 152.4), "118–152");
    }
}

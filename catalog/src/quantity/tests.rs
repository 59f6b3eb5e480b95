use super::*;
use proptest::prelude::*;

fn check<T: FromStr<Err = QuantityError> + Copy + fmt::Display>(
    get: fn(T) -> f64,
    table: &[(&str, f64, &str)],
) {
    for &(text, base, printed) in table {
        let value: T = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(get(value).to_bits(), base.to_bits(), "{text}");
        assert_eq!(value.to_string(), printed, "{text}");
        let again: T = printed.parse().unwrap();
        assert_eq!(get(again).to_bits(), base.to_bits(), "{printed}");
    }
}

#[test]
fn every_unit_of_every_quantity_is_exact_and_prints_back() {
    const GIB: f64 = 1_073_741_824.0;
    check(
        Capacity::bytes,
        &[
            ("24 GiB", 24.0 * GIB, "24 GiB"),
            ("1.5 MiB", 1_572_864.0, "1.5 MiB"),
            ("512 KiB", 524_288.0, "0.5 MiB"),
            ("1 TiB", 1024.0 * GIB, "1024 GiB"),
            ("0.23 GB", 230e6, "230 MB"),
            ("80 MB", 80e6, "80 MB"),
            ("100 kB", 1e5, "0.1 MB"),
            ("2 TB", 2e12, "2000 GB"),
            ("4920734272 B", 4_920_734_272.0, "4920734272 B"),
        ],
    );
    check(
        Bandwidth::bytes_per_second,
        &[
            ("1008 GB/s", 1.008e12, "1008 GB/s"),
            ("17.07 GB/s", 1.707e10, "17.07 GB/s"),
            ("8 TB/s", 8e12, "8000 GB/s"),
            ("512 MB/s", 5.12e8, "0.512 GB/s"),
        ],
    );
    check(
        Peak::per_second,
        &[
            ("165.2 TFLOP/s", 1.652e14, "165.2 TFLOP/s"),
            ("10066.3 TFLOP/s", 1.006_63e16, "10066.3 TFLOP/s"),
            ("30 GFLOP/s", 3e10, "0.03 TFLOP/s"),
            ("2 PFLOP/s", 2e15, "2000 TFLOP/s"),
            ("660.6 TOP/s", 6.606e14, "660.6 TFLOP/s"),
            ("6 GOP/s", 6e9, "0.006 TFLOP/s"),
            ("1 POP/s", 1e15, "1000 TFLOP/s"),
        ],
    );
    check(
        Power::watts,
        &[("450 W", 450.0, "450 W"), ("1.2 kW", 1200.0, "1200 W")],
    );
    check(BusWidth::bits, &[("384 bit", 384.0, "384 bit")]);
    check(
        DataRate::bits_per_second,
        &[
            ("21 Gbit/s", 2.1e10, "21 Gbit/s"),
            ("8533 Mbit/s", 8.533e9, "8.533 Gbit/s"),
        ],
    );
    check(
        Frequency::hertz,
        &[
            ("1597 MHz", 1.597e9, "1597 MHz"),
            ("3 GHz", 3e9, "3000 MHz"),
        ],
    );
    check(
        Parameters::count,
        &[
            ("30.5 billion", 3.05e10, "30.5 billion"),
            ("596 million", 5.96e8, "596 million"),
            ("1 trillion", 1e12, "1000 billion"),
            ("5 thousand", 5e3, "5000 parameters"),
            (
                "8030261248 parameters",
                8_030_261_248.0,
                "8030261248 parameters",
            ),
        ],
    );
}

#[test]
fn every_unit_in_the_tables_is_covered_by_the_test_above() {
    let source = include_str!("tests.rs");
    let all = Capacity::units()
        .chain(Bandwidth::units())
        .chain(Peak::units())
        .chain(Power::units())
        .chain(BusWidth::units())
        .chain(DataRate::units())
        .chain(Frequency::units())
        .chain(Parameters::units());
    for unit in all {
        let row = format!(" {unit}\",");
        assert!(source.contains(&row), "no row for {unit}");
    }
}

#[test]
fn wrong_units_are_refused_with_the_allowed_ones() {
    let error = "1008 GiB/s".parse::<Bandwidth>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`GiB/s` is not a unit of bandwidth; allowed: GB/s, MB/s, TB/s"
    );
    assert!("24 gb".parse::<Capacity>().is_err());
    assert!("24 Gb".parse::<Capacity>().is_err());
    assert!("450 TFLOP/s".parse::<Power>().is_err());
    assert!("30.5 B".parse::<Parameters>().is_err());
    assert!("21 Gbps".parse::<DataRate>().is_err());
}

#[test]
fn nan_infinite_zero_and_negative_are_refused() {
    for text in ["NaN W", "inf W", "-1 W", "0 W", "0.0 W", "-inf W", ".nan W"] {
        assert!(text.parse::<Power>().is_err(), "{text}");
    }
    for value in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(Power::new(value).is_err(), "{value}");
    }
    assert!(matches!(
        "0 W".parse::<Power>(),
        Err(QuantityError::Range { .. })
    ));
    assert!(matches!(
        "NaN W".parse::<Power>(),
        Err(QuantityError::Range { .. })
    ));
}

#[test]
fn a_number_without_unit_or_space_is_refused() {
    for text in [
        "",
        " ",
        "24",
        "GiB",
        "24GiB",
        "1,008 GB/s",
        "1e3 W",
        "1_000 W",
        "24 ",
        "24  ",
    ] {
        assert!(text.parse::<Capacity>().is_err(), "{text}");
    }
}

#[test]
fn integer_peaks_are_operations_not_flops() {
    assert_eq!(Peak::new(6.606e14).unwrap().text(true), "660.6 TOP/s");
}

#[test]
fn yaml_reads_text_and_postcard_takes_few_bytes() {
    let value: Peak = serde_yaml::from_str("165.2 TFLOP/s").unwrap();
    let bytes = postcard::to_stdvec(&value).unwrap();
    assert!(bytes.len() <= 3, "{}", bytes.len());
    assert_eq!(postcard::from_bytes::<Peak>(&bytes).unwrap(), value);
    assert!(serde_yaml::from_str::<Peak>(".nan").is_err());
    assert!(serde_yaml::from_str::<Peak>("165.2").is_err());
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused_without_panic(text in ".{0,40}") {
        let _ = text.parse::<Capacity>();
        let _ = text.parse::<Peak>();
    }

    #[test]
    fn print_then_parse_is_identity(value in 1e-3..1e18_f64) {
        let capacity = Capacity::new(value).unwrap();
        prop_assert_eq!(capacity.to_string().parse::<Capacity>().unwrap(), capacity);
        let peak = Peak::new(value).unwrap();
        prop_assert_eq!(peak.to_string().parse::<Peak>().unwrap(), peak);
    }

    #[test]
    fn blobs_return_the_same_bits(value in 1e-3..1e18_f64) {
        let peak = Peak::new(value).unwrap();
        let again: Peak = postcard::from_bytes(&postcard::to_stdvec(&peak).unwrap()).unwrap();
        prop_assert_eq!(again.per_second().to_bits(), value.to_bits());
    }
}

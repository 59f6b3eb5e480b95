//! Values with units, sums of money and dates are read or refused; what is printed reads back to
//! the same value.

#![no_main]

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use catalog::{
    Bandwidth, BusWidth, Capacity, DataRate, Date, Frequency, Money, Parameters, Peak, Power,
};
use libfuzzer_sys::fuzz_target;

fn reads_back<T: FromStr + Display + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        let printed = value.to_string();
        let again = printed.parse::<T>().ok();
        assert_eq!(again, Some(value), "{text:?} prints as {printed:?}");
    }
}

fuzz_target!(|text: &str| {
    reads_back::<Bandwidth>(text);
    reads_back::<BusWidth>(text);
    reads_back::<Capacity>(text);
    reads_back::<DataRate>(text);
    reads_back::<Date>(text);
    reads_back::<Frequency>(text);
    reads_back::<Money>(text);
    reads_back::<Parameters>(text);
    reads_back::<Peak>(text);
    reads_back::<Power>(text);
});

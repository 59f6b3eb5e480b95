//! Names of formats, KV types, engines and backends are read or refused; a name that is printed
//! reads back to the same.

#![no_main]

use estimator::{
    engine::{Backend, Engine},
    format::WeightFormat,
    kv_cache::KvType,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match WeightFormat::parse(text) {
        Ok(format) => {
            let name = format.name();
            assert_eq!(
                WeightFormat::parse(&name).ok(),
                Some(format),
                "{text:?} is {name:?}"
            );
        }
        Err(unknown) => {
            for near in &unknown.nearest {
                assert!(WeightFormat::parse(near).is_ok(), "{near:?} for {text:?}");
            }
        }
    }
    if let Ok(kv) = KvType::parse(text) {
        assert_eq!(KvType::parse(kv.name()).ok(), Some(kv), "{text:?}");
    }
    if let Some(engine) = Engine::parse(text) {
        assert_eq!(Engine::parse(engine.name()), Some(engine), "{text:?}");
    }
    if let Some(backend) = Backend::parse(text) {
        assert_eq!(Backend::parse(backend.name()), Some(backend), "{text:?}");
    }
});

//! How long the first answer takes: the program is started anew for each.

use std::process::{Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

fn answers(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("cold start");
    group.sample_size(40);
    for (name, arguments) in [
        (
            "estimate",
            &[
                "estimate",
                "--hardware",
                "rtx-4090",
                "--model",
                "llama-3.1-8b",
            ][..],
        ),
        ("what-runs", &["what-runs", "--hardware", "rtx-4090"]),
        (
            "a slip",
            &[
                "estimate",
                "--hardware",
                "rtx4900",
                "--model",
                "llama-3.1-8b",
            ],
        ),
    ] {
        group.bench_function(name, |bench| {
            bench.iter(|| {
                Command::new(env!("CARGO_BIN_EXE_bandwise"))
                    .args(arguments)
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, answers);
criterion_main!(benches);

//! How long answers take: one estimate, a question from text to answer, a machine's whole list.

use std::hint::black_box;

use bandwise_answer as answer;

use answer::{Field, Question, ask, resolve, tables};
use criterion::{Criterion, criterion_group, criterion_main};
use estimator::calibration::Calibration;
use estimator::estimate::estimate;

fn question(model: &str) -> Question {
    Question::common().with(Field::Model, model)
}

fn one_estimate(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("estimate");
    for model in [
        "llama-3.1-8b",
        "qwen3-30b-a3b",
        "gemma-3-27b",
        "deepseek-v3",
        "llama-3.1-405b",
    ] {
        let Ok(resolved) = resolve(&question(model)) else {
            continue;
        };
        group.bench_function(model, |bench| {
            let scenario = resolved.scenario();
            bench.iter(|| estimate(black_box(&scenario), Calibration::priors()));
        });
    }
}

fn whole_answers(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("answer");
    let common = question("llama-3.1-8b");
    group.bench_function("ask", |bench| bench.iter(|| ask(black_box(&common))));
    group.bench_function("json", |bench| {
        bench.iter(|| ask(black_box(&common)).map(|answer| serde_json::to_string(&answer)));
    });
    let slip = Question::common().with(Field::Hardware, "rtx4900");
    group.bench_function("did you mean", |bench| bench.iter(|| ask(black_box(&slip))));
    group.sample_size(20);
    group.bench_function("formats and contexts of a model", |bench| {
        bench.iter(|| tables::fit_table(black_box(&common)));
    });
    group.bench_function("all models of a machine", |bench| {
        bench.iter(|| tables::what_runs(black_box(&common)));
    });
}

criterion_group!(benches, one_estimate, whole_answers);
criterion_main!(benches);

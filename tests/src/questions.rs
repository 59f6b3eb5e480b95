//! Random questions over the real catalogues, the same on every run.

use answer::{Field, Question};
use estimator::engine::{Backend, Engine};
use estimator::format::WeightFormat;
use estimator::kv_cache::KvType;
use hardware_db::{DeviceRecord, Kind};

/// How many questions [`questions`] makes.
pub const QUESTIONS: usize = 200;

const SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// Texts that are no name, number or query, and those that try to be more than a text.
const STRANGE: [&str; 24] = [
    "no such thing",
    "--help",
    "-",
    "🦙 8b",
    "größe",
    "<script>alert(1)</script>",
    "'; DROP TABLE models; --",
    "a&b=c%20d+e",
    "\"quoted\\\"",
    "%ff%00",
    "../../etc/passwd",
    "{\"model\": null}",
    "line\nbreak\tand tab",
    "\u{7f}\u{1b}[31m\u{202e}",
    "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x",
    "0",
    "-1",
    "2.5",
    "65",
    "NaN",
    "inf",
    "1e9",
    "0x10",
    "99999999999999999999",
];

/// Random questions; most make sense, some are refused, some can't be read.
#[must_use]
pub fn questions() -> Vec<Question> {
    let mut dice = Dice(SEED);
    (0..QUESTIONS).map(|_| question(&mut dice)).collect()
}

/// Numbers that look random: splitmix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        let random = usize::try_from(self.next() >> 33).unwrap_or_default();
        random % count.max(1)
    }

    /// True in so many of a hundred cases.
    fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    /// One of several; nothing of none.
    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> Option<&'a T> {
        of.get(self.below(of.len())).copied()
    }

    fn text(&mut self, of: &[&str]) -> String {
        self.one(of).unwrap_or_default().to_owned()
    }
}

fn question(dice: &mut Dice) -> Question {
    let mut question = Question::default();
    let devices: Vec<&DeviceRecord> = hardware_db::devices().iter().collect();
    let device = dice.one(&devices);
    if let Some(device) = device
        && !dice.percent(2)
    {
        let text = name(dice, &device.id, &device.name, &device.aliases);
        question.set(Field::Hardware, text);
        machine(dice, device, &mut question);
    }
    // Most devices are small and half the models are large: few would fit if all were as likely.
    let small = dice.percent(50);
    let models: Vec<_> = model_db::models()
        .iter()
        .filter(|model| !small || model.total_parameters < 15_000_000_000)
        .collect();
    if let Some(model) = dice.one(&models)
        && !dice.percent(2)
    {
        let text = name(dice, &model.id, &model.name, &model.aliases);
        question.set(Field::Model, text);
    }
    weights(dice, device, &mut question);
    workload(dice, &mut question);
    settings(dice, &mut question);
    placing(dice, &mut question);
    if dice.percent(12)
        && let Some(field) = dice.one(&Field::ALL.each_ref())
    {
        question.set(*field, dice.text(&STRANGE));
    }
    question
}

/// An entry by its id, its name or an alias; sometimes misspelt.
fn name(dice: &mut Dice, id: &str, name: &str, aliases: &[String]) -> String {
    let mut names = vec![id, id, id, name];
    names.extend(aliases.iter().map(String::as_str));
    let mut text = dice.text(&names);
    if dice.percent(4) {
        let at = dice.below(text.chars().count());
        text = text
            .chars()
            .enumerate()
            .map(|(index, letter)| if index == at { 'z' } else { letter })
            .collect();
    }
    text
}

/// How many of it, and what a buyer or owner can choose.
fn machine(dice: &mut Dice, device: &DeviceRecord, question: &mut Question) {
    let several = matches!(device.kind, Kind::DiscreteGpu | Kind::DatacenterGpu);
    if dice.percent(if several { 45 } else { 5 }) {
        question.set(Field::Count, dice.text(&["1", "2", "2", "4", "8"]));
    }
    let sizes: Vec<String> = device
        .memory
        .sizes
        .iter()
        .map(ToString::to_string)
        .collect();
    if sizes.len() > 1 && dice.percent(50) {
        let sizes: Vec<_> = sizes.iter().map(String::as_str).collect();
        question.set(Field::Memory, dice.text(&sizes));
    } else if dice.percent(3) {
        question.set(Field::Memory, dice.text(&["16", "24GB"]));
    }
    let options: Vec<_> = device
        .memory
        .options
        .iter()
        .map(|option| option.name.as_str())
        .collect();
    if !options.is_empty() && dice.percent(60) {
        question.set(Field::MemoryOption, dice.text(&options));
    }
    if dice.percent(if device.power.points.is_empty() {
        3
    } else {
        50
    }) {
        question.set(Field::Power, dice.text(&["60", "80", "115W", "175"]));
    }
    if dice.percent(if device.kind == Kind::AppleSilicon {
        40
    } else {
        2
    }) {
        question.set(Field::Macos, dice.text(&["recent", "older"]));
    }
    if dice.percent(if device.kind == Kind::ApuUnified {
        40
    } else {
        2
    }) {
        question.set(Field::System, dice.text(&["linux", "windows"]));
    }
    if dice.percent(25) {
        question.set(
            Field::Ram,
            dice.text(&["16", "32", "64GB", "128", "512 GiB"]),
        );
    }
    let hosts: Vec<_> = hardware_db::devices()
        .iter()
        .filter(|host| host.kind == Kind::CpuPlatform)
        .map(|host| host.id.as_str())
        .collect();
    if several && dice.percent(35) {
        question.set(Field::Host, dice.text(&hosts));
        question.set(Field::Ram, dice.text(&["96", "768"]));
    }
    if dice.percent(5) {
        question.set(Field::PeakTflops, dice.text(&["12.5", "90 TFLOPS"]));
    }
}

/// Weight format and engine; mostly those that go together.
fn weights(dice: &mut Dice, device: Option<&DeviceRecord>, question: &mut Question) {
    let formats: Vec<String> = WeightFormat::all()
        .iter()
        .map(|format| format.name())
        .collect();
    let apple = device.is_some_and(|device| device.kind == Kind::AppleSilicon);
    let of_any: Vec<_> = formats.iter().map(String::as_str).collect();
    let usual: Vec<_> = of_any
        .iter()
        .copied()
        .filter(|name| name.starts_with(['Q', 'I']) || (apple && name.starts_with("mlx")))
        .collect();
    if dice.percent(70) {
        let names = if dice.percent(75) { usual } else { of_any };
        question.set(Field::Format, dice.text(&names));
    }
    if dice.percent(20) {
        question.set(Field::Engine, dice.text(&Engine::ALL.map(Engine::name)));
    }
    if dice.percent(10) {
        question.set(Field::Backend, dice.text(&Backend::ALL.map(Backend::name)));
    }
    if dice.percent(40) {
        let names = if dice.percent(80) {
            vec!["f16", "q8_0", "bf16", "F16"]
        } else {
            KvType::ALL.map(KvType::name).to_vec()
        };
        question.set(Field::KvType, dice.text(&names));
    }
}

fn workload(dice: &mut Dice, question: &mut Question) {
    const CONTEXTS: [&str; 12] = [
        "512", "2048", "4096", "4,096", "8K", "8192", "16K", "32K", "32768", "100000", "128k", "1M",
    ];
    const LENGTHS: [&str; 7] = ["1", "17", "128", "512", "1000", "1K", "4_000"];
    if dice.percent(75) {
        question.set(Field::Context, dice.text(&CONTEXTS));
    }
    for field in [Field::Prompt, Field::Output] {
        if dice.percent(35) {
            question.set(field, dice.text(&LENGTHS));
        }
    }
    if dice.percent(45) {
        let users = ["1", "2", "3", "8", "16", "64", "256"];
        question.set(Field::Concurrency, dice.text(&users));
    }
}

fn settings(dice: &mut Dice, question: &mut Question) {
    if dice.percent(12) {
        question.set(
            Field::Ubatch,
            dice.text(&["1", "64", "512", "2048", "8192"]),
        );
    }
    if dice.percent(12) {
        question.set(
            Field::MemoryFraction,
            dice.text(&["0.5", "0.85", "0.9", "1"]),
        );
    }
    if dice.percent(12) {
        question.set(
            Field::Reserve,
            dice.text(&["0", "0.5", "2GB", "3.7 GiB", "900"]),
        );
    }
}

/// Where layers go, and what a server loads.
fn placing(dice: &mut Dice, question: &mut Question) {
    let host = question.get(Field::Host).is_some();
    let several = question.get(Field::Count).is_some();
    let mut maybe = |field, percent, texts: &[&str]| {
        if dice.percent(percent) {
            question.set(field, dice.text(texts));
        }
    };
    maybe(Field::Split, 12, &["layer", "tensor"]);
    maybe(
        Field::TensorSplit,
        if several { 15 } else { 1 },
        &["1", "3,1", "1,1,2"],
    );
    maybe(
        Field::GpuLayers,
        if host { 25 } else { 1 },
        &["0", "12", "all"],
    );
    maybe(Field::CpuMoe, if host { 25 } else { 1 }, &["0", "7", "all"]);
    maybe(Field::Slots, 8, &["1", "4", "64"]);
    maybe(Field::KvUnified, 8, &["on", "off"]);
    maybe(Field::FlashAttention, 8, &["on", "off"]);
    maybe(Field::Vision, 8, &["on", "off"]);
    maybe(Field::Mtp, 8, &["on", "off"]);
    maybe(Field::Ssd, 8, &["3.5", "7 GB/s"]);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use answer::ask;

    use super::*;

    #[test]
    fn the_questions_are_the_same_every_time() {
        assert_eq!(questions(), questions());
        assert_eq!(questions().len(), QUESTIONS);
    }

    #[test]
    fn two_fifths_have_an_answer_a_third_a_speed_and_a_fifth_are_refused() {
        let answers: Vec<_> = questions().iter().flat_map(ask).collect();
        let fast = answers.iter().filter(|answer| answer.decode.is_some());
        let (answered, fast) = (answers.len(), fast.count());
        assert!(answered >= QUESTIONS * 2 / 5, "{answered} are answered");
        assert!(answered <= QUESTIONS * 4 / 5, "{answered} are answered");
        assert!(fast >= QUESTIONS / 3, "{fast} have a speed");
    }

    #[test]
    fn answers_come_for_every_kind_of_device_and_family_of_formats() {
        let mut kinds = BTreeSet::new();
        let mut engines = BTreeSet::new();
        let mut verdicts = BTreeSet::new();
        let mut models = BTreeSet::new();
        for answer in questions().iter().filter_map(|question| ask(question).ok()) {
            kinds.insert(hardware_db::get(&answer.inputs.hardware).unwrap().kind);
            engines.insert(answer.inputs.engine);
            verdicts.insert(answer.fit.verdict);
            models.insert(answer.inputs.model);
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
        assert!(engines.len() >= 4, "{engines:?}");
        assert!(verdicts.len() >= 4, "{verdicts:?}");
        assert!(models.len() >= QUESTIONS / 4, "{models:?}");
    }

    #[test]
    fn every_input_is_typed_in_some_question() {
        let typed: BTreeSet<_> = questions()
            .iter()
            .flat_map(|question| question.typed().map(|(field, _)| field).collect::<Vec<_>>())
            .collect();
        assert_eq!(typed.len(), Field::ALL.len(), "{typed:?}");
    }
}

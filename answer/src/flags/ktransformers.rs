//! KTransformers: SGLang with the routed experts on the CPU.
//!
//! `kvcache-ai/ktransformers`, `doc/en/kt-kernel/Native-Precision-Tutorial.md` and
//! `kt-kernel/README.md`: the server is `kvcache-ai/sglang` with kernels for the experts. Threads of
//! the CPU aren't an input of the estimate, so their number is left to fill in.

use estimator::format::FormatFamily;

use super::line::{Line, Sheet};
use super::set_up::SetUp;
use super::vllm::{MODEL, stand_in};

/// What stands for the experts' weights.
const EXPERTS: &str = "EXPERTS";
/// What stands for a number of threads.
const THREADS: &str = "THREADS";

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let method = match set_up.resolved.format.family() {
        FormatFamily::Fp8 => "FP8",
        FormatFamily::Plain16 => "BF16",
        _ => "LLAMAFILE",
    };
    let checkpoint = set_up.checkpoint(method == "LLAMAFILE", MODEL);
    let mut line = Line::new(&["python", "-m", "sglang.launch_server"]);
    line.plain(&["--model", &checkpoint.name]);
    line.flag(
        "--kt-weight-path",
        EXPERTS.to_owned(),
        "the experts' weights, for the CPU",
    );
    line.flag(
        "--kt-method",
        method.to_owned(),
        "the format of the experts' weights",
    );
    line.flag(
        "--kt-num-gpu-experts",
        "0".to_owned(),
        "routed experts of a layer on the GPU: the estimate has all in RAM",
    );
    line.flag(
        "--kt-cpuinfer",
        THREADS.to_owned(),
        "threads of the CPU: nine tenths of its cores",
    );
    if let Some(host) = &set_up.resolved.host {
        line.flag(
            "--kt-threadpool-count",
            host.sockets.to_string(),
            "one pool of threads for each CPU",
        );
    }
    line.flag(
        "--context-length",
        set_up.workload().context.to_string(),
        "tokens of context of a request",
    );
    line.flag(
        "--max-total-tokens",
        set_up.whole_context().to_string(),
        set_up.context_of_slots(),
    );
    line.flag(
        "--max-running-requests",
        set_up.slots().to_string(),
        "requests that run at once; others wait",
    );
    line.flag(
        "--chunked-prefill-size",
        set_up.settings().ubatch.to_string(),
        "tokens of a prefill step",
    );
    super::vllm::parallel(
        set_up,
        "--tensor-parallel-size",
        "--pipeline-parallel-size",
        &mut line,
    );
    sheet.command("serve", "Start the server", line);
    stand_in(set_up, checkpoint.placeholder, &mut sheet);
    sheet.warn(format!(
        "`{EXPERTS}` stands for the folder with the experts' weights in {}, `{THREADS}` for a number: put yours there",
        set_up.resolved.format.name()
    ));
    if method == "LLAMAFILE" {
        sheet.warn("only the experts come from the GGUF file: attention is loaded from the published checkpoint, in its own format");
    }
    if set_up.host_experts().is_none() {
        sheet.warn("the estimate has no routed experts in RAM, for which KTransformers is made");
    }
    sheet
}

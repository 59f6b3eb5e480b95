use super::*;

#[test]
fn llama_8b_has_8_03_billion_weights() {
    let llama = examples::llama_8b();
    let parameters = llama.parameters();
    assert_eq!(parameters.total, 8_030_261_248);
    assert_eq!(parameters.active, parameters.total);
    assert_eq!(parameters.by_part.get(Part::Attention), 1_342_177_280);
    assert_eq!(parameters.by_part.get(Part::Dense), 5_637_144_576);
    assert!(!llama.is_moe());
    assert_eq!(llama.heads() / llama.kv_heads(), 4);
}

#[test]
fn other_trunks_count_as_published() {
    for (architecture, total) in [
        (examples::llama_70b(), 70_553_706_496),
        (examples::gemma_3_27b(), 27_009_346_304),
        (examples::qwen3_8_27b(), 26_895_998_464),
        (examples::gpt_oss(24, 32), 20_914_757_184),
    ] {
        assert_eq!(architecture.parameters().total, total);
    }
}

#[test]
fn an_moe_activates_only_the_experts_visited() {
    let qwen = examples::qwen3_30b_a3b();
    let parameters = qwen.parameters();
    assert_eq!(parameters.total, 30_532_122_624);
    assert_eq!(parameters.active, 3_353_032_704);
    assert_eq!((qwen.experts(), qwen.experts_per_token()), (128, 8));
}

#[test]
fn latent_attention_counts_its_stacks() {
    let deepseek = examples::deepseek_v3();
    assert_eq!(deepseek.parameters().total, 671_026_419_200);
    assert_eq!(deepseek.kv_heads(), 1);
    let mut stacks = 0;
    deepseek.visit_tensors(&mut |tensor| {
        if tensor.role == Role::MlaKB {
            assert_eq!((tensor.row, tensor.rows, tensor.stack), (128, 512, 128));
            stacks += 1;
        }
    });
    assert_eq!(stacks, 61);
}

#[test]
fn expert_biases_count_as_experts() {
    let parameters = examples::gpt_oss(36, 128).parameters();
    assert_eq!(parameters.total, 116_829_156_672);
    assert_eq!(parameters.active, 5_711_982_912);
}

#[test]
fn zero_experts_take_their_share_of_the_routing() {
    let experts = Experts {
        zero_count: 256,
        ..examples::experts(512, 12, 2048)
    };
    assert_eq!(experts.expected_per_token(), 8.0);
    assert_eq!(examples::experts(0, 8, 1).expected_per_token(), 0.0);
}

#[test]
fn counted_weights_are_all_handed_out() {
    let mut llama = examples::llama_8b();
    let before = llama.parameters();
    llama.counted = vec![
        Counted {
            part: Part::Other,
            elements: 1001,
        },
        Counted {
            part: Part::Lookup,
            elements: 77,
        },
    ];
    let after = llama.parameters();
    assert_eq!(after.total - before.total, 1078);
    assert_eq!(after.active - before.active, 1001, "tables are looked up");
}

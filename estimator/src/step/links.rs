//! What moving data between devices, host and disk takes.

use crate::device::Device;
use crate::engine::Engine;
use crate::num;
use crate::scenario::{Host, Scenario, Split};
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// Handing activations from one device to the next in a layer split: a copy of a few kilobytes and
/// a synchronisation. An assumption until fitted; decode of small models over many cards shows it.
pub(super) const HOP: Seconds = Seconds::us(50.0);

/// Handing activations to the host's experts and back, twice a layer. An assumption until fitted.
pub(super) const TURN: Seconds = Seconds::us(25.0);

/// Starting one all-reduce and waiting for the slowest: over a direct link, and over PCIe. An
/// assumption until fitted.
const REDUCE_PEER: Seconds = Seconds::us(12.0);
const REDUCE_PCIE: Seconds = Seconds::us(20.0);

/// One step of the ring an all-reduce goes round; there are twice as many as other devices.
const RING: Seconds = Seconds::us(5.0);

/// The share of a host link's nominal rate that large copies reach.
pub(super) const PCIE_SHARE: f64 = 0.8;

/// What a further socket's RAM adds to the first's bandwidth. An assumption until fitted:
/// KTransformers keeps experts on both sockets' RAM and goes from 8.7 to 13.7 tok/s with the second
/// (its DeepSeek-R1 tutorial); threads that read one copy across sockets gain nothing (4.0 tok/s
/// with two Xeon 6330 against 7.0 with its NUMA build).
const fn socket_gain(engine: Engine) -> f64 {
    match engine {
        Engine::KTransformers => 0.5,
        _ => 0.0,
    }
}

/// The bandwidth of a host's RAM that an engine's threads see.
///
/// Further sockets count where RAM holds a copy of the weights for each.
pub(super) fn host_bandwidth(
    engine: Engine,
    host: &Host,
    weights: Bytes,
) -> Option<BytesPerSecond> {
    let copies = weights * num::f32u(host.sockets);
    let more = if copies <= host.ram {
        num::f32u(host.sockets.saturating_sub(1))
    } else {
        0.0
    };
    Some(host.bandwidth? * (1.0 + socket_gain(engine) * more))
}

/// The hand-overs of one step in a layer split.
pub(super) fn hops(scenario: &Scenario<'_>, sites: usize) -> Seconds {
    if scenario.wishes.split == Split::Tensor {
        return Seconds::ZERO;
    }
    HOP * num::f32u(num::count(sites).saturating_sub(1))
}

/// The all-reduces of one step for `tokens` tokens: two a layer, each of the hidden width in 16 bit
/// (Shoeybi et al. 2019, arXiv:1909.08053); nothing but in tensor parallel.
pub(super) fn reduces(scenario: &Scenario<'_>, tokens: f64) -> Seconds {
    let count = scenario.count();
    if scenario.wishes.split != Split::Tensor || count < 2 {
        return Seconds::ZERO;
    }
    let others = num::f32u(count.saturating_sub(1));
    let architecture = scenario.model.architecture;
    let layers: f64 = architecture
        .layers
        .iter()
        .map(|layer| num::f32u(layer.passes.0))
        .sum();
    let bytes = Bytes::new(num::f32u(architecture.hidden) * 2.0 * tokens);
    let slowest = scenario.devices().map(link).fold(None, slower);
    let (start, rate) = match slowest {
        Some(Link::Peer(rate)) => (REDUCE_PEER, Some(rate)),
        Some(Link::Host(rate)) => (REDUCE_PCIE, rate),
        None => (REDUCE_PCIE, None),
    };
    let moved = rate.map_or(Seconds::ZERO, |rate| {
        bytes * (2.0 * others / num::f32u(count)) / rate
    });
    (start + RING * (2.0 * others) + moved) * (2.0 * layers)
}

/// How a device reaches the others.
#[derive(Debug, Clone, Copy)]
enum Link {
    Peer(BytesPerSecond),
    Host(Option<BytesPerSecond>),
}

fn link(device: &Device) -> Link {
    device.links.peer.map_or_else(
        || Link::Host(device.links.pcie.map(|rate| rate * PCIE_SHARE)),
        Link::Peer,
    )
}

fn slower(so_far: Option<Link>, next: Link) -> Option<Link> {
    Some(match (so_far, next) {
        (None, next) => next,
        (Some(Link::Peer(one)), Link::Peer(other)) => Link::Peer(one.min(other)),
        (Some(Link::Host(one)), Link::Host(other)) => Link::Host(match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            _ => None,
        }),
        (Some(host @ Link::Host(_)), Link::Peer(_))
        | (Some(Link::Peer(_)), host @ Link::Host(_)) => host,
    })
}

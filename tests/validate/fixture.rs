//! Campaigns in which a known machine, simulated, stands for the real ranks, with a little noise.

use calibration::fit::ToFit;
use models::call::Call;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::collective::Collective;
use models::network::{LogGops, Network, Rendezvous, SendRule};
use models::time::{PerByte, Span};
use programs::calibration::{CalibrationSettings, Sample};
use programs::machine::{Bound, Machine, Provenance};
use programs::method::Method;
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Observation, Occasion, RankRecord,
    Stamp, World,
};
use programs::played::played;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scenario::store::{FORMAT, Line};
use sim::{Predictor, SimWorld};
use study::validation::{Prediction, machine_name};

/// Lengths of the cases.
pub const LENGTHS: [u64; 6] = [8, 64, 512, 4_096, 16_384, 65_536];
/// Windows of each case.
const WINDOWS: u64 = 40;

/// A machine whose CPUs copy: LogGP cannot hold both a message and a train of its, Hockney still less.
pub fn loggops() -> Network {
    Network::Loggops(LogGops {
        latency: Span::from_ns(1_500),
        overhead_send: Span::from_ns(600),
        overhead_receive: Span::from_ns(400),
        gap: Span::from_ns(900),
        gap_per_byte: PerByte::from_ns(0.6),
        overhead_per_byte: PerByte::from_ns(0.4),
        eager_limit: u64::MAX,
        rendezvous: Rendezvous::Match,
    })
}

/// A case of Open MPI's on its native network.
pub fn case(collective: Collective, implementation: Implementation, ranks: u32, bytes: u64) -> Case {
    Case {
        place: CasePlace { world: World::OPENMPI, carrier: Carrier::Native, ranks },
        subject: CaseSubject {
            collective,
            implementation,
            root: 0,
            bytes,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method: Method::Window, calls: 1, conditions: Conditions::default() },
    }
}

/// The first line of a campaign.
pub fn begin() -> Line {
    Line::Campaign {
        format: FORMAT,
        question: "How well do models predict a machine that is known?".to_owned(),
        name: "known".to_owned(),
        seed: 1,
        scenario_text: String::new(),
        environment: Vec::new(),
        reproduce: Vec::new(),
    }
}

/// What calibrating ranks of a network yields.
pub fn samples(network: Network) -> Vec<Sample> {
    let bytes = vec![1, 8, 64, 512, 4_096, 16_384, 32_768, 65_536, 131_072];
    let settings = CalibrationSettings::whole(bytes, 9, Span::from_ms(1_000));
    SimWorld::ideal(network, 2).run(async |rank| settings.run(&rank).await).unwrap().results.swap_remove(0).unwrap()
}

/// The machine that these samples give, under the name of a case's.
pub fn machine(of: &Case, samples: &[Sample]) -> Machine {
    let provenance = Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: "simulated ranks".to_owned(),
        how: String::new(),
        confidence: 0.95,
    };
    ToFit { name: &machine_name(of), provenance, send_rule: SendRule::Eager, samples }.machine().unwrap()
}

/// The slowest rank's time in one call of what a case plays.
pub fn truth(network: Network, case: &Case) -> Span {
    let played = played(case).unwrap();
    let mut order = crate::common::order(
        case.subject.collective,
        played.algorithm.name,
        case.place.ranks,
        case.subject.bytes,
        Method::Window,
    );
    order.shape = played.shape;
    Predictor::perfect(network).truth(&order).unwrap().into_iter().max().unwrap()
}

/// The same under a model of a calibrated machine.
pub fn prediction(machine: &Machine, model: &str, case: &Case) -> Prediction {
    let us = |bound| truth(machine.network(model, bound).unwrap(), case).as_us();
    let (low, value, high) = (us(Bound::Low), us(Bound::Best), us(Bound::High));
    let us = programs::machine::Estimate { value, low: low.min(value), high: high.max(value) };
    Prediction { case: case.clone(), model: model.to_owned(), us }
}

/// An observation of ranks that all take `time` in each window, times what one launch and one window vary by (1 % each).
pub fn observation(case: &Case, launch: u32, time: Span, rng: &mut ChaCha8Rng) -> Line {
    let mut near = || 1.0 + 0.01 * (rng.random::<f64>() + rng.random::<f64>() + rng.random::<f64>() - 1.5);
    let of_launch = near();
    let ends: Vec<u64> = (0..WINDOWS).map(|_| (time.0 as f64 * of_launch * near()) as u64).collect();
    let record = |rank| {
        let stamps = ends.iter().enumerate().map(|(index, end)| {
            let due = 1_000_000_000 * (index as u64 + 1);
            let (start, end) = (Ticks(due), Ticks(due + end));
            Stamp { block: 0, calls: 1, due: Some(Ticks(due)), start, end, valid: true }
        });
        RankRecord::new(rank, GlobalClock::reference(Timescale::PICOSECONDS), stamps.collect())
    };
    let ranks = (0..case.place.ranks).map(record).collect();
    let seen = Observation::new(case.clone(), "Open MPI v4.1.4", ranks);
    Line::Measured(Observation { occasion: Occasion { launch }, ..seen })
}

/// Draws of one campaign.
pub fn draws() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(5)
}

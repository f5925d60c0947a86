//! Errors of predictions of a printed number, as the machine's calibration rehearsed the benchmark.

use super::algorithm::AlgorithmChoice;
use super::expect::{Subjected, best};
use crate::rehearsal;
use models::call::Element;
use models::collective::Shape;
use programs::budget::Configuration;
use programs::machine::{Arithmetic, Machine, Rehearsed};
use programs::method::Buffer;
use study::correct::rehearsal::{Sought, missed};
use study::correct::{Asked, Doubt, Expected, Reading, Refusal, Source};

/// Adds the rehearsed error to the expectation of a printed number: of the library's own algorithm, called from rank 0
/// by the benchmark as it usually runs. Leaves the expectation unchanged where no such call was rehearsed. `all` holds
/// the rehearsals in any state of the machine.
///
/// # Errors
/// Fails on a rehearsed call that simulated ranks cannot do.
pub(super) fn rehearse(
    expected: &mut Expected,
    (machine, all): (&Machine, &[Rehearsed]),
    choice: &AlgorithmChoice,
    sought: &Sought,
) -> Result<(), Refusal> {
    if !choice.is_own_choice(machine) {
        return Ok(());
    }
    let collective = sought.collective;
    let configuration =
        rehearsal::configuration(sought.benchmark, sought.column, collective).map_err(Refusal::UnknownMethod)?;
    expected.missed = missed(&machine.rehearsed, all, sought, |bytes| {
        let chosen = choice.choose(machine, None, collective, Shape::new(sought.ranks, 0, bytes))?;
        let call = Subjected {
            collective,
            algorithm: chosen.algorithm,
            shape: chosen.shape,
            barrier: chosen.barrier,
            library: choice.played_by(machine),
            arithmetic: Arithmetic::of_library(collective, Element::default()),
            configuration: &configuration,
            calls: None,
        };
        let pair = best(machine, sought.reference, &call)?;
        Ok((pair.printed_us / pair.reference_us).ln())
    })?;
    if expected.missed.is_some() {
        expected.source = Source::Rehearsed;
        // The rehearsed error of calls includes the model's error of messages.
        expected.doubts.retain(|doubt| !matches!(doubt, Doubt::PoorFit { .. }));
    }
    Ok(())
}

/// Returns the rehearsals that a reading is held against, if it is of a call and a run of the rehearsed kind.
pub(super) fn sought<'a>(
    reference: Buffer,
    (reading, asked, shape): (&Reading, &'a Asked, Shape),
) -> Option<Sought<'a>> {
    let benchmark = asked.benchmark;
    let usual = Configuration::preset(benchmark, Some(asked.head)).ok()?;
    let is_own_choice = reading.algorithm.is_none();
    (is_own_choice && shape.root == 0 && asked.configuration.is_like(&usual)).then_some(Sought {
        collective: asked.collective,
        ranks: shape.ranks,
        benchmark,
        column: asked.head,
        reference,
        bytes: shape.bytes,
    })
}

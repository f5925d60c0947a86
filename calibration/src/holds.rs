//! Whether a stored machine file still holds: its costs of messages and memory, against those that a short calibration
//! beside the measurement found.

use programs::machine::Machine;
use scenario::store::CampaignLines;
use statistics::median;

/// Ending of the name of a machine that was calibrated to check another one.
pub const CHECKED: &str = ".check";

/// Factor beyond which the file is that of another machine, or of another state of it.
const HOLDS: f64 = 1.25;

/// Returns a sentence for each machine that was checked.
pub fn sentences<'a>(lines: impl Into<CampaignLines<'a>>) -> Vec<String> {
    let lines: CampaignLines = lines.into();
    let Some(given) = lines.machines().find(|machine| !is_check(machine)) else { return Vec::new() };
    lines
        .machines()
        .filter(|machine| is_check(machine))
        .filter_map(|now| sentence(given.in_state(now.core_state()), now))
        .collect()
}

/// Whether a machine was calibrated only to check another one.
pub fn is_check(machine: &Machine) -> bool {
    machine.name.ends_with(CHECKED)
}

/// Returns the costs that are larger by one calibration than by another of the same state by more than chance, with the
/// factors.
pub fn apart(given: &Machine, now: &Machine) -> Vec<(&'static str, f64)> {
    factors(given, now).into_iter().filter(|(_, factor)| is_off(*factor)).collect()
}

fn is_off(factor: f64) -> bool {
    factor.max(1.0 / factor) > HOLDS
}

/// Returns the factors by which each state of the buffers, and arithmetic, take longer now; none where no length is in
/// both machines.
fn factors(given: &Machine, now: &Machine) -> Vec<(&'static str, f64)> {
    type Cost = fn(&Machine, u64) -> Option<f64>;
    let costs: [(&str, Cost); 4] = [
        ("messages never rewritten", one_way_us),
        ("rewritten ones", |machine, bytes| {
            Some(one_way_us(machine, bytes)? + lines_at(machine, bytes)?.fetch_us.value)
        }),
        ("flushed ones", |machine, bytes| {
            let lines = lines_at(machine, bytes)?;
            Some(one_way_us(machine, bytes)? + lines.load_us.value + lines.fill_us.value)
        }),
        ("combining", |machine, bytes| {
            let local = machine.local.iter().find(|point| point.bytes == bytes)?;
            Some(local.combine_by_library_us.as_ref().unwrap_or(&local.combine_us).value)
        }),
    ];
    let lengths: Vec<u64> = now.transfer.iter().map(|point| point.bytes).collect();
    let factor = |cost: Cost| {
        let ratios = lengths.iter().filter_map(|&bytes| Some(cost(now, bytes)? / cost(given, bytes)?));
        median(&ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0).collect::<Vec<_>>())
    };
    costs.into_iter().filter_map(|(name, cost)| Some((name, factor(cost)?))).collect()
}

fn one_way_us(machine: &Machine, bytes: u64) -> Option<f64> {
    machine.transfer.iter().find(|point| point.bytes == bytes).map(|point| point.half_round_trip_us.value)
}

fn lines_at(machine: &Machine, bytes: u64) -> Option<&programs::machine::LinesPoint> {
    machine.lines.iter().find(|point| point.bytes == bytes)
}

fn sentence(given: &Machine, now: &Machine) -> Option<String> {
    let factors = factors(given, now);
    let words: Vec<String> = factors.iter().map(|(name, factor)| format!("{name} ×{factor:.2}")).collect();
    let off = factors.iter().any(|(_, factor)| is_off(*factor));
    let line = match (given.core_state(), now.core_state()) {
        (Some(then), Some(now)) => format!(" (a cache line between neighbours took {then} then, {now} now)"),
        _ => String::new(),
    };
    let verdict = if off {
        format!("it is from another state or machine{line}: calibrate again")
    } else {
        format!("it holds{line}")
    };
    (!words.is_empty()).then(|| {
        let (name, date) = (&given.name, &given.provenance.date);
        format!("Machine file {name} of {date}, checked beside the measurement: {}: {verdict}.", words.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::network::SendRule;
    use programs::machine::{Estimate, HockneyEstimate, LinesPoint, Provenance, TransferPoint};
    use scenario::store::Line;

    fn machine(name: &str, scale: f64) -> Machine {
        let exactly = Estimate::exactly;
        let provenance = Provenance {
            date: "2026-11-22".to_owned(),
            host: String::new(),
            ran_by: String::new(),
            how: String::new(),
            confidence: 0.95,
        };
        let hockney =
            HockneyEstimate { alpha_us: exactly(1.0), beta_ns_per_byte: exactly(1.0), send_rule: SendRule::Eager };
        let point = |bytes| TransferPoint { bytes, half_round_trip_us: exactly(scale), fitted_us: 1.0 };
        let lines = |bytes| LinesPoint {
            bytes,
            fetch_us: exactly(scale),
            refetch_us: exactly(0.0),
            claim_us: exactly(0.0),
            claim_shared_us: None,
            claim_received_us: exactly(0.0),
            claim_received_shared_us: None,
            claim_combined_us: None,
            claim_combined_by_library_us: None,
            after_wait_us: exactly(0.0),
            load_fill_us: None,
            reread_us: exactly(0.0),
            duplex_fetch_us: exactly(0.0),
            duplex_claim_us: exactly(0.0),
            duplex_us: exactly(0.0),
            load_us: exactly(1.0),
            fill_us: exactly(2.0 * scale),
        };
        Machine {
            transfer: [8, 64, 512].map(point).into(),
            lines: [8, 64, 512].map(lines).into(),
            ..Machine::new(name, provenance, hockney)
        }
    }

    #[test]
    fn a_file_is_told_to_hold_or_not_with_the_factor_of_each_state() {
        let told = |now: f64| {
            let lines = [machine("mine", 1.0), machine("openmpi-native-2.check", now)];
            sentences(&lines.map(|machine| Line::Machine(Box::new(machine)))).concat()
        };
        insta::assert_snapshot!([told(1.1), told(3.0)].join("\n"));
        assert!(sentences(&[Line::Machine(Box::new(machine("mine", 1.0)))]).is_empty(), "nothing was checked");
        assert_eq!(apart(&machine("mine", 1.0), &machine("mine", 1.1)), []);
        assert_eq!(
            apart(&machine("mine", 1.0), &machine("mine", 0.5)).len(),
            3,
            "messages in three states of the buffers"
        );
    }
}

//! Variants of a machine with one parameter at a time at an end of its interval, for analyses of sensitivity.

use super::{Bound, Estimate, LinesPoint, Machine, PlogpPoint};

impl Machine {
    /// Variants of this machine, each with one parameter alone at the lower and at the upper end of its interval, by
    /// the parameters' names in machine files. They are the parameters of the model that predicts single messages and
    /// calls ([`Machine::best_platform`]) and of its refinements. Those without an interval are left out.
    pub fn apart(&self) -> Vec<(&'static str, [Machine; 2])> {
        let mut all = Vec::new();
        for (name, of) in parameters(self) {
            let mut copy = self.clone();
            let unsure = of(&mut copy).iter().any(|estimate| estimate.low < estimate.high);
            let at = |bound: Bound| {
                let mut machine = self.clone();
                of(&mut machine).into_iter().for_each(|estimate| estimate.value = estimate.at(bound));
                machine
            };
            if unsure {
                all.push((name, [at(Bound::Low), at(Bound::High)]));
            }
        }
        all
    }
}

/// Function to the estimates of one parameter: of a table, to all of them together.
type Of = fn(&mut Machine) -> Vec<&mut Estimate>;

const HOCKNEY: [(&str, Of); 2] = [
    ("alpha_us", |machine| vec![&mut machine.hockney.alpha_us]),
    ("beta_ns_per_byte", |machine| vec![&mut machine.hockney.beta_ns_per_byte]),
];

const LOGGP: [(&str, Of); 4] = [
    ("latency_us", |machine| machine.loggp.iter_mut().map(|model| &mut model.latency_us).collect()),
    ("overhead_us", |machine| machine.loggp.iter_mut().map(|model| &mut model.overhead_us).collect()),
    ("gap_us", |machine| machine.loggp.iter_mut().map(|model| &mut model.gap_us).collect()),
    ("gap_per_byte_ns", |machine| machine.loggp.iter_mut().map(|model| &mut model.gap_per_byte_ns).collect()),
];

const LOGGOPS: [(&str, Of); 6] = [
    ("latency_us", |machine| machine.loggops.iter_mut().map(|model| &mut model.latency_us).collect()),
    ("overhead_send_us", |machine| machine.loggops.iter_mut().map(|model| &mut model.overhead_send_us).collect()),
    ("overhead_receive_us", |machine| machine.loggops.iter_mut().map(|model| &mut model.overhead_receive_us).collect()),
    ("gap_us", |machine| machine.loggops.iter_mut().map(|model| &mut model.gap_us).collect()),
    ("gap_per_byte_ns", |machine| machine.loggops.iter_mut().map(|model| &mut model.gap_per_byte_ns).collect()),
    ("overhead_per_byte_ns", |machine| {
        machine.loggops.iter_mut().map(|model| &mut model.overhead_per_byte_ns).collect()
    }),
];

const PLOGP: [(&str, Of); 4] = [
    ("latency_us", |machine| machine.plogp.iter_mut().map(|model| &mut model.latency_us).collect()),
    ("overhead_send_us", |machine| plogp(machine, |point| &mut point.overhead_send_us)),
    ("overhead_receive_us", |machine| plogp(machine, |point| &mut point.overhead_receive_us)),
    ("gap_us", |machine| plogp(machine, |point| &mut point.gap_us)),
];

const MEMORY: [(&str, Of); 23] = [
    ("start_us", |machine| machine.start_us.iter_mut().collect()),
    ("call_us", |machine| machine.call_us.iter_mut().collect()),
    ("reducing_call_us", |machine| machine.reducing_call_us.iter_mut().collect()),
    ("page_fault_us", |machine| machine.page_fault_us.iter_mut().collect()),
    ("fetch_us", |machine| lines(machine, |point| &mut point.fetch_us)),
    ("claim_us", |machine| lines(machine, |point| &mut point.claim_us)),
    ("refetch_us", |machine| lines(machine, |point| &mut point.refetch_us)),
    ("claim_shared_us", |machine| {
        machine.lines.iter_mut().filter_map(|point| point.claim_shared_us.as_mut()).collect()
    }),
    ("claim_received_us", |machine| lines(machine, |point| &mut point.claim_received_us)),
    ("claim_received_shared_us", |machine| {
        machine.lines.iter_mut().filter_map(|point| point.claim_received_shared_us.as_mut()).collect()
    }),
    ("to_self_us", |machine| machine.local.iter_mut().filter_map(|point| point.to_self_us.as_mut()).collect()),
    ("combine_elements", |machine| {
        machine.local.iter_mut().flat_map(|point| &mut point.combine_elements).map(|one| &mut one.us).collect()
    }),
    ("claim_combined_by_library_us", |machine| {
        machine.lines.iter_mut().filter_map(|point| point.claim_combined_by_library_us.as_mut()).collect()
    }),
    ("after_wait_us", |machine| lines(machine, |point| &mut point.after_wait_us)),
    ("duplex_us", |machine| lines(machine, |point| &mut point.duplex_us)),
    ("load_us", |machine| lines(machine, |point| &mut point.load_us)),
    ("fill_us", |machine| lines(machine, |point| &mut point.fill_us)),
    ("load_fill_us", |machine| machine.lines.iter_mut().filter_map(|point| point.load_fill_us.as_mut()).collect()),
    ("reread_us", |machine| lines(machine, |point| &mut point.reread_us)),
    ("duplex_fetch_us", |machine| lines(machine, |point| &mut point.duplex_fetch_us)),
    ("duplex_claim_us", |machine| lines(machine, |point| &mut point.duplex_claim_us)),
    ("copy_us", |machine| machine.local.iter_mut().map(|point| &mut point.copy_us).collect()),
    ("combine_by_library_us", |machine| {
        machine.local.iter_mut().filter_map(|point| point.combine_by_library_us.as_mut()).collect()
    }),
];

fn plogp(machine: &mut Machine, of: fn(&mut PlogpPoint) -> &mut Estimate) -> Vec<&mut Estimate> {
    machine.plogp.iter_mut().flat_map(|model| &mut model.points).map(of).collect()
}

fn lines(machine: &mut Machine, of: fn(&mut LinesPoint) -> &mut Estimate) -> Vec<&mut Estimate> {
    machine.lines.iter_mut().map(of).collect()
}

const REFINEMENTS: [(&str, Of); 3] = [
    ("connect_us", |machine| machine.connect_us.iter_mut().collect()),
    ("inline.fetch_us", |machine| machine.inline.iter_mut().map(|inline| &mut inline.fetch_us).collect()),
    ("idle", |machine| machine.idle.iter_mut().map(|point| &mut point.cost_us).collect()),
];

fn parameters(machine: &Machine) -> impl Iterator<Item = (&'static str, Of)> {
    let model: &[(&str, Of)] = match (&machine.loggops, &machine.loggp) {
        _ if machine.has_memory() => &PLOGP,
        (Some(_), _) => &LOGGOPS,
        (None, Some(_)) => &LOGGP,
        (None, None) => &HOCKNEY,
    };
    let memory: &[(&str, Of)] = if machine.has_memory() { &MEMORY } else { &[] };
    model.iter().chain(memory).chain(&REFINEMENTS).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{HockneyEstimate, Provenance};
    use models::network::SendRule;

    #[test]
    fn each_parameter_with_an_interval_moves_alone() {
        let provenance = Provenance {
            date: String::new(),
            host: String::new(),
            ran_by: String::new(),
            how: String::new(),
            confidence: 0.95,
        };
        let hockney = HockneyEstimate {
            alpha_us: Estimate { value: 5.0, low: 4.0, high: 7.0 },
            beta_ns_per_byte: Estimate { value: 1.0, low: 1.0, high: 1.0 },
            send_rule: SendRule::Busy,
        };
        let mut machine = Machine::new("m", provenance, hockney);
        machine.connect_us = Some(Estimate { value: 30.0, low: 20.0, high: 35.0 });
        let apart = machine.apart();
        assert_eq!(apart.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["alpha_us", "connect_us"]);
        let (_, [low, high]) = &apart[0];
        assert_eq!((low.hockney.alpha_us.value, high.hockney.alpha_us.value), (4.0, 7.0));
        assert_eq!(low.hockney.beta_ns_per_byte, machine.hockney.beta_ns_per_byte);
        assert_eq!(low.connect_us, machine.connect_us);
    }
}

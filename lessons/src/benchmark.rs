//! What a named benchmark prints, and whether it prints something else after one delay.

use crate::method::{MethodChoice, Timed};
use crate::once::failed;
use models::budget::{Configuration, Entry};
use models::method::{OneDelay, Order, Preset};
use models::platform::Buffer;
use scenario::BadInput;
use serde_json::json;
use sim::{Misreport, Predictor};
use std::fmt::Write;

/// Two numbers of one benchmark that are so close are one, as a share of the smaller.
const ALIKE: f64 = 0.01;

impl MethodChoice {
    /// What a named benchmark prints in each of its columns, or in the one that is named with it.
    pub(crate) fn benchmark(
        &self,
        machine: &Predictor,
        reference: Buffer,
        order: &Order,
        name: &str,
    ) -> Result<Timed, BadInput> {
        let (preset, column) = Preset::printing(name).map_err(|message| BadInput(format!("--benchmark: {message}")))?;
        let heads = preset.columns().into_iter().map(|column| column.head);
        let heads: Vec<&str> = heads.filter(|head| !name.contains(':') || *head == column.head).collect();
        let mut columns = Vec::new();
        for head in &heads {
            let usual = Configuration::preset(preset, Some(head)).map_err(BadInput)?;
            columns.push(Configuration { delay: self.delay.unwrap_or(usual.delay), ..usual });
        }
        // The same in the other state: without the delay, or after one.
        let other = columns.first().filter(|first| first.entry == Entry::Barrier).map(|first| Configuration {
            delay: if first.delay.is_some() { None } else { Some(OneDelay::default()) },
            ..first.clone()
        });
        let all: Vec<&Configuration> = columns.iter().chain(&other).collect();
        let misreports = machine.misreports(&all, reference, order).map_err(failed)?;
        let mut table = format!("  {:<20} {:>14} {:>14} {:>8}\n", "column", "printed µs", "reference µs", "ratio");
        let mut told = Vec::new();
        for (head, misreport) in heads.iter().zip(&misreports) {
            let Misreport { reported_us, truth_us } = *misreport;
            let ratio = misreport.ratio();
            let _ = writeln!(table, "  {head:<20} {reported_us:>14.4} {truth_us:>14.4} {ratio:>8.4}");
            told.push(json!({ "column": head, "reported_us": reported_us, "reference_us": truth_us, "ratio": ratio }));
        }
        let mut json = json!({ "benchmark": name, "columns": told });
        if let (Some(other), [first, .., last]) = (other, &misreports[..]) {
            let mut states = [last.reported_us, first.reported_us];
            if other.delay.is_some() {
                states.reverse();
            }
            let [symmetric, delayed] = states;
            json["after_one_delay_us"] = delayed.into();
            json["symmetric_us"] = symmetric.into();
            if (delayed - symmetric).abs() > ALIKE * delayed.min(symmetric) {
                let head = heads[0];
                let _ = writeln!(
                    table,
                    "  two steady states (E10): {head} is {symmetric:.4} µs if all ranks enter together, and {delayed:.4} µs ever \
                     after one delay of one rank"
                );
            }
        }
        Ok(Timed { table, json, trace: None })
    }
}

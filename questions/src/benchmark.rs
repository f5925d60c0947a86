//! The numbers that a named benchmark prints, and whether they change after one delay.

use crate::method::{ComparedNumber, MethodChoice, Timed};
use crate::once::failed;
use crate::steady::Steady;
use models::platform::Buffer;
use programs::budget::{Configuration, Entry};
use programs::method::{OneDelay, Order, Preset};
use scenario::BadInput;
use serde_json::json;
use sim::{Misreport, Predictor, PrintedSeries};

impl MethodChoice {
    /// Returns the number that a named benchmark prints in each of its columns, or in the one that is named with it.
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
        let truth_us = machine.truth_us(reference, order).map_err(failed)?;
        let all = machine.series(&all, order).map_err(failed)?;
        let (mut numbers, mut told) = (Vec::new(), Vec::new());
        for (head, &PrintedSeries { reported_us, .. }) in heads.iter().zip(&all) {
            let ratio = Misreport { reported_us, truth_us }.ratio();
            let (printed_us, reference_us) = (Some(reported_us), truth_us);
            numbers.push(ComparedNumber {
                name: (*head).to_owned(),
                printed_us,
                reference_us,
                ratio: Some(ratio),
                ..ComparedNumber::default()
            });
            told.push(json!({ "column": head, "reported_us": reported_us, "reference_us": truth_us, "ratio": ratio }));
        }
        let (mut json, mut sentences) = (json!({ "benchmark": name, "columns": told }), Vec::new());
        if let (Some(other), [first, .., last]) = (other, &all[..]) {
            let (symmetric, delayed) = if other.delay.is_some() { (first, last) } else { (last, first) };
            let steady = Steady::from_series(symmetric, delayed);
            json["after_one_delay_us"] = delayed.reported_us.into();
            json["symmetric_us"] = symmetric.reported_us.into();
            json["steady_states"] = steady.states().into();
            json["after_one_delay_cycle_us"] = json!(steady.delayed_us);
            json["symmetric_cycle_us"] = json!(steady.symmetric_us);
            sentences = steady.describe(heads[0]).lines().map(|line| line.trim().to_owned()).collect();
        }
        Ok(Timed { kind: "benchmark", numbers, sentences, json, ..Timed::default() })
    }
}

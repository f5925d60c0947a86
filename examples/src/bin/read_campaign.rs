//! What a campaign of `parallax measure` found, as a table: each method's number beside the reference's, from its
//! `campaign.jsonl`.
//!
//! `cargo run -p parallax-examples --bin read_campaign -- results/measure-001/campaign.jsonl`

use anyhow::{Context, ensure};
use parallax_scenario::store;
use parallax_study::measured::measured;

fn main() -> anyhow::Result<()> {
    let file = std::env::args().nth(1).context("expected the campaign.jsonl of a run of `parallax measure`")?;
    let campaign = store::read(&file)?;
    if !campaign.finished() {
        eprintln!("{file}: this campaign has not finished");
    }
    let measured = measured(&campaign.lines)?;
    ensure!(!measured.subjects.is_empty(), "{file} holds no measurements; expected a run of `parallax measure`");
    println!("world\toperation\talgorithm\tranks\tbytes\tmethod\tus\tlow\thigh\ttimes_reference");
    for subject in &measured.subjects {
        let case = &subject.case;
        for row in &subject.rows {
            for cell in &row.methods {
                let method = if cell.is_reference { "reference" } else { cell.method.name() };
                // The median and its interval over launches; where no sample was valid there is no number.
                let us = cell.us.map_or("\t\t".to_owned(), |us| format!("{}\t{}\t{}", us.value, us.low, us.high));
                let ratio = cell.ratio.as_ref().map(|ratio| ratio.ratio().0.to_string()).unwrap_or_default();
                let (world, algorithm) = (case.place.world.name(), case.subject.implementation.written());
                let call = format!("{}\t{algorithm}\t{}\t{}", case.subject.collective, case.place.ranks, row.bytes);
                println!("{world}\t{call}\t{method}\t{us}\t{ratio}");
            }
        }
    }
    Ok(())
}

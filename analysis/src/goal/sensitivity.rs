//! The last finish of a schedule as a function of one parameter after the other.

use super::model::Model;
use crate::sensitivity::Varied;
use goal::{ChosenNoise, Rules, Schedule, fixed_order};
use models::engine::Engine;
use render::drawn::Drawn;
use reports::sweep::sensitivity::Sensitivity;
use scenario::BadInput;

const FLAG: &str = "--sensitivity";

/// Reads the parameters that are varied, with their ranges.
///
/// # Errors
/// Fails on parameters that the rules do not have, and on invalid ranges.
pub(super) fn varied(asked: &[String], model: &Model) -> Result<Vec<Varied>, BadInput> {
    let variables = model.variables();
    asked.iter().map(|text| Varied::read(FLAG, &[], text, &model.name, &variables)).collect()
}

/// Returns the pieces of each parameter, in every form.
///
/// # Errors
/// Fails on a run that fails, and on more pieces than can be distinguished.
pub(super) fn pieces(name: &str, schedule: &Schedule, model: &Model, asked: &[Varied]) -> Result<Drawn, BadInput> {
    let panel = |varied: &Varied| {
        let rules =
            |value| model.at(varied.variable.name, value).map_err(|message| BadInput(format!("{FLAG}: {message}")));
        let ends: Vec<Rules> =
            [*varied.range.start(), *varied.range.end()].into_iter().map(rules).collect::<Result<_, _>>()?;
        let line = varied.line(FLAG, "", fixed_order(schedule, &ends), |value| {
            let wrong = |error| BadInput(format!("{name}, {FLAG} {} at {value} ps: {error}", varied.variable.name));
            let run = ChosenNoise::NONE.run(schedule, &rules(value)?, Engine::Auto, &mut |_| {}).map_err(wrong)?;
            Ok(run.finish.iter().map(|time| time.0).max().unwrap_or_default())
        })?;
        Ok(varied.panel(vec![line]))
    };
    let panels = asked.iter().map(panel).collect::<Result<_, BadInput>>()?;
    let notes = vec![model.rules.to_string()];
    Ok(Sensitivity { title: format!("Last finish of {name}"), notes, panels }.drawn())
}

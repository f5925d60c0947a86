//! Typed tables of a validation, for all forms of output.

use super::{
    Best, Confusion, ErrorRow, FitError, Identification, Identified, LibraryCase, MeasuredCase, Place, Refined,
    Repeats, Rival, Spread, Validation, ValidationRow, Worst, page,
};
use calibration::refine::estimates;
use calibration::states::{MetState, in_states};
use models::collective::Collective;
use programs::machine::{Estimate, Machine};
use programs::observation::Case;
use render::columns;
use render::data::{Cell, Column, Filled, Kind, Known, Style, Table};
use render::page::Page;
use render::results::{Look, Results};
use render::summary::environment_of;
use render::whence::Whence;
use scenario::axis::Key;

const CASES: Known = Known::integer("cases", "", "number of cases", "16");
const MEDIAN: Known = Known::interval("median_error", "", "median of |error|", "0.1");
const NINETY: Known = Known::interval("ninety_error", "", "bound below which 90 % of |error| are", "0.3");

/// Returns a table of cases, each row with its place on the axes that tables share.
fn of_cases(table: Table, cases: impl Iterator<Item = Case>) -> Table {
    columns::of_cases(table, cases.map(|case| Key::of_subject(&case)))
}

/// Returns a table of places, world and transport first.
fn of_places(table: Table, places: impl Iterator<Item = Place>) -> Table {
    let cells = places.map(|place| vec![place.world.name().into(), place.carrier.name().into()]);
    table.with_columns(0, [columns::WORLD.column().unseen(), columns::TRANSPORT.column().unseen()], cells)
}

/// Returns the cell of a row's collective; `all` stands for all of them together.
fn collective(of: Option<Collective>) -> Cell {
    of.map_or("all", Collective::name).into()
}

fn magnitude(known: Known, heading: &'static str) -> Column {
    known.headed(heading).shown(Style::Magnitude)
}

impl Validation {
    /// Returns the table of every case under every model, with the numbers behind it.
    fn table(&self) -> Table {
        type Of<'a> = (&'a ValidationRow, &'a MeasuredCase);
        let rows: Vec<Of> = self.rows.iter().filter_map(|row| Some((row, self.measured_of(&row.case)?))).collect();
        let columns: [Filled<Of>; 12] = [
            (columns::MODEL.column(), &|(row, _)| row.model.as_str().into()),
            (columns::PREDICTED.column(), &|(row, _)| row.predicted_us.into()),
            (columns::MEASURED.column(), &|(row, _)| row.measured_us.into()),
            (columns::CONFIDENCE.column(), &|_| super::CONFIDENCE.into()),
            (columns::ERROR.column().without_limits(), &|(row, _)| row.error.into()),
            (columns::VERDICT.column(), &|(row, _)| row.verdict.name().into()),
            (columns::WINDOWS.column(), &|(_, of)| of.windows.into()),
            (columns::STARTS.column(), &|(_, of)| of.starts.into()),
            (columns::LAUNCHES.column(), &|(_, of)| of.launches.len().into()),
            (columns::OVERSUBSCRIBED.column(), &|(_, of)| of.oversubscribed.into()),
            (columns::PLAYED_ALGORITHM.column(), &|(_, of)| of.played.clone().into()),
            (columns::REFERENCE_BUFFER.column(), &|(row, _)| row.case.timing.conditions.buffer.name().into()),
        ];
        let states = rows.iter().map(|_| self.held_against.state);
        let table = in_states(Table::from_rows("rows", &rows, &columns), states);
        of_cases(table, rows.iter().map(|(row, _)| row.case.clone()))
    }
}

/// Returns the table of rows as pictures show them, without intervals.
pub(super) fn of_picture<'a>(rows: impl IntoIterator<Item = &'a ValidationRow>) -> Table {
    let rows: Vec<&ValidationRow> = rows.into_iter().collect();
    let columns: [Filled<&ValidationRow>; 4] = [
        (columns::MODEL.column(), &|row| row.model.as_str().into()),
        (columns::PREDICTED.column().without_limits(), &|row| row.predicted_us.value.into()),
        (columns::MEASURED.column().without_limits(), &|row| row.measured_us.value.into()),
        (columns::ERROR.column().without_limits(), &|row| row.error.into()),
    ];
    of_cases(Table::from_rows("rows", &rows, &columns), rows.iter().map(|row| row.case.clone()))
}

/// Returns the table of the errors of each model, place by place, for each collective and for all.
pub(super) fn errors(validation: &Validation) -> Table {
    const BIAS: Known = Known::number("bias", "", "median of the signed errors", "-0.05");
    const AGREE: Known = Known::integer("agree", "", "cases whose intervals overlap", "12");
    let columns: [Filled<ErrorRow>; 7] = [
        (columns::OPERATION.headed("collective"), &|row| collective(row.collective)),
        (columns::MODEL.column(), &|row| row.model.as_str().into()),
        (CASES.column(), &|row| row.cases.into()),
        (magnitude(MEDIAN, "median"), &|row| row.median.into()),
        (magnitude(NINETY, "90 % below"), &|row| row.ninety.into()),
        (BIAS.column().shown(Style::Change), &|row| row.bias.into()),
        (AGREE.column().unseen(), &|row| row.agree.into()),
    ];
    of_places(Table::from_rows("errors", &validation.errors, &columns), validation.errors.iter().map(|row| row.place))
}

/// Returns the best models, each with every other one; alone where there is no other.
pub(super) fn rivals(validation: &Validation) -> Vec<(&Best, Option<&Rival>)> {
    let alone = validation.best.iter().filter(|best| best.rivals.is_empty()).map(|best| (best, None));
    let beside = validation.best.iter().flat_map(|best| best.rivals.iter().map(move |rival| (best, Some(rival))));
    beside.chain(alone).collect()
}

/// Returns the table of the best model of each collective against each other one.
pub(super) fn best(validation: &Validation) -> Table {
    const RIVAL: Known = Known::text("rival", "another model", "hockney");
    const ITS: Known = Known::number("rival_median_error", "", "its median of |error|", "0.2");
    const EXCESS: Known = Known::interval("excess", "", "growth of |error| from the best model to the other", "0.1");
    const SURE: Known = Known::number(
        "excess_confidence",
        "",
        "confidence of that interval: all of a row's best hold together",
        "0.98",
    );
    const WORSE: Known = Known::flag("is_worse", "true if the other one is worse by more than chance");
    type RivalPair<'a> = (&'a Best, Option<&'a Rival>);
    let all = rivals(validation);
    let columns: [Filled<RivalPair>; 9] = [
        (columns::OPERATION.column(), &|(best, _)| collective(best.collective)),
        (columns::MODEL.column(), &|(best, _)| best.model.as_str().into()),
        (MEDIAN.column().without_limits(), &|(best, _)| best.median.into()),
        (RIVAL.headed("other"), &|(_, rival)| rival.map(|rival| rival.model.as_str()).into()),
        (ITS.column(), &|(_, rival)| rival.map(|rival| rival.median).into()),
        (EXCESS.headed("|error| larger by").shown(Style::Change), &|(_, rival)| rival.map(|one| one.excess).into()),
        (SURE.column(), &|(best, _)| (1.0 - (1.0 - super::CONFIDENCE) / best.rivals.len().max(1) as f64).into()),
        (CASES.column(), &|(_, rival)| rival.map(|rival| rival.cases).into()),
        (WORSE.column(), &|(_, rival)| rival.map(Rival::is_worse).into()),
    ];
    of_places(Table::from_rows("best", &all, &columns), all.iter().map(|(best, _)| best.place))
}

/// Returns the table of the cases that each model misses most.
pub(super) fn worst(validation: &Validation) -> Table {
    const REASONS: Known = Known::text("reasons", "reasons that the data show, the likeliest first", "");
    let columns: [Filled<Worst>; 5] = [
        (columns::MODEL.column(), &|worst| worst.row.model.as_str().into()),
        (columns::PREDICTED.headed("predicted"), &|worst| worst.row.predicted_us.into()),
        (columns::MEASURED.headed("measured"), &|worst| worst.row.measured_us.into()),
        (columns::ERROR.column().without_limits().shown(Style::Change), &|worst| worst.row.error.into()),
        (REASONS.column(), &|worst| worst.reasons.join("; ").into()),
    ];
    let cases = validation.worst.iter().map(|worst| worst.row.case.clone());
    of_cases(Table::from_rows("worst", &validation.worst, &columns), cases)
}

/// Returns every length at which a library chose.
pub(super) fn lengths(validation: &Validation) -> Vec<(&LibraryCase, &Identification)> {
    validation.library.iter().flat_map(|case| case.lengths.iter().map(move |length| (case, length))).collect()
}

/// Returns the table of the algorithms that libraries appear to use.
pub(super) fn library(validation: &Validation) -> Table {
    const BY_MEASUREMENT: Known = Known::text("by_measurement", "algorithm whose measured times the library has", "");
    const BY_PREDICTION: Known = Known::text("by_prediction", "algorithm whose predicted times the library has", "");
    const SAYS: Known = Known::text("table", "algorithm of the library's decision table", "binomial");
    const RULE: Known = Known::text("rule", "rule of that table", "");
    const AGREEMENT: Known =
        Known::text("agreement", "`agrees`, `possible`, `contradicts`, or `not measured`", "agrees");
    type Of<'a> = (&'a LibraryCase, &'a Identification);
    let all = lengths(validation);
    let agreement = |length: &Identification| match length.comparable() {
        None => "not measured",
        Some((found, table)) if !found.holds(table) => "contradicts",
        Some((Identified::Undecided(_), _)) => "possible",
        Some(_) => "agrees",
    };
    let whole = |found: &Option<Identified>| Cell::from(found.as_ref().map(Identified::whole));
    let columns: [Filled<Of>; 9] = [
        (columns::RANKS.column(), &|(case, _)| case.ranks.into()),
        (columns::OPERATION.column(), &|(case, _)| case.collective.name().into()),
        (columns::BYTES.headed("bytes"), &|(_, length)| length.bytes.into()),
        (columns::TIME.headed("measured"), &|(_, length)| length.us.into()),
        (BY_MEASUREMENT.column(), &|(_, length)| whole(&length.by_measurement)),
        (BY_PREDICTION.column(), &|(_, length)| whole(&length.by_prediction)),
        (SAYS.column(), &|(_, length)| length.table.clone().into()),
        (RULE.column(), &|(_, length)| length.rule.clone().into()),
        (AGREEMENT.headed("table"), &|(_, length)| agreement(length).into()),
    ];
    of_places(Table::from_rows("library", &all, &columns), all.iter().map(|(case, _)| case.place))
}

/// Returns counts of how algorithms that are known to run are recognised.
pub(super) fn confusion(validation: &Validation) -> Table {
    const PREDICTED: Known = Known::flag("predicted_curves", "true if by predicted curves, false if by measured ones");
    const LENGTHS: Known = Known::integer("lengths", "", "lengths that were judged", "6");
    const RIGHT: Known = Known::integer("right", "", "lengths at which it was recognised", "5");
    const UNDECIDED: Known = Known::integer("undecided", "", "lengths at which it is among the likely ones", "1");
    const WRONG: Known = Known::integer("wrong", "", "lengths at which others were named", "0");
    const TAKEN_FOR: Known = Known::text("taken_for", "these others, with how often", "chain 1×");
    let taken = |found: &Confusion| {
        let names = found.wrong.iter().map(|(name, times)| format!("{name} {times}×"));
        names.collect::<Vec<_>>().join(", ")
    };
    let columns: [Filled<Confusion>; 8] = [
        (columns::OPERATION.column().unseen(), &|found| found.collective.name().into()),
        (columns::ALGORITHM.column().unseen(), &|found| found.known.as_str().into()),
        (PREDICTED.column().unseen(), &|found| found.by_prediction.into()),
        (LENGTHS.column(), &|found| found.all().into()),
        (RIGHT.column(), &|found| found.right.into()),
        (UNDECIDED.column(), &|found| found.undecided.into()),
        (WRONG.column(), &|found| found.wrong.iter().map(|(_, times)| times).sum::<usize>().into()),
        (TAKEN_FOR.headed("taken for"), &|found| taken(found).into()),
    ];
    let places = validation.confusion.iter().map(|found| found.place);
    of_places(Table::from_rows("confusion", &validation.confusion, &columns), places)
}

/// Returns the table of the errors of fits on the lengths that they used and on the others.
pub(super) fn held_out(validation: &Validation) -> Table {
    const FITTED_TO: Known =
        Known::text("fitted_to", "calibrated lengths that parameters were fitted to", "every other");
    const JUDGED: Known = Known::text("judged_on", "`messages` or `collectives`", "messages");
    let columns: [Filled<FitError>; 4] = [
        (columns::MACHINE.column(), &|fit| fit.machine.as_str().into()),
        (columns::MODEL.column(), &|fit| fit.model.as_str().into()),
        (FITTED_TO.headed("fitted to"), &|fit| fit.trained.words().into()),
        (JUDGED.column(), &|fit| fit.judged.name().into()),
    ];
    let names = ["inside", "outside"].iter().flat_map(|side| {
        ["median", "ninety", "worst", "count"].map(|what| {
            columns::named(format!("{side}_{what}"), if what == "count" { Kind::Integer } else { Kind::Number })
        })
    });
    let spread = |of: Option<Spread>| {
        of.map_or([const { Cell::None }; 4], |of| {
            [of.median.into(), of.ninety.into(), of.worst.into(), of.count.into()]
        })
    };
    let cells = validation.held_out.iter().map(|fit| [spread(fit.inside), spread(fit.outside)].concat());
    Table::from_rows("held_out", &validation.held_out, &columns).with_columns(4, names, cells)
}

/// Returns the errors that remain with each kind of knowledge beside messages.
pub(super) fn refined(all: &[&Refined]) -> Table {
    const KNOWN: Known = Known::text("known", "kinds of knowledge beside messages, up to this one", "calls");
    const MEAN_LOG: Known = Known::number("mean_log", "", "mean of |ln(predicted ÷ measured)|", "0.2");
    let columns: [Filled<&Refined>; 6] = [
        (KNOWN.headed("also known"), &|one| one.extent.words().into()),
        (columns::MODEL.column().unseen(), &|one| one.model.as_str().into()),
        (CASES.column(), &|one| one.cases.into()),
        (magnitude(MEDIAN, "median").without_limits(), &|one| one.median.into()),
        (magnitude(NINETY, "90 % below").without_limits(), &|one| one.ninety.into()),
        (MEAN_LOG.column().unseen(), &|one| one.mean_log.into()),
    ];
    of_places(Table::from_rows("refined", all, &columns), all.iter().map(|one| one.place))
}

/// Returns the table of the differences of cases from launch to launch.
fn repeats(all: &[Repeats]) -> Table {
    const MEDIAN: Known = Known::number("median", "", "slowest ÷ fastest launch − 1: median over cases", "0.05");
    const NINETY: Known = Known::number("ninety", "", "the same: 90 % quantile", "0.2");
    let columns: [Filled<Repeats>; 3] = [
        (CASES.column(), &|one| one.cases.into()),
        (MEDIAN.column(), &|one| one.median.into()),
        (NINETY.column(), &|one| one.ninety.into()),
    ];
    of_places(Table::from_rows("repeats", all, &columns), all.iter().map(|one| one.place))
}

/// Returns the basis of the identification of algorithms.
fn evidence(validation: &Validation) -> Table {
    const SCALE: Known = Known::number("scale", "", "standard deviation of ln of two launches' ratio", "0.05");
    const PAIRS: Known = Known::integer("pairs", "", "pairs of launches behind it; 0: it is assumed", "4");
    const OF_MODEL: Known = Known::number("model_scale", "", "standard deviation of ln(predicted ÷ measured)", "0.2");
    let model = |of: &super::Evidence| of.model.as_ref().map(|(model, _)| model.clone());
    let columns: [Filled<super::Evidence>; 4] = [
        (SCALE.column(), &|of| of.scale.into()),
        (PAIRS.column(), &|of| of.pairs.into()),
        (columns::MODEL.column(), &|of| model(of).into()),
        (OF_MODEL.column(), &|of| of.model.as_ref().map(|(_, scale)| *scale).into()),
    ];
    let all = &validation.evidence;
    of_places(Table::from_rows("evidence", all, &columns), all.iter().map(|of| of.place))
}

/// Returns the table of the measurements behind the rows.
fn measurements(measured: &[MeasuredCase]) -> Table {
    const BOUND: Known = Known::number("clock_bound_us", "µs", "largest error of any rank's clock", "0.3");
    const FAULTS: Known = Known::integer("page_faults", "", "pages that a rank was given in each call, at most", "96");
    const RAN_BY: Known = Known::text("ran_by", "library, host and clock", "MPICH 4.1 on node1");
    const RULE: Known = Known::text("rule", "rule of the library's decision table", "");
    let columns: [Filled<MeasuredCase>; 4] = [
        (BOUND.column(), &|one| one.clock_bound_us.into()),
        (FAULTS.column(), &|one| one.page_faults.iter().max().copied().into()),
        (RAN_BY.column(), &|one| one.ran_by.as_str().into()),
        (RULE.column(), &|one| one.rule.clone().into()),
    ];
    of_cases(Table::from_rows("measurements", measured, &columns), measured.iter().map(|one| one.case.clone()))
}

/// Returns the table of the median of each launch.
fn launches(measured: &[MeasuredCase]) -> Table {
    let all: Vec<(&MeasuredCase, (u32, f64))> =
        measured.iter().flat_map(|one| one.launches.iter().map(move |launch| (one, *launch))).collect();
    let columns: [Filled<(&MeasuredCase, (u32, f64))>; 2] = [
        (columns::LAUNCH.column(), &|(_, (launch, _))| (launch + 1).into()),
        (columns::TIME.column(), &|(_, (_, us))| (*us).into()),
    ];
    of_cases(Table::from_rows("launches", &all, &columns), all.iter().map(|(one, _)| one.case.clone()))
}

/// Returns the table of the machine's states: that of the rows, and the others with their times over it.
fn states(validation: &Validation) -> Table {
    const OVER: Known = Known::number("over_held", "", "median of its times over those of the rows' state", "1.4");
    let held = validation.held_against.state.map(|state| (state, None, Some(1.0)));
    let others = validation.held_against.others.iter().map(|other| (other.state, Some(other.cases), other.ratio));
    type Met = (MetState, Option<usize>, Option<f64>);
    let all: Vec<Met> = held.into_iter().chain(others).collect();
    let columns: [Filled<Met>; 4] = [
        (columns::LINE_NS.column(), &|(state, ..)| state.line_ns.into()),
        (columns::SLOWER.column(), &|(state, ..)| state.slower.into()),
        (CASES.column(), &|(_, cases, _)| (*cases).into()),
        (OVER.column(), &|(.., ratio)| (*ratio).into()),
    ];
    Table::from_rows("states", &all, &columns)
}

/// Returns the table of the parameters of the calibrated machines, each with its unit in its name.
fn parameters(validation: &Validation) -> Table {
    let all = validation.machines.iter();
    let all: Vec<(&str, (String, Estimate))> =
        all.flat_map(|machine| estimates(machine).into_iter().map(|one| (machine.name.as_str(), one))).collect();
    let columns: [Filled<(&str, (String, Estimate))>; 3] = [
        (columns::MACHINE.column(), &|(machine, _)| (*machine).into()),
        (columns::PARAMETER.column(), &|(_, (parameter, _))| parameter.as_str().into()),
        (columns::VALUE.column(), &|(_, (_, value))| (*value).into()),
    ];
    Table::from_rows("parameters", &all, &columns)
}

/// Returns the table of the calibrated machines, each with its whole file.
fn machines(validation: &Validation) -> Table {
    const FILE: Known = Known::text("machine_file", "the machine's file as text", "");
    let columns: [Filled<Machine>; 5] = [
        (columns::MACHINE.column(), &|machine| machine.name.as_str().into()),
        (columns::MACHINE_HOST.column(), &|machine| machine.provenance.host.as_str().into()),
        (columns::words("machine_date"), &|machine| machine.provenance.date.as_str().into()),
        (columns::CONFIDENCE.column(), &|machine| machine.provenance.confidence.into()),
        (FILE.column(), &|machine| machine.text().into()),
    ];
    Table::from_rows("machines", &validation.machines, &columns)
}

impl Results for Validation {
    fn answer(&self) -> String {
        page::first_sentence(self)
    }

    fn notes(&self) -> Vec<String> {
        let warnings = self.places().into_iter().flat_map(|place| page::warnings(self, place));
        page::details(self).into_iter().chain(warnings).chain(self.left_out.iter().cloned()).collect()
    }

    fn page(&self) -> Page {
        page::page(self)
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        let refined: Vec<&Refined> = self.refined.iter().collect();
        let judged = [errors(self), best(self), worst(self), library(self), confusion(self), evidence(self)];
        let measured = [measurements(&self.measured), launches(&self.measured), states(self), repeats(&self.repeats)];
        let machines = [self::refined(&refined), held_out(self), parameters(self), machines(self)];
        let environment = environment_of(&self.environment);
        judged.into_iter().chain(measured).chain(machines).chain([environment]).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![
            ("question", self.question.as_str().into()),
            ("seed", self.seed.into()),
            ("models", self.models.join(",").into()),
            ("confidence", super::CONFIDENCE.into()),
            ("method", self.held_against.method.map(|method| method.name()).into()),
            ("unclear_blocks", self.held_against.unclear.into()),
        ]
    }

    fn whence(&self) -> Option<Whence> {
        Some(Whence::from_facts(&self.environment))
    }

    fn terminal(&self, look: Look) -> String {
        page::terminal(self, look)
    }
}

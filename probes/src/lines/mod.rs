//! The way of a cache line from core to core, for all pairs of cores, once or over time: classes found by the data,
//! with the number and the length of their visits, in one sentence, as a table, as CSV and JSON.

mod files;
mod sentence;
#[cfg(test)]
mod tests;

use calibration::states::{Class, class_of, classes_of};
use files::work;
use programs::machine::PairLook;
use render::data::{self, View};
use render::page::{Figure, Section, Table};
use render::plots::{Pairs, heat_map};
use render::summary::Summary;
use sentence::percent;
use statistics::median;

/// Pair of cores, over all its looks.
#[derive(Clone, Debug, PartialEq)]
pub struct CorePair {
    /// Numbers of the cores, the lower first.
    pub cores: [usize; 2],
    /// Median of its looks, in ns.
    pub line_ns: f64,
    /// Class of the median, by its place among all; `None` where it is not clear.
    pub class: Option<usize>,
    /// Number of looks at the pair.
    pub looks: usize,
    /// Number of looks of no clear class.
    pub unclear: usize,
    /// Number of changes of the class from one clear look to the next clear one.
    pub changes: usize,
}

/// Figures of a class over all looks.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassSeen {
    /// Name of the class: `near`, `far`, …
    pub name: String,
    /// Median of its densest looks, in ns.
    pub line_ns: f64,
    /// Share of the class in all looks.
    pub share: f64,
    /// Number of runs of looks of the class, of any pair, without another class between.
    pub visits: usize,
    /// Median length of these runs from their first to their last look, in s. The true runs are longer at both ends.
    pub median_visit_s: f64,
    /// Length of the longest run, in s.
    pub longest_visit_s: f64,
}

/// Looks at the lines between cores, with their evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Numbers of the cores, in order.
    pub cores: Vec<usize>,
    /// Duration of repeated looks, in s; `None` if each pair was looked at a few times at once.
    pub for_s: Option<f64>,
    /// Looks in the order of time.
    pub looks: Vec<PairLook>,
    /// Pairs of cores with their figures.
    pub pairs: Vec<CorePair>,
    /// Classes that were found, the nearest first.
    pub seen: Vec<ClassSeen>,
    classes: Vec<Class>,
}

impl Lines {
    /// Evaluates looks at the pairs of these cores.
    pub fn from_looks(cores: Vec<usize>, looks: Vec<PairLook>, for_s: Option<f64>) -> Lines {
        let all = || cores.iter().enumerate().flat_map(|(nth, &one)| cores[nth + 1..].iter().map(move |&to| [one, to]));
        let ns: Vec<f64> = looks.iter().map(|look| look.line_ns).collect();
        let classes = classes_of(&ns, looks.len() / all().count().max(1));
        let of = |cores: [usize; 2]| looks.iter().filter(move |look| look.cores == cores);
        let pairs: Vec<CorePair> = all().filter_map(|cores| pair(cores, of(cores), &classes)).collect();
        let seen = seen(&looks, &pairs, &classes);
        Lines { cores, for_s, looks, pairs, seen, classes }
    }

    /// Returns the class of a look, by its place among all.
    fn class(&self, look: &PairLook) -> Option<usize> {
        class_of(look.line_ns, &self.classes)
    }

    /// Returns the name of a class, or `unclear` for `None`.
    fn name(&self, class: Option<usize>) -> &str {
        class.map_or("unclear", |class| &self.seen[class].name)
    }

    /// Returns the medians of all pairs.
    pub fn matrix(&self) -> Pairs {
        let mut matrix = Pairs::new("core", self.cores.clone(), "ns", 1);
        let place = |core: usize| self.cores.iter().position(|&known| known == core).unwrap_or(0);
        for pair in &self.pairs {
            matrix.put(place(pair.cores[0]), place(pair.cores[1]), pair.line_ns);
        }
        matrix
    }

    /// Returns the duration of the same work on each core: the median of its looks, in ns.
    pub fn works(&self) -> Vec<(usize, f64)> {
        let of = |core: usize| {
            let both = |look: &PairLook| [(look.cores[0], look.work_ns[0]), (look.cores[1], look.work_ns[1])];
            let own = self.looks.iter().flat_map(both).filter(|(found, _)| *found == core);
            middle(own.map(|(_, ns)| ns))
        };
        self.cores.iter().filter_map(|&core| Some((core, of(core)?))).collect()
    }
}

/// Summarises lines, with tables and a picture in files of their own.
pub(crate) fn summary(lines: &Lines) -> Summary {
    let (title, sentence) = ("A cache line from core to core", lines.sentence());
    let drawing = heat_map(&lines.matrix(), title, std::slice::from_ref(&sentence));
    let [pairs, looks, classes, work] = [files::pairs(lines), files::looks(lines), files::classes(lines), work(lines)];
    let svg = drawing.to_string();
    let section = Section::new("Every pair of cores")
        .with_paragraphs(["How long a cache line takes from core to core (half a round trip, median)"])
        .with_figures([Figure::new("lines", title, drawing, pairs.clone())])
        .with_tables(matrix(lines).into_iter().chain(over_time(lines, &classes)));
    let works = lines.works().into_iter().map(|(core, ns)| format!("core {core}: {ns:.0}")).collect::<Vec<_>>();
    let works = Section::new("Time that a core takes for the same work in registers, ns")
        .with_paragraphs(works.chunks(8).map(|eight| eight.join("  ")));
    let mut summary =
        Summary::new(format!("{sentence}."), Vec::new(), section, [pairs.clone(), looks.clone(), classes, work]);
    summary.page.sections.push(works);
    Summary {
        facts: vec![("for_s", lines.for_s.into()), ("unclear_share", lines.unclear_share().into())],
        kept: vec![("lines.csv", pairs), ("looks.csv", looks)],
        files: vec![("lines.svg".to_owned(), svg)],
        ..summary
    }
}

/// Returns the medians of all pairs with the names of their classes.
fn matrix(lines: &Lines) -> Option<Table> {
    let class = |from: usize, to: usize| {
        let (one, other) = (lines.cores[from], lines.cores[to]);
        let cores = [one.min(other), one.max(other)];
        lines.pairs.iter().find(|pair| pair.cores == cores).and_then(|pair| pair.class)
    };
    lines.matrix().laid_out(|from, to| lines.name(class(from, to)).to_owned())
}

/// Returns the table of classes where looks were repeated over time.
fn over_time(lines: &Lines, classes: &data::Table) -> Option<Table> {
    let unclear = format!("unclear: {} of looks", percent(lines.unclear_share()));
    lines.for_s.map(|_| View::new(classes).captioned("Classes").whole().noting(vec![unclear]).laid_out())
}

fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    median(&values.collect::<Vec<f64>>())
}

fn pair<'a>(
    cores: [usize; 2],
    looks: impl Iterator<Item = &'a PairLook> + Clone,
    classes: &[Class],
) -> Option<CorePair> {
    let line_ns = middle(looks.clone().map(|look| look.line_ns))?;
    let found: Vec<Option<usize>> = looks.map(|look| class_of(look.line_ns, classes)).collect();
    let clear: Vec<usize> = found.iter().copied().flatten().collect();
    Some(CorePair {
        cores,
        line_ns,
        class: class_of(line_ns, classes),
        looks: found.len(),
        unclear: found.len() - clear.len(),
        changes: clear.windows(2).filter(|two| two[0] != two[1]).count(),
    })
}

/// Returns the shares and visits of all classes.
fn seen(looks: &[PairLook], pairs: &[CorePair], classes: &[Class]) -> Vec<ClassSeen> {
    let mut lasted: Vec<Vec<f64>> = vec![Vec::new(); classes.len()];
    for pair in pairs {
        let mut run: Option<(usize, f64, f64)> = None;
        for look in looks.iter().filter(|look| look.cores == pair.cores) {
            let Some(class) = class_of(look.line_ns, classes) else { continue };
            match &mut run {
                Some((known, _, end)) if *known == class => *end = look.at_s,
                _ => {
                    if let Some((known, begin, end)) = run.replace((class, look.at_s, look.at_s)) {
                        lasted[known].push(end - begin);
                    }
                }
            }
        }
        if let Some((known, begin, end)) = run {
            lasted[known].push(end - begin);
        }
    }
    let of = |(place, class): (usize, &Class)| ClassSeen {
        name: name(place, classes.len()),
        line_ns: class.middle,
        share: class.values as f64 / looks.len().max(1) as f64,
        visits: lasted[place].len(),
        median_visit_s: middle(lasted[place].iter().copied()).unwrap_or(0.0),
        longest_visit_s: lasted[place].iter().copied().fold(0.0, f64::max),
    };
    classes.iter().enumerate().map(of).collect()
}

/// Returns the name of a class by its place among this number of classes.
fn name(place: usize, classes: usize) -> String {
    match (place, classes) {
        (0, 1) => "single".to_owned(),
        (0, _) => "near".to_owned(),
        (_, 2..) if place + 1 == classes => "far".to_owned(),
        (1, 3) => "middle".to_owned(),
        _ => format!("middle {place}"),
    }
}

//! Results of `parallax doctor`.

use campaign::doctor::{Diagnosis, Finding, Level};
use models::names::counted;
use render::columns;
use render::data::{Cell, Filled, Table};
use render::page::{Page, Section};
use render::results::Results;

/// The diagnosis of this machine.
pub struct Diagnosed(pub Diagnosis);

impl Diagnosed {
    fn count(&self, level: Level) -> usize {
        self.0.sections.iter().flat_map(|section| &section.findings).filter(|finding| finding.level == level).count()
    }
}

/// Returns the line of a finding with a sign for its level, and below it a line with the remedy.
fn lines(finding: &Finding) -> impl Iterator<Item = (String, String)> {
    let sign = match finding.level {
        Level::Ok => "✓",
        Level::Note => "•",
        Level::Problem => "✗",
    };
    let to_do = finding.to_do.iter().map(|to_do| ("→".to_owned(), to_do.clone()));
    [(format!("{sign} {}", finding.about), finding.says.clone())].into_iter().chain(to_do)
}

impl Results for Diagnosed {
    fn answer(&self) -> String {
        let count = |level, one| match self.count(level) {
            0 => format!("no {one}s"),
            some => counted(some, one),
        };
        let worlds = match self.0.worlds.as_slice() {
            [] => "Nothing can be measured here; predictions work.".to_owned(),
            [only] => format!("Ranks can be measured here in one world: {only}."),
            [first @ .., last] => {
                format!("Ranks can be measured here in these worlds: {} and {last}.", first.join(", "))
            }
        };
        format!("{worlds} {}, {}.", count(Level::Problem, "problem"), count(Level::Note, "note"))
            .replace(". no ", ". No ")
    }

    fn page(&self) -> Page {
        let section = |section: &campaign::doctor::Section| {
            Section::new(section.title).with_facts(section.findings.iter().flat_map(lines))
        };
        Page {
            question: "Is this machine ready?".to_owned(),
            answer: self.answer(),
            sections: self.0.sections.iter().map(section).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let sections = self.0.sections.iter();
        let all: Vec<(&str, &Finding)> =
            sections.flat_map(|section| section.findings.iter().map(move |finding| (section.title, finding))).collect();
        let columns: [Filled<(&str, &Finding)>; 5] = [
            (columns::DOCTOR_SECTION.column(), &|(section, _)| (*section).into()),
            (columns::LEVEL.column(), &|(_, finding)| finding.level.name().into()),
            (columns::ABOUT.column(), &|(_, finding)| finding.about.into()),
            (columns::SAYS.column(), &|(_, finding)| finding.says.as_str().into()),
            (columns::TO_DO.column(), &|(_, finding)| finding.to_do.clone().into()),
        ];
        Table::from_rows("findings", &all, &columns)
    }

    fn others(&self) -> Vec<Table> {
        let columns: [Filled<&str>; 1] = [(columns::WORLD.column(), &|world| (*world).into())];
        vec![Table::from_rows("worlds", &self.0.worlds, &columns)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("problems", self.count(Level::Problem).into()), ("remarks", self.count(Level::Note).into())]
    }
}

//! Source of `MPI_Wtime` by library and version: a table, and its comparison with the findings of ranks.

use crate::clock::{Begins, ClockConclusions, Follows, ReportCard};
use crate::library::Library;
use crate::release::Release;

/// Known properties of a library's `MPI_Wtime`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WtimeProperties {
    /// Library whose function it is.
    pub library: Library,
    /// First and last version that was examined.
    pub versions: [Release; 2],
    /// Clock that the function follows.
    pub follows: Follows,
    /// Instant at which it was 0.
    pub begins: Begins,
    /// Value of the attribute `MPI_WTIME_IS_GLOBAL`.
    pub says_global: bool,
    /// Source of this knowledge.
    pub source: &'static str,
}

/// Known properties of all libraries.
pub static KNOWN: [WtimeProperties; 3] = [
    WtimeProperties {
        library: Library::OPENMPI,
        versions: [Release(4, 1, 4), Release(5, 0, 11)],
        follows: Follows::Monotonic,
        begins: Begins::OwnStart,
        says_global: false,
        source: "`ompi/mpi/c/wtime.c`: from the first reading on in 4.1, from `MPI_Init` on in 5.0; seen in 4.1.4 and 5.0.11",
    },
    WtimeProperties {
        library: Library::MPICH,
        versions: [Release(4, 0, 0), Release(5, 0, 2)],
        follows: Follows::Wall,
        begins: Begins::FullHour,
        says_global: false,
        source: "seen in 4.0.2, 4.1.3, 4.3.2 and 5.0.2: the wall clock less a whole number of hours",
    },
    WtimeProperties {
        library: Library::INTELMPI,
        versions: [Release(2021, 18, 0), Release(2021, 18, 0)],
        follows: Follows::Counter,
        begins: Begins::Boot,
        says_global: true,
        source: "seen in 2021.18: some ppm of the time since the machine started lie between ranks of one host",
    },
];

impl WtimeProperties {
    /// Properties of a version of a library; `None` for a version that was not examined.
    pub fn find(library: Library, version: &str) -> Option<&'static WtimeProperties> {
        let version = Release::parse(version)?;
        let is_it = |known: &&WtimeProperties| {
            known.library == library && (known.versions[0]..=known.versions[1]).contains(&version)
        };
        KNOWN.iter().find(is_it)
    }

    /// Text `4.1.4 to 5.0.11`, or one version.
    pub fn of_versions(&self) -> String {
        let [first, last] = self.versions;
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    }

    /// Points in which the ranks' findings differ from the table, each as a sentence without its end.
    fn doubts(&self, found: &ClockConclusions, says_global: bool) -> Vec<String> {
        let mut doubts = Vec::new();
        if !found.follows.contains(&self.follows) {
            doubts.push(format!("it follows {}", self.follows));
        }
        if found.begins != Some(self.begins) {
            doubts.push(format!("it counts from {} on", self.begins));
        }
        if says_global != self.says_global {
            doubts.push(format!("it says {}", words_of_global(self.says_global)));
        }
        doubts
    }
}

fn words_of_global(says: bool) -> &'static str {
    if says { "that it is global" } else { "that each process has its own" }
}

/// Statements on a library's `MPI_Wtime`, from the findings of ranks and the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Description of its clock as ranks found it, in one sentence.
    pub says: String,
    /// Warnings about the function, or about the table, in sentences.
    pub beware: Vec<String>,
}

impl Told {
    /// Statements on a library in a version, from the findings of its ranks and the value of its attribute.
    pub fn from_findings(library: Library, version: &str, found: &ClockConclusions, says_global: bool) -> Told {
        let title = library.title;
        let says = format!("MPI_Wtime of {title} {version} {}.", found.words());
        let mut beware = Vec::new();
        if says_global && found.differs() {
            beware.push(
                "It says that it is global (MPI_WTIME_IS_GLOBAL), which is not true: times of different ranks cannot be compared.".to_owned(),
            );
        }
        match WtimeProperties::find(library, version) {
            None => beware.push(format!("Version {version} is not in the table of what MPI_Wtime reads.")),
            Some(known) => {
                let doubts = known.doubts(found, says_global);
                if !doubts.is_empty() {
                    beware.push(format!(
                        "The table says otherwise of {title} {}: {}.",
                        known.of_versions(),
                        doubts.join(", and ")
                    ));
                }
            }
        }
        Told { says, beware }
    }

    /// All statements, a line each.
    pub fn lines(self) -> impl Iterator<Item = String> {
        std::iter::once(self.says).chain(self.beware)
    }

    /// Statements on the clock of a report card, where it is `MPI_Wtime` and its ranks examined it.
    pub fn of_card(card: &ReportCard) -> Option<Told> {
        let processes = card.processes.as_ref()?;
        let ran = |library: Library| Some((library, Release::behind(library.title, &processes.ran_by)?));
        let (library, version) = Library::all().find_map(ran)?;
        Some(Told::from_findings(
            library,
            &version.to_string(),
            &ClockConclusions::from_ranks(&processes.ranks)?,
            processes.says_global,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(follows: &[Follows], begins: Option<Begins>, apart_us: f64) -> ClockConclusions {
        ClockConclusions {
            follows: follows.to_vec(),
            begins,
            apart_us: Some(apart_us),
            error_us: 0.1,
            rates_ppm: [0.0, 0.0],
        }
    }

    #[test]
    fn what_is_found_is_held_against_the_table() {
        let monotonic = found(&[Follows::Monotonic, Follows::Raw], Some(Begins::OwnStart), 52.0);
        let counter = found(&[Follows::Counter], Some(Begins::Boot), 46_798.9);
        let told = [
            Told::from_findings(Library::OPENMPI, "5.0.11", &monotonic, false),
            Told::from_findings(Library::OPENMPI, "4.1.4", &counter, true),
            Told::from_findings(Library::INTELMPI, "2021.18", &counter, true),
            Told::from_findings(Library::MPICH, "6.0.0", &found(&[Follows::Wall], None, 0.0), false),
        ];
        assert!(told[0].beware.is_empty() && told[1].beware.len() == 2);
        insta::assert_snapshot!(told.map(|Told { says, beware }| format!("{says}\n{}", beware.join("\n"))).join("\n"));
    }

    #[test]
    fn versions_between_those_that_were_looked_at_are_known() {
        let known = |version| WtimeProperties::find(Library::MPICH, version).map(|known| known.begins);
        assert_eq!((known("4.2.0"), known("3.4.3"), known("")), (Some(Begins::FullHour), None, None));
        assert_eq!(KNOWN[2].of_versions(), "2021.18.0");
    }
}

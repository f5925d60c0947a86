//! Origin of rows: the campaign, the time of its start, the host, and the library. Every CSV of a campaign ends with
//! these columns.

use crate::groups::distinct;
use crate::table::Csv;
use ::csv::{Reader, StringRecord};
use models::library::Release;

/// Heads of the origin's columns, which come last.
pub const HEADS: [&str; 4] = ["campaign", "date", "host", "library"];

/// Origin of rows; unknown facts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whence {
    campaign: String,
    date: String,
    host: String,
    /// Name of a world, and its library with the version.
    libraries: Vec<(&'static str, String)>,
}

impl Whence {
    /// Reads the origin from the facts of an environment, as [`scenario::store::facts`] returns them.
    pub fn from_facts(facts: &[(String, String)]) -> Whence {
        let fact = |label: &str| {
            let found = facts.iter().find(|(known, _)| known.eq_ignore_ascii_case(label));
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        // Labels and values are like `Open MPI 5.0.11, library` and `Open MPI 5.0.11, MPI 3.1`.
        let library = |(label, value): &(String, String)| {
            let release = Release::titled(label.strip_suffix(", library")?)?;
            let version = value.split(", MPI ").next().unwrap_or_default().to_owned();
            (!version.is_empty()).then_some((release.name(), version))
        };
        Whence {
            campaign: fact("campaign"),
            date: fact("started"),
            host: fact("host"),
            libraries: facts.iter().filter_map(library).collect(),
        }
    }

    /// Returns the cells of a row of this world. Where rows state no world, the library is given only if there is a
    /// single one.
    pub fn cells(&self, world: Option<&str>) -> [String; HEADS.len()] {
        let of = |known: &str| self.libraries.iter().find(|(name, _)| *name == known).map(|(_, version)| version);
        let library = match (world, &self.libraries[..]) {
            (Some(world), _) => of(world).cloned(),
            (None, [(_, only)]) => Some(only.clone()),
            (None, _) => None,
        };
        [self.campaign.clone(), self.date.clone(), self.host.clone(), library.unwrap_or_default()]
    }

    /// Returns the cells of a result to which all worlds contribute.
    pub fn cells_of_all(&self) -> [String; HEADS.len()] {
        let all = distinct(self.libraries.iter().map(|(_, version)| version.as_str())).join(" | ");
        [self.campaign.clone(), self.date.clone(), self.host.clone(), all]
    }

    /// Returns a CSV with these columns at the end of every row, unless it has them already.
    pub fn stamped(&self, csv: &str) -> String {
        let mut reader = Reader::from_reader(csv.as_bytes());
        let Ok(heads) = reader.headers().cloned() else { return csv.to_owned() };
        if HEADS.iter().all(|head| heads.iter().any(|known| known == *head)) {
            return csv.to_owned();
        }
        let world = heads.iter().position(|head| head == "world");
        let with = |record: &StringRecord, more: [String; HEADS.len()]| {
            record.iter().map(str::to_owned).chain(more).collect::<Vec<String>>()
        };
        let rows: Vec<StringRecord> = reader.records().map_while(Result::ok).collect();
        let rows = rows.iter().map(|row| with(row, self.cells(world.and_then(|place| row.get(place)))));
        Csv::new(with(&heads, HEADS.map(str::to_owned))).rows(rows).text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_its_campaign_and_the_library_of_its_world() {
        let facts = [
            ("campaign", "m-1"),
            ("started", "2026-11-21T07:30:00Z"),
            ("Host", "node1"),
            ("MPICH, library", "MPICH 4.1, MPI 4.0"),
        ];
        let whence = Whence::from_facts(&facts.map(|(label, value)| (label.to_owned(), value.to_owned())));
        let expected = "world,n,campaign,date,host,library\n\"a,b\",1,m-1,2026-11-21T07:30:00Z,node1,\n\
                        mpich,2,m-1,2026-11-21T07:30:00Z,node1,MPICH 4.1\n";
        assert_eq!(whence.stamped("world,n\n\"a,b\",1\nmpich,2\n"), expected);
        let alone = "n,campaign,date,host,library\n1,m-1,2026-11-21T07:30:00Z,node1,MPICH 4.1\n";
        assert_eq!(whence.stamped("n\n1\n"), alone);
        assert_eq!(Whence::default().stamped("n\n1\n"), "n,campaign,date,host,library\n1,,,,\n");
    }
}

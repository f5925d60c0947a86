//! Origin of rows: the campaign, the time of its start, the host, and the library. Every CSV of a campaign ends with
//! these columns.

use crate::groups::distinct;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;
    use crate::data::{Cell, Table};

    #[test]
    fn every_row_says_its_campaign_and_the_library_of_its_world() {
        let facts = [
            ("campaign", "m-1"),
            ("started", "2026-11-21T07:30:00Z"),
            ("Host", "node1"),
            ("MPICH, library", "MPICH 4.1, MPI 4.0"),
        ];
        let whence = Whence::from_facts(&facts.map(|(label, value)| (label.to_owned(), value.to_owned())));
        let table = |world: bool| {
            let world = world.then(|| columns::WORLD.column());
            let rows = [vec!["a,b".into(), 1_u32.into()], vec!["mpich".into(), 2_u32.into()]];
            let rows = rows.map(|row: Vec<Cell>| row[usize::from(world.is_none())..].to_vec());
            Table::new("rows", world.into_iter().chain([columns::RANK.column()]), rows)
        };
        let expected = "world,rank,campaign,date,host,library\n\"a,b\",1,m-1,2026-11-21T07:30:00Z,node1,\n\
                        mpich,2,m-1,2026-11-21T07:30:00Z,node1,MPICH 4.1\n";
        assert_eq!(table(true).csv(Some(&whence)), expected);
        let alone = "rank,campaign,date,host,library\n1,m-1,2026-11-21T07:30:00Z,node1,MPICH 4.1\n";
        assert!(table(false).csv(Some(&whence)).starts_with(alone));
        assert!(table(false).csv(Some(&Whence::default())).ends_with("\n2,,,,\n"));
    }
}

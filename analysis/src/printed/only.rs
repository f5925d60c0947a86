//! Selection of published rows: `system=leonardo,ranks=256`.

use super::job;
use models::collective::Collective;
use published::PublishedRow;
use scenario::BadInput;

models::named! {
    /// Property by which rows are selected.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Key {
        /// Name of the machine.
        System => "system",
        /// Part of the job's time.
        Run => "run",
        /// Number of a test in its job.
        Test => "test",
        /// Number of ranks, in decimal.
        Ranks => "ranks",
        /// Nodes as published: a number, or the shape of a torus.
        Nodes => "nodes",
        /// Name of the collective.
        Collective => "collective",
        /// Part of the algorithm's published name.
        Algorithm => "algorithm",
        /// Part of the library's name and version.
        Library => "library",
    }
    /// The name used in flags.
    fn name;
    find("key");
}

/// Conditions that rows must meet to be taken; without conditions all rows are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only(Vec<(Key, String)>);

impl Only {
    /// Reads `KEY=VALUE,…`.
    ///
    /// # Errors
    /// Names the form that is expected in place of a part that cannot be read.
    pub fn parse(text: &str) -> Result<Only, String> {
        let mut all: Vec<(Key, String)> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let names = Key::ALL.map(Key::name).join(", ");
            let (name, value) =
                part.split_once('=').map(|(name, value)| (name.trim(), value.trim())).unwrap_or_default();
            if value.is_empty() {
                return Err(format!("expected KEY=VALUE,… with the keys {names}, found '{part}'"));
            }
            let key = Key::find(name)?;
            if all.iter().any(|(known, _)| *known == key) {
                return Err(format!("{name} is named twice; name each key once"));
            }
            all.push((key, checked(key, value)?));
        }
        Ok(Only(all))
    }

    /// Returns those rows of a file that are taken.
    ///
    /// # Errors
    /// Lists the jobs of the file, if no row is taken.
    pub(crate) fn select_rows(&self, rows: Vec<PublishedRow>, file: &str) -> Result<Vec<PublishedRow>, BadInput> {
        if rows.iter().any(|row| self.takes(row)) || self.0.is_empty() {
            return Ok(rows.into_iter().filter(|row| self.takes(row)).collect());
        }
        let jobs = job::describe_jobs(&rows);
        Err(BadInput(format!("--only: none of {} rows of {file} is that; there are:\n{jobs}", rows.len())))
    }

    fn takes(&self, row: &PublishedRow) -> bool {
        let is = |number: Option<u32>, value: &str| number.is_some_and(|number| number.to_string() == value);
        self.0.iter().all(|(key, value)| match key {
            Key::System => row.system == *value,
            Key::Run => row.run.contains(value),
            Key::Test => is(row.test, value),
            Key::Ranks => is(row.ranks, value),
            Key::Nodes => row.shape == *value || is(row.nodes, value),
            Key::Collective => row.collective.is_some_and(|collective| collective.name() == value),
            Key::Algorithm => row.algorithm.contains(value),
            Key::Library => format!("{} {}", row.library, row.version).contains(value),
        })
    }
}

/// Returns a value in the form in which it is compared; the error names the expected values.
fn checked(key: Key, value: &str) -> Result<String, String> {
    match key {
        Key::Test | Key::Ranks => {
            let number: u32 =
                value.parse().map_err(|_| format!("{}: expected a number, found '{value}'", key.name()))?;
            Ok(number.to_string())
        }
        Key::Collective => Collective::find(value).map(|collective| collective.name().to_owned()),
        Key::System | Key::Run | Key::Nodes | Key::Algorithm | Key::Library => Ok(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_taken_where_all_keys_fit() {
        let mut row = PublishedRow::default();
        row.system = "alpha".to_owned();
        row.run = "2025_04_04___18_21_29".to_owned();
        row.test = Some(3);
        row.shape = "2x2x2".to_owned();
        row.nodes = Some(8);
        row.ranks = Some(8);
        row.collective = Some(Collective::ReduceScatter);
        row.library = "OMPI".to_owned();
        row.version = "4.1.6".to_owned();
        row.algorithm = "ring_ompi".to_owned();
        let takes = |text: &str| Only::parse(text).unwrap().takes(&row);
        for text in [
            "system=alpha, run=2025_04_04",
            "test=3,ranks=8,nodes=8",
            "nodes=2x2x2",
            "collective=reduce-scatter,algorithm=ring,library=OMPI 4.1",
        ] {
            assert!(takes(text), "{text}");
        }
        for text in ["system=alph", "run=2025_04_05", "test=0", "ranks=16", "nodes=4", "collective=bcast"] {
            assert!(!takes(text), "{text}");
        }
        assert!(!takes("system=alpha,algorithm=bine"), "all keys must fit");
        assert!(Only::default().takes(&row));
    }

    #[test]
    fn what_is_no_key_or_no_value_is_refused() {
        let said = |text: &str| Only::parse(text).unwrap_err();
        assert!(said("systen=a").contains("did you mean system?"), "{}", said("systen=a"));
        assert!(said("ranks=many").contains("expected a number"));
        assert!(said("leonardo").contains("KEY=VALUE"));
        assert!(said("system=").contains("KEY=VALUE"));
        assert!(said("run=a,run=b").contains("twice"));
        assert!(said("collective=broadcast").contains("known"));
    }
}

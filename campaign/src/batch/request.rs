//! Requirements of a job on its batch system, beyond ranks and nodes.

use super::Dialect;
use super::time::Limit;
use scenario::BadInput;

/// Requirements for which every system has a flag of its own.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Time limit of the job, if there is one.
    pub time: Option<Limit>,
    /// Partition of Slurm, or queue of PBS and Flux.
    pub partition: Option<String>,
    /// Account to which the job is charged, or bank of Flux.
    pub account: Option<String>,
    /// Constraint on the nodes, in the system's own syntax.
    pub constraint: Option<String>,
    /// Further directives for the batch system, unchanged.
    pub options: Vec<String>,
}

impl Request {
    /// Returns the directives of a script, followed by the further ones.
    ///
    /// # Errors
    /// Fails if a further directive repeats one of the script.
    pub(super) fn added_to(&self, mut directives: Vec<String>, dialect: &Dialect) -> Result<Vec<String>, BadInput> {
        for option in &self.options {
            if let Some(other) = directives.iter().find(|other| dialect.head(other) == dialect.head(option)) {
                return Err(BadInput(format!(
                    "--option {option}: the script already contains {other}; expected an option that no other flag of \
                     batch sets"
                )));
            }
            directives.push(option.clone());
        }
        Ok(directives)
    }
}

impl Dialect {
    /// Returns the subject of a directive: its flag in the long form, and for PBS's `-l` also the resource.
    fn head<'a>(&self, directive: &'a str) -> (&'a str, &'a str) {
        let end = directive.find([' ', '=']).unwrap_or(directive.len());
        let (flag, value) = directive.split_at(end);
        let flag = self.short.iter().find(|(short, _)| *short == flag).map_or(flag, |(_, long)| long);
        let of_resource = |value: &'a str| value.trim_start().split('=').next().unwrap_or_default();
        (flag, if flag == "-l" { of_resource(value) } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{pbs, slurm};
    use super::*;

    #[test]
    fn directives_that_say_the_same_are_recognised() {
        let same = |dialect: &Dialect, one: &str, other: &str| dialect.head(one) == dialect.head(other);
        assert!(same(&slurm::DIALECT, "--nodes=4", "-N 2"));
        assert!(same(&slurm::DIALECT, "--exclusive", "--exclusive=user"));
        assert!(!same(&slurm::DIALECT, "--nodes=4", "--nodelist=a"));
        assert!(same(&pbs::DIALECT, "-l select=2", "-l select=3:ncpus=1"));
        assert!(!same(&pbs::DIALECT, "-l select=2", "-l walltime=1:00"));
    }
}

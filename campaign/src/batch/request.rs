//! What a job asks its batch system for, beyond ranks and nodes.

use super::Dialect;
use super::time::Limit;
use scenario::BadInput;

/// What every system has a word of its own for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The most time the job may take.
    pub time: Option<Limit>,
    /// The partition of Slurm, the queue of PBS and Flux.
    pub partition: Option<String>,
    /// The account that the job is charged to; the bank of Flux.
    pub account: Option<String>,
    /// What nodes must have.
    pub constraint: Option<String>,
    /// Further lines for the batch system, as they are.
    pub options: Vec<String>,
}

impl Request {
    /// The directives of a script with the further ones behind them.
    ///
    /// # Errors
    /// A further one says again what the script says already.
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
    /// What a directive is about: its flag in the long form, of PBS's `-l` with the resource.
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

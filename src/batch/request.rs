//! What a job asks its batch system for, beyond ranks and nodes.

use super::Dialect;
use super::time::Limit;
use scenario::BadInput;

/// Flags of `parallax batch` that every system has a word of its own for.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Request {
    /// The most time the job may take, as hours:minutes:seconds; it goes on when submitted again [default: the system's]
    #[arg(long, value_name = "HH:MM:SS")]
    pub time: Option<Limit>,
    /// The partition of Slurm, the queue of PBS and Flux [default: the system's]
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub partition: Option<String>,
    /// The account that the job is charged to; the bank of Flux [default: the system's]
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub account: Option<String>,
    /// What nodes must have: a constraint of Slurm, like rome, requirements of Flux, or a resource of PBS, like model=rome
    #[arg(long, value_name = "TEXT", value_parser = word)]
    pub constraint: Option<String>,
    /// A further line for the batch system, as it is: --option --qos=debug; may be given several times
    #[arg(long = "option", value_name = "TEXT", value_parser = line, allow_hyphen_values = true)]
    pub options: Vec<String>,
}

/// A value that stands in a directive without quotes.
fn word(text: &str) -> Result<String, String> {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !"'\"\\`$#".contains(c));
    if plain { Ok(text.to_owned()) } else { Err("expected one word without quotes".to_owned()) }
}

fn line(text: &str) -> Result<String, String> {
    let plain = text.starts_with('-') && !text.chars().any(char::is_control);
    if plain { Ok(text.to_owned()) } else { Err("expected one line that begins with -, like --qos=debug".to_owned()) }
}

impl Request {
    /// The directives of a script with the further ones behind them.
    ///
    /// # Errors
    /// A further one says again what the script says already.
    pub fn added_to(&self, mut directives: Vec<String>, dialect: &Dialect) -> Result<Vec<String>, BadInput> {
        for option in &self.options {
            if let Some(other) = directives.iter().find(|other| dialect.head(other) == dialect.head(option)) {
                return Err(BadInput(format!(
                    "--option {option}: the script says {other} already; expected what no other flag of batch says"
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

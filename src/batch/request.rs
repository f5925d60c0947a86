//! Requirements of a job on its batch system, beyond ranks and nodes.

use campaign::batch::{Limit, Request};

/// Flags of `parallax batch` that every system has a word of its own for.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct RequestFlags {
    /// Time limit of the job, as hours:minutes:seconds; a job that is submitted again resumes [default: the system's]
    #[arg(long, value_name = "HH:MM:SS")]
    time: Option<Limit>,
    /// Partition (Slurm) or queue (PBS, Flux) [default: the system's]
    #[arg(long, value_name = "NAME", value_parser = word)]
    partition: Option<String>,
    /// Account to charge; for Flux, the bank [default: the system's]
    #[arg(long, value_name = "NAME", value_parser = word)]
    account: Option<String>,
    /// Required node features: a constraint of Slurm, like rome, requirements of Flux, or a resource of PBS, like
    /// model=rome
    #[arg(long, value_name = "TEXT", value_parser = word)]
    constraint: Option<String>,
    /// Additional option for the batch system, passed unchanged: --option --qos=debug; may be repeated
    #[arg(long = "option", value_name = "TEXT", value_parser = line, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Reads a value that needs no quotes in a directive.
fn word(text: &str) -> Result<String, String> {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !"'\"\\`$#".contains(c));
    if plain { Ok(text.to_owned()) } else { Err("expected one word without quotes".to_owned()) }
}

fn line(text: &str) -> Result<String, String> {
    let plain = text.starts_with('-') && !text.chars().any(char::is_control);
    if plain { Ok(text.to_owned()) } else { Err("expected one line that begins with -, like --qos=debug".to_owned()) }
}

impl RequestFlags {
    /// Returns the requirements that the flags express.
    pub fn request(&self) -> Request {
        Request {
            time: self.time,
            partition: self.partition.clone(),
            account: self.account.clone(),
            constraint: self.constraint.clone(),
            options: self.options.clone(),
        }
    }
}

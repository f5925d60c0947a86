//! Tables of algorithms in the forms that MPI libraries read.

mod intel;
mod mpich;
mod openmpi;
#[cfg(test)]
mod tests;

pub use mpich::built_in;

use models::call::Call;
use models::collective::Collective;
use models::library::Library;
use models::names::quoted;
use models::world::World;
use std::path::Path;

/// Lengths with one algorithm, for one operation on a number of ranks. All other lengths and numbers of ranks are left to
/// the library's own choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Collective that is called.
    pub collective: Collective,
    /// Form of the call.
    pub call: Call,
    /// Number of ranks of the communicator.
    pub ranks: u32,
    /// Pieces in ascending lengths, which do not overlap.
    pub pieces: Vec<Piece>,
}

/// Lengths with one algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Shortest length, in bytes of one rank's buffer, or of a block.
    pub from_bytes: u64,
    /// First length above it that is no longer meant; `None` where all longer ones are.
    pub below_bytes: Option<u64>,
    /// The library's name of the algorithm.
    pub algorithm: String,
    /// Length of segments, in bytes; 0 for whole messages.
    pub segment_bytes: u64,
}

/// A table as a library reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Name and text of each file.
    pub files: Vec<(String, String)>,
    /// Variables with which ranks must be started, in order.
    pub environment: Vec<(String, String)>,
    /// Sentences on entries that the library's form cannot hold.
    pub left_out: Vec<String>,
}

/// The library that reads a table, and where its ranks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// World of the ranks.
    pub world: World,
    /// Number of hosts of the ranks.
    pub hosts: u32,
    /// Whether all operators of reductions commute: some algorithms combine in another order than that of the ranks, and a
    /// table of Open MPI's names them for any operator.
    pub commuting: bool,
}

/// Where a table of a library can change the algorithm of an operation along the lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// At any length, also back to the library's own choice.
    Anywhere,
    /// At any length, but the library's own choice is no entry: a table has entries for all lengths, or none.
    WithoutOwnChoice,
    /// Nowhere: one algorithm is taken for all lengths, or none.
    Nowhere,
}

/// Form in which a library reads tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    OpenMpi,
    Mpich,
    Intel,
}

impl Target {
    fn form(self) -> Option<Form> {
        let forms =
            [(Library::OPENMPI, Form::OpenMpi), (Library::MPICH, Form::Mpich), (Library::INTELMPI, Form::Intel)];
        let library = self.world.library()?;
        forms.into_iter().find(|(known, _)| *known == library).map(|(_, form)| form)
    }

    /// Whether a table can have an algorithm of a call, by the library's name.
    pub fn can_hold(self, collective: Collective, call: &Call, algorithm: &str) -> bool {
        let has_number = || models::forced::number(self.world, collective, call, algorithm).is_some();
        match self.form() {
            Some(Form::OpenMpi) => {
                let is_safe = self.commuting || !openmpi::reorders(collective, algorithm);
                openmpi::reads(collective, call) && is_safe && has_number()
            }
            Some(Form::Mpich) => mpich::can_hold(collective, call, algorithm),
            Some(Form::Intel) => has_number(),
            None => false,
        }
    }

    /// Returns where a table can change the algorithm of a call: nowhere for a library whose form is not known.
    pub fn split(self, collective: Collective, call: &Call) -> Split {
        match self.form() {
            Some(Form::OpenMpi) => openmpi::split(self, collective, call),
            Some(Form::Mpich) => mpich::split(collective),
            Some(Form::Intel) => intel::split(call),
            None => Split::Nowhere,
        }
    }

    /// Returns a table in the form of the library, for files whose names begin with `name` in `folder`. `built_in` is the
    /// text of MPICH's own table ([`built_in`]).
    ///
    /// # Errors
    /// Fails for a library whose form is not known, and for MPICH without its own table.
    pub fn written(
        self,
        entries: &[Entry],
        (folder, name): (&Path, &str),
        built_in: Option<&str>,
    ) -> Result<Written, String> {
        let title = self.world.title();
        let mut written = match self.form() {
            Some(Form::OpenMpi) => openmpi::written(self, entries, (folder, name)),
            Some(Form::Mpich) => {
                let built_in = built_in.ok_or_else(|| {
                    format!("{title} reads a whole table only, and its own was not found in its shared library")
                })?;
                mpich::written(entries, (folder, name), built_in)?
            }
            Some(Form::Intel) => intel::written(self.world, entries)?,
            None => {
                return Err(format!("the form of {title}'s tables is not known; expected openmpi, mpich or intelmpi"));
            }
        };
        if written.environment.is_empty() {
            return Ok(written);
        }
        let variables = written.environment.iter().map(|(name, value)| format!("{name}='{value}'\n"));
        let text = format!(
            "# {title}: variables for ranks, as by (set -a; . {0}; mpirun ...) in a shell\n{1}{2}",
            quoted(&folder.join(environment_file(name)).to_string_lossy()),
            written.left_out.iter().map(|why| format!("{LEFT_OUT}{why}\n")).collect::<String>(),
            variables.collect::<String>()
        );
        written.files.push((environment_file(name), text));
        Ok(written)
    }
}

/// Beginning of the lines of a file of variables that say what a table could not have.
const LEFT_OUT: &str = "# Note: ";

/// Returns the sentences on what a table could not have, from the text of its file of variables.
pub fn notes(environment: &str) -> impl Iterator<Item = &str> {
    environment.lines().filter_map(|line| line.strip_prefix(LEFT_OUT))
}

/// Whether a library chooses algorithms by a variable of this name.
pub fn chooses(variable: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|begin| variable.starts_with(begin));
    let names = |all: &[&str]| all.iter().any(|part| variable.contains(part));
    begins(&["OMPI_MCA_coll_tuned_", "I_MPI_ADJUST_", "I_MPI_TUNING_BIN"])
        || begins(&["OMPI_MCA_coll_"]) && names(&["_algorithm", "_dynamic", "_module"])
        || begins(&["MPIR_CVAR_", "MPICH_"]) && names(&["_COLL_SELECTION_", "_ALGORITHM", "_DEVICE_COLLECTIVE"])
}

/// Name of the file with the variables of a tuning.
pub fn environment_file(name: &str) -> String {
    format!("{name}.env")
}

/// Operation as the libraries' variables and files name it: `reduce_scatter_block`.
fn operation(entry: &Entry) -> String {
    entry.call.name(entry.collective).replace('-', "_")
}

/// Bytes of all blocks together, where the library counts them together.
fn of_all_ranks(bytes: u64, ranks: u32) -> u64 {
    bytes.saturating_mul(u64::from(ranks))
}

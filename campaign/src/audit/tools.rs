//! Benchmarks that can be audited: their programs, the flags to run them with, and their places.

use crate::launch::{Library, is_program, listed, places_listed};
use models::collective::Collective;
use models::library::Interface;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

models::named! {
    /// Benchmark suite that can be audited.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Tool {
        /// OSU Micro-Benchmarks, which have a program for each collective.
        Osu => "OSU",
        /// Intel MPI Benchmarks, whose program is IMB-MPI1.
        Imb => "IMB",
    }
    /// Returns the usual name of the suite.
    fn title;
}

/// Way to run a benchmark: common flags, apart from those that select the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Flags of this way. Empty for the defaults, as most people run it.
    pub flags: &'static [&'static str],
}

/// Program of a benchmark, with the operations that it measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// File name of the program.
    pub name: &'static str,
    /// Operations that one launch of the program measures.
    pub operations: Vec<Collective>,
}

impl Tool {
    /// Returns the benchmark of this name in flags.
    pub(super) fn find(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.title().to_lowercase() == name)
    }

    /// Returns the ways to run it: first with the defaults, then with flags that are said to improve it.
    pub fn ways(self) -> Vec<Way> {
        let ways: &[&[&str]] = match self {
            // README of OMB 7.4: -f also prints the least and the largest. -x and -i are the numbers of calls before
            // and in the timed loop.
            Tool::Osu => &[&[], &["-f", "-x", "1000", "-i", "10000"]],
            // IMB's user guide: -sync off removes the barrier between calls, -root_shift on changes the root with every
            // call, -imb_barrier on uses IMB's own barrier, -off_cache -1 cycles through memory.
            Tool::Imb => {
                &[&[], &["-imb_barrier", "on"], &["-sync", "off"], &["-root_shift", "on"], &["-off_cache", "-1"]]
            }
        };
        ways.iter().map(|flags| Way { flags }).collect()
    }

    /// Returns the suite's name of an operation, which is a program for OSU and a benchmark for IMB. `None` if the
    /// suite does not have it.
    pub fn name_of(self, collective: Collective) -> Option<&'static str> {
        let (osu, imb) = match collective {
            Collective::Bcast => ("osu_bcast", "Bcast"),
            Collective::Reduce => ("osu_reduce", "Reduce"),
            Collective::Barrier => ("osu_barrier", "Barrier"),
            Collective::Allreduce => ("osu_allreduce", "Allreduce"),
            Collective::Gather => ("osu_gather", "Gather"),
            Collective::Scatter => ("osu_scatter", "Scatter"),
            Collective::Allgather => ("osu_allgather", "Allgather"),
            Collective::Alltoall => ("osu_alltoall", "Alltoall"),
            Collective::ReduceScatter => ("osu_reduce_scatter", "Reduce_scatter"),
            Collective::Scan | Collective::Exscan => return None,
        };
        Some(match self {
            Tool::Osu => osu,
            Tool::Imb => imb,
        })
    }

    /// Returns the programs that measure these operations.
    pub fn programs(self, operations: &[Collective]) -> Vec<Program> {
        let known: Vec<(Collective, &'static str)> =
            operations.iter().filter_map(|&of| Some((of, self.name_of(of)?))).collect();
        match self {
            Tool::Osu => known.into_iter().map(|(of, name)| Program { name, operations: vec![of] }).collect(),
            Tool::Imb if known.is_empty() => Vec::new(),
            Tool::Imb => vec![Program { name: "IMB-MPI1", operations: known.into_iter().map(|(of, _)| of).collect() }],
        }
    }

    /// Returns the flags that select a program's measurement. `lengths` is the path of a file with a length on each
    /// line.
    pub fn arguments(self, program: &Program, bytes: (u64, u64), ranks: u32, lengths: &Path) -> Vec<String> {
        match self {
            Tool::Osu if program.operations == [Collective::Barrier] => Vec::new(),
            Tool::Osu => vec!["-m".to_owned(), format!("{}:{}", bytes.0, bytes.1)],
            Tool::Imb => {
                let names = program.operations.iter().filter_map(|&of| self.name_of(of));
                let mut all: Vec<String> = names.map(str::to_owned).collect();
                all.extend(["-npmin".to_owned(), ranks.to_string()]);
                all.extend(["-msglen".to_owned(), lengths.display().to_string()]);
                all
            }
        }
    }
}

/// Folders of an installation or a build that may contain programs.
const INSIDE: [&str; 9] = [
    "",
    "bin",
    "src_cpp",
    "collective",
    "mpi/collective",
    "mpi/collective/blocking",
    "c/mpi/collective/blocking",
    "libexec/osu-micro-benchmarks/mpi/collective",
    "libexec/osu-micro-benchmarks/mpi/collective/blocking",
];

/// Returns the program of this name that runs with a library. It is looked for in the named places (programs, or
/// folders of programs), then on PATH.
pub fn find(name: &str, library: Library, named: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = named.iter().flat_map(|place| {
        let folder = if place.is_file() { place.parent().unwrap_or(Path::new(".")) } else { place };
        INSIDE.iter().map(|inside| folder.join(inside)).collect::<Vec<_>>()
    });
    let mut seen = BTreeSet::new();
    let mut files = folders.chain(std::env::split_paths(&path)).map(|folder| folder.join(name));
    files.find(|file| seen.insert(file.clone()) && is_program(file) && runs_with(file, library))
}

/// Whether a program runs with a library: the loader of shared libraries links it with that library, or with an
/// interface of its kind for which the loader finds no file, so that the launch's own search path decides.
fn runs_with(program: &Path, library: Library) -> bool {
    listed(program).is_some_and(|listed| is_linked(&listed, library, |file| std::fs::read(file).ok()))
}

/// Returns the MPI interface that a program is linked with. `None` if there is none.
pub fn interface(program: &Path) -> Option<Interface> {
    Interface::of_linked(&listed(program)?)
}

/// Whether the program with this loader's list runs with a library. `read` reads a file. MPICH, Intel MPI and others
/// have the same interfaces and file names, so the file itself is searched for the words that `MPI_Get_library_version`
/// returns.
fn is_linked(listed: &str, library: Library, read: impl Fn(&str) -> Option<Vec<u8>>) -> bool {
    let Some(interface) = Interface::of_linked(listed) else { return false };
    let place = places_listed(listed).find(|(name, _)| name.starts_with("libmpi")).map(|(_, place)| place);
    if place == Some("not found") {
        return library.kin.interfaces().contains(&interface);
    }
    let bytes = place.and_then(read).unwrap_or_default();
    let says = |library: &Library| memchr::memmem::find(&bytes, library.library_says.as_bytes()).is_some();
    let first = || Library::all().find(|library| library.kin.interfaces()[0] == interface);
    Library::all().find(says).or_else(first) == Some(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_s_library_is_told_by_its_shared_libraries() {
        let intel = Library::find("intelmpi").expect("in the table");
        let of = |name: &str, place: &str, says: Option<&str>| {
            let listed = format!("\tlinux-vdso.so.1 (0x1)\n\t{name} => {place}\n\tlibc.so.6 => /lib/c (0x3)\n");
            let read = |file: &str| {
                assert_eq!(format!("{file} (0x2)"), place);
                says.map(|words| format!("\u{7f}ELF…\0{words} 2021.18\0").into_bytes())
            };
            let all = Library::all().filter(|library| is_linked(&listed, *library, read));
            all.collect::<Vec<_>>()
        };
        let file = "/a/lib/libmpi.so.12 (0x2)";
        assert_eq!(of("libmpi.so.40", "/lib/libmpi.so.40 (0x2)", None), [Library::OPENMPI]);
        assert_eq!(of("libmpich.so.12", "/lib/libmpich.so.12 (0x2)", None), [Library::MPICH]);
        assert_eq!(of("libmpi.so.12", file, None), [Library::MPICH]);
        assert_eq!(of("libmpi.so.12", file, Some("MPICH Version:")), [Library::MPICH]);
        assert_eq!(of("libmpi.so.12", file, Some("Intel(R) MPI Library")), [intel], "whatever its folder is called");
        assert_eq!(of("libmpi.so.12", "not found", None), [Library::MPICH, intel], "the launch decides");
        let standard = "/a/lib/libmpi_abi.so.1 (0x2)";
        assert_eq!(of("libmpi_abi.so.1", standard, Some("Intel(R) MPI Library")), [intel]);
        assert_eq!(of("libmpi_abi.so.1", "not found", None).len(), Library::all().count(), "any may have it");
        assert_eq!(of("libm.so.6", "/lib/libm.so.6 (0x2)", None), []);
    }

    #[test]
    fn osu_has_a_program_for_each_operation_and_imb_one_for_all() {
        let operations = [Collective::Bcast, Collective::Allreduce, Collective::Scan];
        let names = |tool: Tool| tool.programs(&operations).iter().map(|program| program.name).collect::<Vec<_>>();
        assert_eq!(names(Tool::Osu), ["osu_bcast", "osu_allreduce"]);
        assert_eq!(names(Tool::Imb), ["IMB-MPI1"]);
        let imb = &Tool::Imb.programs(&operations)[0];
        let arguments = Tool::Imb.arguments(imb, (8, 64), 4, Path::new("/l"));
        assert_eq!(arguments.join(" "), "Bcast Allreduce -npmin 4 -msglen /l");
        let osu = &Tool::Osu.programs(&operations)[0];
        assert_eq!(Tool::Osu.arguments(osu, (8, 64), 4, Path::new("/l")).join(" "), "-m 8:64");
    }

    #[test]
    fn the_first_way_is_that_of_people() {
        for tool in [Tool::Osu, Tool::Imb] {
            assert!(tool.ways()[0].flags.is_empty() && tool.ways().len() > 1);
        }
    }
}

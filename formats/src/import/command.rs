//! Number of ranks, as command lines and files' names state it.

/// Beginnings of launchers' names that have many endings: `mpirun.openmpi`, `mpiexec_mpt`.
const KINS: [&str; 2] = ["mpirun", "mpiexec"];
/// Names of other launchers, without their folders.
const LAUNCHERS: [&str; 8] = ["orterun", "prterun", "prun", "srun", "aprun", "jsrun", "ibrun", "flux"];
/// Flags with the number of ranks.
const FLAGS: [&str; 6] = ["-n", "-np", "--n", "--np", "--ntasks", "-ntasks"];
/// Flags with the number of nodes.
const NODES: [&str; 2] = ["-N", "--nodes"];
/// Words of files' names that mark a number beside them as a count of ranks.
const IN_NAMES: [&str; 6] = ["np", "ntasks", "nranks", "ranks", "nprocs", "procs"];
/// Ending of names of benchmarks of accelerators.
const ENDING: &str = "_perf";
/// Beginnings of names of benchmarks.
const PROGRAMS: [&str; 6] = ["osu_", "IMB-", "imb-", "mpiperf", "mpibenchmark", "skampi"];

/// A command line that starts ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// Number of ranks, where the line states it.
    pub ranks: Option<u32>,
    /// Name of the benchmark that it starts itself, without its folder; `None` for a script, which may start several.
    pub program: Option<String>,
    /// Whether it stands in a loop of a shell.
    pub repeated: bool,
}

impl Command {
    /// Whether it starts a benchmark itself, once.
    pub(super) fn is_one(&self) -> bool {
        self.program.is_some() && !self.repeated
    }
}

/// Finds the command in a line: a launcher's name with a flag or a benchmark behind it, at any place, such as after a
/// prompt or in an echo of a shell.
pub(super) fn command(line: &str) -> Option<Command> {
    let bare = |word: &str| word.trim_matches(['`', '"', '\'', '$', '(', ')', ';']).to_owned();
    let words: Vec<String> = line.split_whitespace().map(bare).collect();
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let is_launcher = |word: &String| {
        let name = base(word);
        let is_known = LAUNCHERS.contains(&name.as_str()) || KINS.iter().any(|kin| name.starts_with(kin));
        is_known && !word.ends_with(':')
    };
    let (before, behind) = words.split_at(words.iter().position(is_launcher)?);
    let (repeated, behind) = (before.iter().any(|word| word == "do"), &behind[1..]);
    let is_program = |name: &String| PROGRAMS.iter().any(|begin| name.starts_with(begin)) || name.ends_with(ENDING);
    let program = behind.iter().map(|word| base(word)).find(is_program);
    let begins = behind.first().is_some_and(|word| word.starts_with('-') && word.len() > 1 || word == "run");
    // Several programs side by side have several numbers of ranks.
    let several = behind.iter().any(|word| word == ":");
    let of = |flags: &[&str], joined: &[&str]| {
        behind.iter().enumerate().find_map(|(place, word)| flag(word, behind.get(place + 1), flags, joined))
    };
    // srun starts as many ranks as nodes times ranks of a node.
    let placed = || of(&NODES, &["--nodes=", "-N"])?.checked_mul(of(&["--ntasks-per-node"], &["--ntasks-per-node="])?);
    let ranks = of(&FLAGS, &["--ntasks=", "--np=", "--n=", "-np", "-n"]).or_else(placed).filter(|_| !several);
    (begins || program.is_some() || ranks.is_some()).then_some(Command { ranks, program, repeated })
}

/// The number of one of these flags: `-np 2`, `-n2`, `--ntasks=2`.
fn flag(word: &str, next: Option<&String>, flags: &[&str], joined: &[&str]) -> Option<u32> {
    if flags.contains(&word) {
        return number(next?);
    }
    joined.iter().find_map(|flag| number(word.strip_prefix(flag)?))
}

/// Returns the number of ranks in a file's name, `osu_bcast.np2.txt`: np2, ntasks4, ranks8, 8ranks or 8procs between
/// characters that are no letters and no digits. Other words with a number (n5, p16) may be a host, a count of nodes or
/// a part, and do not count. `None` where several numbers disagree.
pub(super) fn ranks_in_name(file: &str) -> Option<u32> {
    let name = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
    let count = |word: &str| {
        let before = IN_NAMES.into_iter().find_map(|unit| number(word.strip_prefix(unit)?));
        let behind = || IN_NAMES.into_iter().find_map(|unit| number(word.strip_suffix(unit)?));
        before.or_else(behind).filter(|&ranks| ranks >= 2)
    };
    let mut found: Vec<u32> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(count).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn number(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten().filter(|&ranks| ranks >= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_found_in_commands() {
        for (line, ranks) in [
            ("$ mpirun -np 2 ./osu_latency", Some(Some(2))),
            ("[user@n1 ~]$ /opt/mpi/bin/mpiexec -n 16 -hosts a,b IMB-MPI1 Bcast", Some(Some(16))),
            ("### Running: srun -n2 -N2 -t00:8:00 --cpu_bind=none osu_latency", Some(Some(2))),
            ("+ srun --ntasks=64 osu_allreduce -i 100", Some(Some(64))),
            ("mpirun.openmpi --allow-run-as-root -np 4 ./script.sh", Some(Some(4))),
            ("mpiexec_mpt -ppn 2 -n 8 omplace -nt 32 ./IMB-MPI1 biband", Some(Some(8))),
            ("srun ./osu_bcast", Some(None)),
            ("srun --nodes=2 --ntasks-per-node=4 osu_bcast", Some(Some(8))),
            ("srun -N 3 --ntasks-per-node 2 osu_bcast", Some(Some(6))),
            ("srun -N 2 osu_bcast", Some(None)),
            ("mpirun -np 2 a : -np 4 b", Some(None)),
            ("mpirun noticed that process rank 3 exited", None),
            ("srun: job 42 queued and waiting for resources", None),
            ("# OSU MPI Latency Test v7.4", None),
            ("8      1.20", None),
        ] {
            assert_eq!(command(line).map(|found| found.ranks), ranks, "{line}");
        }
        assert!(command("mpirun -np 2 ./osu_latency").is_some_and(|found| found.is_one()));
        for several in ["mpirun -np 2 ./all.sh", "for i in 1 2; do mpirun -np 2 ./osu_latency; done"] {
            assert!(command(several).is_some_and(|found| !found.is_one() && found.ranks == Some(2)), "{several}");
        }
        let program = command("mpirun -np 2 ./build/all_gather_perf -b 8").and_then(|found| found.program);
        assert_eq!(program.as_deref(), Some("all_gather_perf"));
    }

    #[test]
    fn ranks_are_found_between_other_words_of_a_name() {
        for (name, ranks) in [
            ("runs/np8/osu.default.bcast.np2.r7.txt", Some(2)),
            ("imb-n4.txt", None),
            ("n5/osu.p16.txt", None),
            ("osu-16procs.txt", Some(16)),
            ("osu_nranks4_n2.txt", Some(4)),
            ("ranks8_osu.txt", Some(8)),
            ("bcast 16ranks.log", Some(16)),
            ("osu-NP16-16ranks.txt", Some(16)),
            ("osu-ntasks2-np16.txt", None),
            ("osu_np1.txt", None),
            ("snap2.txt", None),
            ("np2x.txt", None),
            ("standard input", None),
        ] {
            assert_eq!(ranks_in_name(name), ranks, "{name}");
        }
    }
}

//! What ranks send each other in a library's calls, as the kernel counts it on their TCP connections (`count.c`), against the messages of
//! the algorithm that the library is made to use.

use crate::common::command::{finish, parallax};
use models::call::Call;
use models::collective::{Algorithm, Collective, Shape};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Messages are this long: libfabric's provider for TCP acknowledges no message of up to 128 B. Four ranks cut it into equal parts.
pub const BYTES: u64 = 48;
/// Some algorithms need a power of two.
const RANKS: u32 = 4;
/// Connections are made in the first calls.
const FIRST: usize = 2;

/// Bytes from one rank to another.
type Pairs = BTreeMap<(usize, usize), u64>;

/// The library that counts, compiled into a folder; none where there is no compiler.
pub fn counter(folder: &TempDir) -> Option<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libraries/count.c");
    let counter = folder.path().join("count.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&counter).arg(source).arg("-ldl");
    match compiler.output() {
        Err(_) => {
            eprintln!("skipped: no cc here");
            None
        }
        Ok(done) => {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            Some(counter.to_str().unwrap().to_owned())
        }
    }
}

/// Has a library carry out an operation of [`BYTES`] by one of its algorithms, through TCP, and says what each pair sent in a call, and
/// how many bytes a message has beside its data.
pub fn counted(
    library: (&Path, &str),
    counter: &str,
    (operation, algorithm): (&str, &str),
    through_tcp: &[(&str, &str)],
) -> (Pairs, u64) {
    counted_of(library, counter, (operation, &format!("library:{algorithm}"), BYTES), through_tcp)
}

/// The same of any implementation and length.
pub fn counted_of(
    (prefix, world): (&Path, &str),
    counter: &str,
    (operation, algorithm, bytes): (&str, &str, u64),
    through_tcp: &[(&str, &str)],
) -> (Pairs, u64) {
    let folder = tempfile::tempdir().unwrap();
    let counts = folder.path().join("counts");
    std::fs::create_dir(&counts).unwrap();
    let mut command = parallax(&folder);
    command.env("LD_PRELOAD", counter).env("COUNT_FOLDER", &counts).envs(through_tcp.iter().copied());
    command.args(["measure", operation, "--mpi", prefix.to_str().unwrap(), "--world", world, "-q", "--method", "loop"]);
    command.args(["--algorithm", algorithm, "--bytes", &bytes.to_string()]);
    let few = ["--calls", "4", "--samples", "2", "--launches", "1", "--ranks", &RANKS.to_string()];
    let done = finish(command.args(few));
    assert_eq!(done.code, 0, "{world} {operation} {algorithm}: {done:?}");
    read(&counts, &operation.replace('-', "_"))
}

/// A rank's lines, word by word.
fn lines_of(counts: &Path, rank: usize, operation: &str) -> Vec<Vec<String>> {
    let files = std::fs::read_dir(counts).unwrap().map(|file| file.unwrap().path());
    let own = files.filter(|path| path.file_stem().is_some_and(|stem| stem.to_str() == Some(&rank.to_string())));
    // Ranks are started before the measurement, too, to say what they are.
    let texts = own.map(|path| std::fs::read_to_string(path).unwrap());
    let mut measured = texts.filter(|text| text.lines().any(|line| line.split(' ').next() == Some(operation)));
    let text = measured.next().expect("a process that was measured");
    assert_eq!(measured.next(), None, "one start");
    text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

fn read(counts: &Path, operation: &str) -> (Pairs, u64) {
    let ranks: Vec<_> = (0..RANKS as usize).map(|rank| lines_of(counts, rank, operation)).collect();
    // `LOCAL>PEER=BYTES`
    let entry = |word: &str| -> (String, u64) {
        let (connection, bytes) = word.split_once('=').unwrap();
        (connection.to_owned(), bytes.parse().unwrap())
    };
    let mut owners = BTreeMap::new();
    for (rank, lines) in ranks.iter().enumerate() {
        owners.extend(lines.iter().flat_map(|line| &line[2..]).map(|word| (entry(word).0, rank)));
    }
    let mut calls: Vec<Pairs> = Vec::new();
    let mut head = u64::MAX;
    for (rank, lines) in ranks.iter().enumerate() {
        for line in lines.iter().filter(|line| line[0] == "send" && ["0", "1"].contains(&line[1].as_str())) {
            // Of nothing, or of one element, which is a byte or more.
            let elements: u64 = line[1].parse().unwrap();
            head = line[2..].iter().map(|word| entry(word).1 - elements).fold(head, u64::min);
        }
        for (call, line) in lines.iter().filter(|line| line[0] == operation).enumerate() {
            calls.resize(calls.len().max(call + 1), Pairs::new());
            for (connection, bytes) in line[2..].iter().map(|word| entry(word)) {
                let (local, peer) = connection.split_once('>').unwrap();
                let to = owners[&format!("{peer}>{local}")];
                if to != rank {
                    *calls[call].entry((rank, to)).or_default() += bytes;
                }
            }
        }
    }
    let mut settled = calls.into_iter().skip(FIRST);
    let first = settled.next().expect("calls");
    let same = settled.clone().filter(|call| *call == first).count();
    assert!(same * 10 >= settled.len() * 9, "{operation}: one call as the other");
    (first, head)
}

/// What each pair sends under one of our algorithms, with so many bytes beside the data of each message.
pub fn expected((operation, algorithm, bytes): (&str, &str, u64), head: u64) -> Pairs {
    let (collective, _): (Collective, Call) = Call::find(operation).unwrap();
    let algorithm = Algorithm::find(collective, algorithm).unwrap();
    let shape = Shape::new(RANKS, 0, bytes);
    let mut pairs = Pairs::new();
    for rank in 0..RANKS {
        for (to, part) in algorithm.steps(&shape, rank).filter_map(|step| step.sent()) {
            *pairs.entry((rank as usize, to as usize)).or_default() += head + part.bytes;
        }
    }
    pairs
}

//! Linux's record of what CPUs do while ranks record: an instance of tracefs whose time stamps are readings of the
//! counter, and a thread that reads its events, once a second, into timelines of bounded memory.
//!
//! `Documentation/trace/ftrace.rst` and `events.rst` of the kernel describe the files.

mod pipe;

use crate::clock::{Counter, RealClock};
use pipe::{Pipe, watch};
use programs::detours::causes::{CHANGE_BYTES, Timeline};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;

/// Usual places of tracefs.
const ROOTS: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
/// Clock whose time stamps are the counter as rdtsc reads it.
const CLOCK: &str = "x86-tsc";
/// Events without which nothing can be attributed.
const NEEDED: [&str; 5] =
    ["sched:sched_switch", "irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry", "irq:softirq_exit"];
/// Prefix of the processor's own vectors, which not all kernels trace. Those that begin and end are wanted.
const VECTORS: &str = "irq_vectors:";
/// Prefix of the names of instances, followed by the number of the process.
const NAME: &str = "parallax-";
/// Options for the form of lines, and for keeping the newest events. An instance begins with what was last set in
/// tracefs itself.
const OPTIONS: [&str; 9] = [
    "noraw",
    "nohex",
    "nobin",
    "nofields",
    "nolatency-format",
    "context-info",
    "nostacktrace",
    "nouserstacktrace",
    "overwrite",
];
/// Size of the kernel's buffer of each CPU: some 50 000 events between two looks.
const BUFFER_KIB: u32 = 4_096;

/// Tracefs of this machine, with all that attribution needs.
#[derive(Clone, Debug)]
pub struct Tracefs {
    root: PathBuf,
    events: Vec<String>,
}

impl Tracefs {
    /// Finds tracefs at a place, or at the usual ones.
    ///
    /// # Errors
    ///
    /// Says what is missing: the file, what was expected, and what to do.
    pub fn find(place: Option<&Path>) -> Result<Tracefs, String> {
        if !cfg!(target_arch = "x86_64") {
            return Err("only x86 kernels stamp their events with the counter that ranks read; leave it out".to_owned());
        }
        Counter.trusted().map_err(|reason| format!("ranks cannot read the counter here, as {reason}; leave it out"))?;
        let usual = || ROOTS.iter().map(PathBuf::from).find(|root| root.join("trace_clock").exists());
        let root = place.map(Path::to_owned).or_else(usual).unwrap_or_else(|| PathBuf::from(ROOTS[0]));
        let clock = root.join("trace_clock");
        let clocks = read(&clock)?;
        if !clocks.split_whitespace().any(|name| name.trim_matches(['[', ']']) == CLOCK) {
            let (clock, found) = (clock.display(), clocks.trim());
            return Err(format!("{clock}: expected the clock {CLOCK} among '{found}'; a kernel for x86 has it"));
        }
        let available = root.join("available_events");
        let text = read(&available)?;
        let has = |event: &str| text.lines().any(|line| line.trim() == event);
        if let Some(missing) = NEEDED.iter().find(|event| !has(event)) {
            let available = available.display();
            return Err(format!("{available}: expected {missing} in it; a kernel with CONFIG_EVENT_TRACING has it"));
        }
        let is_wanted =
            |line: &&str| line.starts_with(VECTORS) && (line.ends_with("_entry") || line.ends_with("_exit"));
        let vectors = text.lines().map(str::trim).filter(is_wanted);
        let events = NEEDED.into_iter().chain(vectors).map(str::to_owned).collect();
        Ok(Tracefs { root, events })
    }

    /// Returns the folder of tracefs.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the kernel record what these CPUs do. Of each, `most_bytes` of changes are kept, from the reading of the
    /// counter that `begun` returns: the beginning of the first rank's recording, `None` before that.
    ///
    /// # Errors
    ///
    /// Says what cannot be made or written, and what to do.
    pub fn begin(
        &self,
        cpus: &[u32],
        most_bytes: u64,
        begun: impl Fn() -> Option<u64> + Send + 'static,
    ) -> Result<Tracing, String> {
        let instances = self.root.join("instances");
        remove_abandoned(&instances);
        let instance = Instance { folder: instances.join(format!("{NAME}{}", std::process::id())) };
        fs::create_dir(&instance.folder).map_err(|error| cannot("make", &instance.folder, &error))?;
        instance.write("trace_clock", CLOCK)?;
        instance.set_options()?;
        instance.write("tracing_cpumask", &mask(cpus))?;
        for cpu in cpus {
            instance.write_if_there(&format!("per_cpu/cpu{cpu}/buffer_size_kb"), &BUFFER_KIB.to_string())?;
        }
        instance.write("set_event", &self.events.join("\n"))?;
        let most = usize::try_from(most_bytes).unwrap_or(usize::MAX) / CHANGE_BYTES;
        let mut pipes: Vec<Pipe> = cpus.iter().map(|&cpu| Pipe::new(&instance.folder, cpu, most)).collect();
        for pipe in &mut pipes {
            pipe.open().map_err(|error| cannot("read", &pipe.path, &error))?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let reader = std::thread::Builder::new().name("parallax-trace".to_owned());
        let reader = reader.spawn(move || watch(pipes, &stopped, begun));
        let reader = reader.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Tracing { reader: Some(reader), stop, instance })
    }
}

/// Record of one CPU by the kernel.
#[derive(Debug)]
pub struct Traced {
    /// Timeline of what the CPU did.
    pub timeline: Timeline,
    /// Number of events that are missing.
    pub lost: u64,
}

/// Recording of the kernel under way. Dropping it removes what it set up.
#[derive(Debug)]
pub struct Tracing {
    reader: Option<JoinHandle<Vec<Pipe>>>,
    stop: Arc<AtomicBool>,
    instance: Instance,
}

impl Tracing {
    /// Ends the recording. Returns the record of each CPU.
    ///
    /// # Errors
    ///
    /// Names files of the kernel that were never there or could not be read.
    pub fn end(mut self) -> Result<BTreeMap<u32, Traced>, String> {
        self.instance.write("tracing_on", "0")?;
        let pipes = self.stop().ok_or("the thread that reads the kernel's events failed")?;
        let mut all = BTreeMap::new();
        for Pipe { cpu, path, file, timeline, error, .. } in pipes {
            if let Some(error) = error.or_else(|| file.is_none().then(|| ErrorKind::NotFound.into())) {
                return Err(cannot("read", &path, &error));
            }
            let stats = fs::read_to_string(path.with_file_name("stats")).unwrap_or_default();
            let lost = timeline.lost().max(counted(&stats, "overrun")) + counted(&stats, "dropped events");
            all.insert(cpu, Traced { timeline, lost });
        }
        Ok(all)
    }

    fn stop(&mut self) -> Option<Vec<Pipe>> {
        let reader = self.reader.take()?;
        self.stop.store(true, Relaxed);
        reader.thread().unpark();
        reader.join().ok()
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        // A reader keeps the instance from being removed.
        drop(self.stop());
    }
}

/// Folder of tracefs with buffers and settings of its own.
#[derive(Debug)]
struct Instance {
    folder: PathBuf,
}

impl Instance {
    fn write(&self, file: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(file);
        // The kernel takes the names of events one by one, each with a write of its own.
        let written = File::create(&path).and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|error| cannot("write", &path, &error))
    }

    /// Sets each option with a write of its own. The kernel refuses options that it does not know, as older ones do.
    fn set_options(&self) -> Result<(), String> {
        let path = self.folder.join("trace_options");
        let is_known = |set: &io::Result<()>| !set.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidInput);
        let set = File::create(&path).and_then(|mut file| {
            let all = OPTIONS.iter().map(|option| file.write_all(format!("{option}\n").as_bytes()));
            all.filter(is_known).collect()
        });
        set.map_err(|error| cannot("write", &path, &error))
    }

    fn write_if_there(&self, file: &str, text: &str) -> Result<(), String> {
        if self.folder.join(file).exists() { self.write(file, text) } else { Ok(()) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Removes an instance. Tracefs removes it with all in it. On another file system its content goes first.
fn remove(instance: &Path) {
    if fs::remove_dir(instance).is_err_and(|error| error.kind() == ErrorKind::DirectoryNotEmpty) {
        let _ = fs::remove_dir_all(instance);
    }
}

/// Removes instances of processes that were killed, one with this process's number among them. An instance that is
/// still read, by a process that is not seen from here, stays: the kernel sees to that.
fn remove_abandoned(instances: &Path) {
    for entry in fs::read_dir(instances).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(NAME)).and_then(|id| id.parse::<u32>().ok());
        let lives = |id: u32| id != std::process::id() && Path::new(&format!("/proc/{id}")).exists();
        if process.is_some_and(|id| !lives(id)) {
            remove(&entry.path());
        }
    }
}

/// Returns a set of CPUs as the kernel reads it: words of 32 bits in hexadecimal, the highest first.
fn mask(cpus: &[u32]) -> String {
    let mut words = vec![0_u32; 1 + cpus.iter().max().map_or(0, |&cpu| cpu as usize / 32)];
    cpus.iter().for_each(|&cpu| words[cpu as usize / 32] |= 1 << (cpu % 32));
    words.iter().rev().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(",")
}

/// Returns the sum of the kernel's counts under a name.
fn counted(stats: &str, name: &str) -> u64 {
    let counts = stats.lines().filter_map(|line| line.split_once(':')).filter(|(key, _)| key.trim() == name);
    counts.filter_map(|(_, count)| count.trim().parse::<u64>().ok()).sum()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| cannot("read", path, &error))
}

/// Returns the sentence that says what does not work, and what may help.
fn cannot(what: &str, path: &Path, error: &io::Error) -> String {
    let cure = match error.kind() {
        ErrorKind::PermissionDenied => "run as root, on a kernel that is not locked down",
        ErrorKind::NotFound => {
            "expected Linux's tracefs there (a kernel with CONFIG_FTRACE that is not locked down): mount it as root with \
             `mount -t tracefs nodev /sys/kernel/tracing`, or name its place with --attribute=FOLDER"
        }
        _ => "expected Linux's tracefs there, which root may change",
    };
    format!("cannot {what} {}: {error}; {cure}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_cpus_are_written_as_the_kernel_reads_them() {
        assert_eq!(mask(&[0, 3]), "00000009");
        assert_eq!(mask(&[33, 0]), "00000002,00000001");
    }

    #[test]
    fn what_the_kernel_counts_is_found_by_its_name() {
        let stats = "entries: 9\noverrun: 4\ncommit overrun: 7\nbytes: 1\noldest event ts: 12\ndropped events: 3\n";
        assert_eq!((counted(stats, "overrun"), counted(stats, "dropped events"), counted("", "overrun")), (4, 3, 0));
    }

    /// A folder with the files of tracefs that are read before anything is made.
    fn root(clocks: &str, events: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (file, text) in [("trace_clock", clocks), ("available_events", events)] {
            fs::write(root.path().join(file), text).expect("written");
        }
        fs::create_dir(root.path().join("instances")).expect("made");
        root
    }

    const CLOCKS: &str = "[local] global counter uptime perf mono mono_raw boot x86-tsc\n";

    #[test]
    fn events_are_set_read_and_gone() {
        if Counter.trusted().is_err() {
            eprintln!("skipped: the counter is not trusted here");
            return;
        }
        let more =
            "irq_vectors:local_timer_exit\nirq_vectors:local_timer_entry\nirq_vectors:vector_alloc\nsched:sched_wakeup";
        let root = root(CLOCKS, &format!("{}\n{more}\n", NEEDED.join("\n")));
        let instances = root.path().join("instances");
        fs::create_dir(instances.join("parallax-4294967295")).expect("made");
        fs::create_dir(instances.join("parallax-theirs")).expect("made");
        let tracing = Tracefs::find(Some(root.path()))
            .and_then(|tracefs| tracefs.begin(&[0, 2], 1 << 20, || Some(1)))
            .expect("begun");
        let mine = instances.join(format!("parallax-{}", std::process::id()));
        let set = |file: &str| fs::read_to_string(mine.join(file)).expect("written");
        assert_eq!((set("trace_clock").as_str(), set("tracing_cpumask").as_str()), ("x86-tsc\n", "00000005\n"));
        assert_eq!(set("trace_options").lines().collect::<Vec<_>>(), OPTIONS);
        let vectors = "irq_vectors:local_timer_exit\nirq_vectors:local_timer_entry";
        assert_eq!(set("set_event"), format!("{}\n{vectors}\n", NEEDED.join("\n")));
        assert!(!instances.join("parallax-4294967295").exists(), "its process is gone");
        for (cpu, text) in [(0, "# tracer: nop\n\nCPU:0 [LOST 2 EVENTS]\n"), (2, "")] {
            let folder = mine.join(format!("per_cpu/cpu{cpu}"));
            fs::create_dir_all(&folder).expect("made");
            fs::write(folder.join("stats"), "overrun: 1\ndropped events: 4\n").expect("written");
            let line =
                format!("        parallax-77      [00{cpu}] d.h1.  81263512399012: local_timer_entry: vector=236\n");
            fs::write(folder.join("trace_pipe"), format!("{text}{line}cut")).expect("written");
        }
        let traced = tracing.end().expect("ended");
        let found: Vec<(u32, usize, u64)> = traced.iter().map(|(&cpu, of)| (cpu, of.timeline.len(), of.lost)).collect();
        assert_eq!(found, [(0, 2, 6), (2, 1, 5)]);
        let left: Vec<_> = fs::read_dir(&instances).expect("there").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["parallax-theirs"]);
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        if Counter.trusted().is_err() {
            eprintln!("skipped: the counter is not trusted here");
            return;
        }
        let events = NEEDED.join("\n");
        let whole = root(CLOCKS, &events);
        let tracing =
            Tracefs::find(Some(whole.path())).and_then(|tracefs| tracefs.begin(&[0], 1 << 20, || None)).expect("begun");
        let never_there = tracing.end().expect_err("no events");
        fs::remove_dir(whole.path().join("instances")).expect("empty again");
        let no_instances =
            Tracefs::find(Some(whole.path())).and_then(|tracefs| tracefs.begin(&[0], 1, || None)).expect_err("none");
        let said = [
            (tempfile::tempdir().expect("a folder"), None),
            (root("[local] global counter", &events), None),
            (root(CLOCKS, "sched:sched_switch"), None),
            (whole, Some([never_there, no_instances].join("\n"))),
        ];
        let said = said.map(|(root, message)| {
            let message =
                message.unwrap_or_else(|| Tracefs::find(Some(root.path())).expect_err("something is missing"));
            message
                .replace(&root.path().display().to_string(), "ROOT")
                .replace(&std::process::id().to_string(), "PROCESS")
        });
        insta::assert_snapshot!(said.join("\n"));
    }
}

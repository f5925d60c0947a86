//! Processors, and other work that takes them away from ranks for a while.

use super::Finding;
use crate::launch::{Processors, may_copy_directly};
use models::names::counted;
use std::path::Path;

/// Returns all findings about the machine that is described under `root`.
pub(super) fn examine(root: &Path) -> Vec<Finding> {
    let processors = Processors::here();
    let mut findings = vec![model(root), cores(&processors)];
    findings.extend(frequency(root, &processors.allowed));
    findings.extend([load(root, processors.usable()), swap(root)].into_iter().flatten());
    findings.extend(stolen(root));
    findings.push(copying(may_copy_directly()));
    findings
}

/// Returns a file's text under `root`, trimmed.
pub(super) fn text(root: &Path, file: &str) -> Option<String> {
    Some(std::fs::read_to_string(root.join(file)).ok()?.trim().to_owned())
}

/// Returns the value of `key : value` in the first paragraph of /proc/cpuinfo.
pub(super) fn processor_field(root: &Path, key: &str) -> Option<String> {
    let info = text(root, "proc/cpuinfo")?;
    info.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    })
}

/// Whether the processor reports that a hypervisor runs it.
fn is_virtual(root: &Path) -> bool {
    let flags = processor_field(root, "flags").unwrap_or_default();
    flags.split_whitespace().any(|flag| flag == "hypervisor")
}

pub(super) fn model(root: &Path) -> Finding {
    let model = processor_field(root, "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    if !is_virtual(root) {
        return Finding::ok("processor", model);
    }
    let vendor = text(root, "sys/class/dmi/id/sys_vendor").filter(|vendor| !vendor.is_empty());
    let by = vendor.map_or(String::new(), |vendor| format!(" ({vendor})"));
    Finding::note(
        "processor",
        format!("{model}, in a virtual machine{by}"),
        "The host may take a processor away for milliseconds: expect rare long durations, and prefer medians to means.",
    )
}

pub(super) fn cores(processors: &Processors) -> Finding {
    let Processors { online, allowed, cores, quota } = processors;
    let usable = processors.usable();
    let mut says = counted(usable, "usable core");
    if allowed.len() != *cores {
        says += &format!(", {} hardware threads", allowed.len());
    }
    if processors.restricted() {
        says += &format!("; the affinity mask allows {} of {online} hardware threads", allowed.len());
    }
    let more = "More ranks than cores share them, and waiting then sleeps.";
    match quota {
        Some(quota) if *quota < allowed.len() as f64 => Finding::note(
            "cores",
            format!("{says}; the control group grants {quota:.1} processors' time"),
            "A rank that has used up its share is stopped for up to 100 ms. Raise the quota (for containers: \
             without --cpus), or assign cores with --cpuset-cpus instead.",
        ),
        _ if usable == 1 => Finding::note("cores", says, format!("{more} Measurements on one core mean little.")),
        _ => Finding::ok("cores", format!("{says}. {more}")),
    }
}

pub(super) fn frequency(root: &Path, allowed: &[usize]) -> Option<Finding> {
    let of = |cpu: &usize| text(root, &format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"));
    let governors: Vec<String> = allowed.iter().filter_map(of).collect();
    let slow = governors.iter().find(|governor| *governor != "performance");
    match slow {
        None if governors.is_empty() => None,
        None => Some(Finding::ok("frequency", "governor performance on every core")),
        Some(governor) => Some(Finding::note(
            "frequency",
            format!("governor {governor}: a core starts slowly after idle time"),
            "sudo cpupower frequency-set -g performance",
        )),
    }
}

pub(super) fn load(root: &Path, usable: usize) -> Option<Finding> {
    let averages = text(root, "proc/loadavg")?;
    let last_minute: f64 = averages.split_whitespace().next()?.parse().ok()?;
    let says = format!("{last_minute:.2} on average over the last minute, {usable} usable");
    Some(if last_minute > 0.3 * usable as f64 {
        let to_do = "Other work shares the cores: wait until it has ended, or look for it with top.";
        Finding::note("load", says, to_do)
    } else {
        Finding::ok("load", says)
    })
}

pub(super) fn swap(root: &Path) -> Option<Finding> {
    let memory = text(root, "proc/meminfo")?;
    let kib = |key: &str| {
        let line = memory.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let (total, free) = (kib("SwapTotal:")?, kib("SwapFree:")?);
    Some(match total - free {
        0 if total == 0 => Finding::ok("swap", "none"),
        0 => Finding::ok("swap", format!("{} MiB, unused", total / 1024)),
        used => Finding::note(
            "swap",
            format!("{} of {} MiB in use", used.div_ceil(1024), total / 1024),
            "A page that comes back from disk costs milliseconds: free some memory, or sudo swapoff -a.",
        ),
    })
}

/// Returns the finding about time that the host gave to others while this machine had work, from the eighth number of
/// /proc/stat.
pub(super) fn stolen(root: &Path) -> Option<Finding> {
    let all = text(root, "proc/stat")?;
    let ticks: Vec<u64> = all.lines().next()?.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let stolen = *ticks.get(7)?;
    // Idle time and waiting for disks are no work, and guests' time is already included in user time.
    let work: u64 = ticks.iter().take(8).sum::<u64>() - ticks.get(3)? - ticks.get(4)?;
    let percent = 100.0 * stolen as f64 / work.max(1) as f64;
    (percent >= 0.1).then(|| {
        Finding::note(
            "stolen time",
            format!("the host kept {percent:.1} % of the requested processor time since its start (steal time)"),
            "Use a machine with dedicated processors where the largest durations matter.",
        )
    })
}

pub(super) fn copying(direct: bool) -> Finding {
    if direct {
        return Finding::ok("memory copies", "processes may copy from each other's memory directly");
    }
    Finding::note(
        "memory copies",
        "processes may not copy from each other's memory: long messages between ranks are copied twice",
        "Measured times hold for this container only. To allow it: docker run --cap-add SYS_PTRACE.",
    )
}

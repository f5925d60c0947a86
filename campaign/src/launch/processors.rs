//! Number of cores that this process may use, limited by affinity, hardware threads and quota.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Processors of this machine, as far as this process may use them.
#[derive(Clone, Debug, PartialEq)]
pub struct Processors {
    /// Number of hardware threads that are online.
    pub online: usize,
    /// Hardware threads that the affinity mask allows.
    pub allowed: Vec<usize>,
    /// Number of cores to which the allowed hardware threads belong.
    pub cores: usize,
    /// Quota of the control group, in processors. `None` without a limit.
    pub quota: Option<f64>,
}

impl Processors {
    /// Returns the processors of this process.
    pub fn here() -> Processors {
        Processors::read(Path::new("/"), measure::cpus::allowed())
    }

    /// Returns the processors described by the files under `root`, of which the affinity mask allows `allowed`.
    pub fn read(root: &Path, allowed: Vec<usize>) -> Processors {
        let folder = root.join("sys/devices/system/cpu");
        let online =
            text(&folder.join("online")).and_then(|list| members(&list)).map_or(allowed.len(), |all| all.len());
        // Hardware threads of one core have the same list of its threads.
        let core = |cpu: &usize| {
            let topology = folder.join(format!("cpu{cpu}/topology"));
            let shared = ["core_cpus_list", "thread_siblings_list"].iter().find_map(|name| text(&topology.join(name)));
            shared.unwrap_or_else(|| cpu.to_string())
        };
        let cores = allowed.iter().map(core).collect::<BTreeSet<_>>().len();
        Processors { online, allowed, cores, quota: quota(root) }
    }

    /// Returns the number of ranks that can each have a core, at least 1.
    pub fn usable(&self) -> usize {
        let granted = self.quota.map_or(self.cores, |quota| quota as usize);
        self.cores.min(granted).max(1)
    }

    /// Whether this process may use only some of the machine's processors.
    pub fn restricted(&self) -> bool {
        self.allowed.len() < self.online
    }
}

/// Returns the least quota of the control group and all above it, in processors. Version 2 of control groups is read
/// first, then version 1.
fn quota(root: &Path) -> Option<f64> {
    let groups = text(&root.join("proc/self/cgroup"))?;
    let mut least: Option<f64> = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let base = root.join("sys/fs/cgroup");
        let group = match controllers {
            "" => base.join(path.trim_start_matches('/')),
            _ if controllers.split(',').any(|name| name == "cpu") => {
                base.join(controllers).join(path.trim_start_matches('/'))
            }
            _ => continue,
        };
        for folder in group.ancestors().take_while(|folder| folder.starts_with(&base)) {
            let granted = version_2(folder).or_else(|| version_1(folder));
            least = [least, granted].into_iter().flatten().reduce(f64::min);
        }
    }
    least
}

/// Reads the quota of a group of version 2: `cpu.max` is "quota period" in µs, or "max period".
fn version_2(group: &Path) -> Option<f64> {
    let limit = text(&group.join("cpu.max"))?;
    let (quota, period) = limit.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

/// Reads the quota of a group of version 1 from two files, in µs. A quota of -1 means none.
fn version_1(group: &Path) -> Option<f64> {
    let number = |name: &str| text(&group.join(name))?.parse::<f64>().ok().filter(|number| *number > 0.0);
    Some(number("cpu.cfs_quota_us")? / number("cpu.cfs_period_us")?)
}

/// Returns the numbers of a list like `0-3,8`. `None` for a text that is no list.
pub fn members(list: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        all.extend((first <= last && last <= HIGHEST).then_some(first..=last)?);
    }
    Some(all)
}

/// Highest number that a processor may have in a list.
const HIGHEST: usize = 1 << 16;

/// Returns a file's text, trimmed.
fn text(file: &PathBuf) -> Option<String> {
    Some(std::fs::read_to_string(file).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine made of files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let file = root.path().join(name);
            std::fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
            std::fs::write(file, text).expect("a file");
        }
        root
    }

    #[test]
    fn hardware_threads_of_one_core_count_once() {
        let root = machine(&[
            ("sys/devices/system/cpu/online", "0-3\n"),
            ("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0,2\n"),
            ("sys/devices/system/cpu/cpu1/topology/core_cpus_list", "1,3\n"),
            ("sys/devices/system/cpu/cpu2/topology/core_cpus_list", "0,2\n"),
            ("sys/devices/system/cpu/cpu3/topology/core_cpus_list", "1,3\n"),
        ]);
        let all = Processors::read(root.path(), vec![0, 1, 2, 3]);
        assert_eq!((all.online, all.cores, all.usable(), all.restricted()), (4, 2, 2, false));
        let some = Processors::read(root.path(), vec![0, 2]);
        assert_eq!((some.cores, some.restricted()), (1, true));
    }

    #[test]
    fn the_tightest_quota_of_the_group_and_those_above_counts() {
        let root = machine(&[
            ("proc/self/cgroup", "0::/pod/box\n"),
            ("sys/fs/cgroup/pod/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n"),
        ]);
        let here = Processors::read(root.path(), vec![0, 1, 2, 3]);
        assert_eq!((here.quota, here.usable()), (Some(1.5), 1));
    }

    #[test]
    fn version_1_of_control_groups_is_read_too() {
        let root = machine(&[
            ("proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/a\n0::/\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ]);
        assert_eq!(Processors::read(root.path(), vec![0]).quota, Some(3.0));
    }

    #[test]
    fn this_machine_has_a_core() {
        let here = Processors::here();
        assert!(here.usable() >= 1 && here.online >= here.allowed.len(), "{here:?}");
    }
}

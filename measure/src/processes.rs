//! Facts of processes that the system gives (Linux, elsewhere none).

use crate::usage::JIFFIES_PER_SECOND;
use models::time::Span;

/// Facts of a process at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Id of the process.
    pub process: u32,
    /// Id of the parent process.
    pub parent: u32,
    /// Time of its start in ticks since the system's start. With the id it names a process for good.
    pub started: u64,
    /// Time on cores of the process and of its children that have ended and were waited for, with theirs, in steps of
    /// 10 ms.
    pub used: Span,
}

/// Returns the facts of a process, `None` if it is gone, or where there is no `/proc`.
pub fn status_of(process: u32) -> Option<ProcessStatus> {
    read(process, &std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

fn read(process: u32, text: &str) -> Option<ProcessStatus> {
    // The second field is the name, in parentheses, and may contain anything. Behind it the parent is the fourth field
    // of the line, times are the fourteenth to seventeenth, the start time is the twenty-second.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let jiffies = (14..=17).map(number).sum::<Option<u64>>()?;
    let used = Span::from_ms(jiffies * 1_000 / JIFFIES_PER_SECOND);
    Some(ProcessStatus { process, parent: number(4)? as u32, started: number(22)?, used })
}

/// Returns the children of a process, their children, and so on.
pub fn descendants(ancestor: u32) -> Vec<ProcessStatus> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: Vec<ProcessStatus> = numbers.filter_map(status_of).collect();
    let mut family = vec![ancestor];
    let mut found = Vec::new();
    while let Some(parent) = family.pop() {
        let children = all.iter().filter(|status| status.parent == parent);
        family.extend(children.clone().map(|status| status.process));
        found.extend(children);
    }
    found
}

/// Returns true if a process is a child of `ancestor`, or a child's child, and so on.
pub fn descends_from(process: u32, ancestor: u32) -> bool {
    let parent = |process: &u32| status_of(*process).map(|status| status.parent);
    std::iter::successors(parent(&process), parent).any(|parent| parent == ancestor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_contain_anything() {
        let text = "17 (a ) R 2 3) S 5 17 17 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 4711 0 0";
        let expected = ProcessStatus { process: 17, parent: 5, started: 4711, used: Span::from_ms(1_270) };
        assert_eq!(read(17, text), Some(expected));
        assert_eq!(read(17, "17 (short) S 5"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_descends_from_this_process_and_not_the_other_way_round() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("sleep runs");
        let us = std::process::id();
        assert!(descends_from(child.id(), us) && !descends_from(us, child.id()));
        assert!(descendants(us).iter().any(|status| status.process == child.id()));
        child.kill().and_then(|()| child.wait()).expect("ended");
    }
}

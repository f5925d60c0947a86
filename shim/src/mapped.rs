//! Memory of the process, to see whether a buffer that a program passed to a call is still there: it may have been
//! given back since.

use std::ops::Range;

/// Memory of the process, as Linux lists it in `/proc/self/maps`.
#[derive(Debug)]
pub struct Mapped {
    /// Ranges that may be read and written, in the order of addresses.
    writable: Vec<Range<usize>>,
    /// Stack of the first thread.
    stack: Range<usize>,
}

impl Mapped {
    /// Reads this process's memory, `None` where the system does not list it.
    pub fn now() -> Option<Mapped> {
        Some(Mapped::parse(&std::fs::read_to_string("/proc/self/maps").ok()?))
    }

    fn parse(text: &str) -> Mapped {
        let mut mapped = Mapped { writable: Vec::new(), stack: 0..0 };
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let (Some(range), Some(rights)) = (words.next(), words.next()) else { continue };
            let Some((begin, end)) = range.split_once('-') else { continue };
            let (Ok(begin), Ok(end)) = (usize::from_str_radix(begin, 16), usize::from_str_radix(end, 16)) else {
                continue;
            };
            if !rights.starts_with("rw") {
                continue;
            }
            if line.ends_with("[stack]") {
                mapped.stack = begin..end;
            }
            match mapped.writable.last_mut() {
                Some(before) if before.end == begin => before.end = end,
                _ => mapped.writable.push(begin..end),
            }
        }
        mapped
    }

    /// Returns whether all of this may be written, and none of it was of a function that has returned: `frame` is an
    /// address of the innermost function whose memory still counts.
    pub fn holds(&self, memory: &Range<usize>, frame: usize) -> bool {
        let dead = self.stack.start..frame.clamp(self.stack.start, self.stack.end);
        let is_dead = memory.start < dead.end && dead.start < memory.end;
        let inside = |range: &Range<usize>| range.start <= memory.start && memory.end <= range.end;
        memory.is_empty() || (!is_dead && self.writable.iter().any(inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_there_if_all_of_it_may_be_written() {
        let text = "1000-2000 r--p 00000000 08:01 1 /bin/program\n2000-3000 rw-p 00001000 08:01 1 /bin/program\n\
                    3000-5000 rw-p 00000000 00:00 0 [heap]\n7000-9000 rw-p 00000000 00:00 0 [stack]\nffff r-xp\n";
        let mapped = Mapped::parse(text);
        assert!(mapped.holds(&(0x2800..0x4000), 0x8000), "two regions, one behind the other");
        assert!(!mapped.holds(&(0x1800..0x2800), 0x8000), "constants cannot be rewritten");
        assert!(!mapped.holds(&(0x4800..0x5001), 0x8000), "it ends behind the heap");
        assert!(mapped.holds(&(0x6000..0x6000), 0x8000), "nothing is everywhere");
        assert!(mapped.holds(&(0x8100..0x8200), 0x8000), "of a function that has not returned");
        assert!(!mapped.holds(&(0x7f00..0x8200), 0x8000), "of one that has");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_memory() {
        let (heap, frame) = (vec![0u8; 1 << 20], 0u8);
        let at = heap.as_ptr().addr();
        let mapped = Mapped::now().unwrap();
        assert!(mapped.holds(&(at..at + heap.len()), (&raw const frame).addr()));
        assert!(!mapped.holds(&(1..2), (&raw const frame).addr()));
    }
}

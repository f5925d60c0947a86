//! Generator of traffic in memory: blocks larger than caches that are written and read.

use super::{Reached, Until, on_threads};
use std::hint::black_box;
use std::time::Instant;

models::named! {
    /// Kind of a pass over a block.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Direction {
        /// Pass that writes the block.
        Write => "write",
        /// Pass that reads the block.
        Read => "read",
    }
    /// The name used in flags and output.
    fn name;
    Display(name);
}

/// Repeated passes over blocks of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Copies {
    /// Bytes of each thread's block.
    pub bytes: u64,
    /// Passes over the block, in turn.
    pub steps: Vec<Direction>,
    /// Number of threads, each with a block of its own.
    pub threads: u32,
    /// Number of repetitions of all passes by each thread, `None` for as many as fit before the end.
    pub repeats: Option<u64>,
}

impl Copies {
    pub(super) fn run(&self, until: &Until, reached: &Reached) -> Result<Vec<String>, String> {
        let words = usize::try_from(self.bytes / 8).ok().filter(|&words| words > 0);
        let words = words.ok_or_else(|| format!("expected a block of 8 B or more, found {} B", self.bytes))?;
        on_threads(self.threads as usize, until, |_| {
            let mut block: Vec<u64> = Vec::new();
            let room = block.try_reserve_exact(words);
            room.map_err(|error| format!("no memory for a block of {} B: {error}", self.bytes))?;
            block.resize(words, 0);
            let mut pass = 0;
            while !until.is_over() && self.repeats.is_none_or(|repeats| pass < repeats) {
                for &step in &self.steps {
                    let begin = Instant::now();
                    match step {
                        Direction::Write => black_box(&mut block).fill(pass),
                        Direction::Read => {
                            black_box(block.iter().fold(0_u64, |sum, &word| sum.wrapping_add(word)));
                        }
                    }
                    reached.add(begin.elapsed(), words as u64 * 8);
                    if until.is_over() {
                        break;
                    }
                }
                pass += 1;
            }
            Ok(())
        })?;
        Ok(Vec::new())
    }
}

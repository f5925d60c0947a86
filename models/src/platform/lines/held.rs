//! Who holds which stretch of which rank's memory.

use crate::collective::Part;
use std::collections::BTreeMap;

/// The memory of all ranks. What nobody has touched is held by its own rank alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Of each rank: by their first byte, stretches that do not overlap.
    ranks: Vec<BTreeMap<u64, Stretch>>,
}

/// Bytes up to `end`, held by these ranks, in order; by nobody if there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    end: u64,
    holders: Vec<u32>,
}

/// How many bytes of what was touched were not held as they had to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Held by other ranks: alone if it was read, at all if it was written.
    pub elsewhere: u64,
    /// Held by nobody.
    pub nowhere: u64,
}

impl Held {
    /// As before anything was touched.
    pub fn clear(&mut self) {
        self.ranks.iter_mut().for_each(BTreeMap::clear);
    }

    /// A rank reads a part of somebody's memory, and holds it from now on, too.
    pub fn read(&mut self, owner: u32, part: Part, reader: u32) -> Touched {
        let mut touched = Touched::default();
        self.touch(owner, part, |bytes, holders| match holders.binary_search(&reader) {
            Ok(_) => {}
            Err(at) => {
                *(if holders.is_empty() { &mut touched.nowhere } else { &mut touched.elsewhere }) += bytes;
                holders.insert(at, reader);
            }
        });
        touched
    }

    /// A rank writes a part of somebody's memory, and holds it alone from now on.
    pub fn write(&mut self, owner: u32, part: Part, writer: u32) -> Touched {
        let mut touched = Touched::default();
        self.touch(owner, part, |bytes, holders| {
            if holders.is_empty() {
                touched.nowhere += bytes;
            } else if *holders != [writer] {
                touched.elsewhere += bytes;
            }
            holders.clear();
            holders.push(writer);
        });
        touched
    }

    /// Nobody holds a part of a rank's memory from now on.
    pub fn flush(&mut self, owner: u32, part: Part) {
        self.touch(owner, part, |_, holders| holders.clear());
    }

    fn touch(&mut self, owner: u32, part: Part, mut act: impl FnMut(u64, &mut Vec<u32>)) {
        if self.ranks.len() <= owner as usize {
            self.ranks.resize_with(owner as usize + 1, BTreeMap::new);
        }
        let stretches = &mut self.ranks[owner as usize];
        for (offset, bytes) in part.runs().filter(|&(_, bytes)| bytes > 0) {
            let end = offset.saturating_add(bytes);
            split(stretches, offset);
            split(stretches, end);
            fill_gaps(stretches, owner, offset, end);
            for (start, stretch) in stretches.range_mut(offset..end) {
                act(stretch.end - start, &mut stretch.holders);
            }
            join(stretches, offset, end);
        }
    }
}

/// Sees to it that no stretch lies on both sides of a byte.
fn split(stretches: &mut BTreeMap<u64, Stretch>, at: u64) {
    let Some((_, before)) = stretches.range_mut(..at).next_back() else { return };
    if before.end > at {
        let behind = Stretch { end: std::mem::replace(&mut before.end, at), holders: before.holders.clone() };
        stretches.insert(at, behind);
    }
}

/// What was never touched is its own rank's.
fn fill_gaps(stretches: &mut BTreeMap<u64, Stretch>, owner: u32, offset: u64, end: u64) {
    let mut gaps = Vec::new();
    let mut at = offset;
    for (&start, stretch) in stretches.range(offset..end) {
        if at < start {
            gaps.push((at, start));
        }
        at = stretch.end;
    }
    if at < end {
        gaps.push((at, end));
    }
    stretches.extend(gaps.into_iter().map(|(start, end)| (start, Stretch { end, holders: vec![owner] })));
}

/// Joins stretches that are held alike, from the one before `offset` to the one behind `end`.
fn join(stretches: &mut BTreeMap<u64, Stretch>, offset: u64, end: u64) {
    let first = stretches.range(..offset).next_back().map_or(offset, |(&start, _)| start);
    let starts: Vec<u64> = stretches.range(first..=end).map(|(&start, _)| start).collect();
    let mut into = None;
    for start in starts {
        let Some(this) = stretches.get(&start) else { continue };
        let (this_end, alike) = match into.and_then(|into: u64| stretches.get(&into)) {
            Some(before) => (this.end, before.end == start && before.holders == this.holders),
            None => (this.end, false),
        };
        match into.filter(|_| alike) {
            Some(before) => {
                stretches.remove(&start);
                stretches.entry(before).and_modify(|stretch| stretch.end = this_end);
            }
            None => into = Some(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NONE: Touched = Touched { elsewhere: 0, nowhere: 0 };

    fn elsewhere(bytes: u64) -> Touched {
        Touched { elsewhere: bytes, ..NONE }
    }

    #[test]
    fn readers_share_writers_take_and_flushing_leaves_nothing() {
        let (mut held, part) = (Held::default(), Part::range(100, 50));
        assert_eq!(held.read(0, part, 0), NONE, "what nobody touched is its own rank's");
        assert_eq!(held.read(0, part, 1), elsewhere(50));
        assert_eq!(held.read(0, part, 1), NONE, "rank 1 has it from the last time");
        assert_eq!(held.write(0, part, 0), elsewhere(50), "rank 1 holds a copy");
        assert_eq!(held.write(0, part, 0), NONE);
        held.flush(0, Part::range(120, 10));
        assert_eq!(held.read(0, part, 1), Touched { elsewhere: 40, nowhere: 10 });
        assert_eq!(held.write(0, Part::range(110, 20), 0), Touched { elsewhere: 20, nowhere: 0 });
        assert_eq!(held.write(0, part, 0), elsewhere(30));
        assert_eq!(held.ranks[0].len(), 1, "stretches held alike are one");
        assert_eq!(held.read(1, part, 1), NONE, "another rank's memory");
    }

    #[test]
    fn scattered_parts_are_touched_where_they_lie() {
        let mut held = Held::default();
        held.write(0, Part::with_bit(0, 8, 4, 0), 1);
        assert_eq!(held.read(0, Part::range(0, 32), 1), elsewhere(16), "blocks 1 and 3 were rank 1's already");
    }

    /// One state per byte.
    #[derive(Clone, Debug)]
    enum Act {
        Read(u32),
        Write(u32),
        Flush,
    }

    proptest! {
        #[test]
        fn stretches_are_what_bytes_by_themselves_would_be(
            acts in proptest::collection::vec(
                (prop_oneof![(0u32..3).prop_map(Act::Read), (0u32..3).prop_map(Act::Write), Just(Act::Flush)], 0u64..40, 0u64..20),
                0..40,
            )
        ) {
            let mut held = Held::default();
            let mut bytes = vec![vec![0u32]; 60];
            for (act, offset, length) in acts {
                let part = Part::range(offset, length);
                let of = &mut bytes[offset as usize..(offset + length) as usize];
                match act {
                    Act::Read(rank) => {
                        let nowhere = of.iter().filter(|holders| holders.is_empty()).count() as u64;
                        let new = of.iter().filter(|holders| !holders.contains(&rank)).count() as u64;
                        prop_assert_eq!(held.read(0, part, rank), Touched { elsewhere: new - nowhere, nowhere });
                        of.iter_mut().filter(|holders| !holders.contains(&rank)).for_each(|holders| holders.push(rank));
                    }
                    Act::Write(rank) => {
                        let nowhere = of.iter().filter(|holders| holders.is_empty()).count() as u64;
                        let others = of.iter().filter(|holders| holders.iter().any(|&holder| holder != rank)).count();
                        prop_assert_eq!(held.write(0, part, rank), Touched { elsewhere: others as u64, nowhere });
                        of.iter_mut().for_each(|holders| *holders = vec![rank]);
                    }
                    Act::Flush => {
                        held.flush(0, part);
                        of.iter_mut().for_each(Vec::clear);
                    }
                }
            }
        }
    }
}

//! Holders of the stretches of each rank's memory.

use crate::collective::Part;
use std::collections::BTreeMap;

/// Holders of the memory of all ranks. Memory that nobody has touched is held by its own rank alone, which wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Stretches of each rank's memory, by their first byte. They do not overlap.
    ranks: Vec<BTreeMap<u64, Stretch>>,
}

/// Stretch of memory up to byte `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    end: u64,
    lines: Holders,
}

/// Ranks that hold a stretch, in order; empty if nobody holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Holders {
    ranks: Vec<u32>,
    /// Whether the only holder has written the stretch and nobody has read it since.
    written: bool,
}

/// Numbers of touched bytes that the rank did not hold as the touch requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Bytes that other ranks alone held, one of which wrote them.
    pub written_elsewhere: u64,
    /// Bytes that other ranks alone held and have only read.
    pub read_elsewhere: u64,
    /// Written bytes that other ranks held beside this one.
    pub shared: u64,
    /// Bytes that nobody held.
    pub nowhere: u64,
    /// Another rank that held the bytes, where any did: the lowest of the last stretch.
    pub holder: Option<u32>,
}

impl Touched {
    /// Number of bytes that other ranks alone held.
    pub fn elsewhere(self) -> u64 {
        self.written_elsewhere + self.read_elsewhere
    }
}

impl Holders {
    /// Notes that `reader` reads the stretch. The first rank that reads what another one has written takes it, as
    /// caches do that expect the reader to write next. From then on those who read it share it.
    fn read(&mut self, bytes: u64, reader: u32, touched: &mut Touched) {
        let Err(at) = self.ranks.binary_search(&reader) else { return };
        touched.holder = self.ranks.first().copied().or(touched.holder);
        if self.ranks.is_empty() {
            touched.nowhere += bytes;
        } else if self.written {
            touched.written_elsewhere += bytes;
            self.ranks.clear();
        } else {
            touched.read_elsewhere += bytes;
        }
        self.written = false;
        self.ranks.insert(at.min(self.ranks.len()), reader);
    }

    fn write(&mut self, bytes: u64, writer: u32, touched: &mut Touched) {
        touched.holder = self.ranks.iter().copied().find(|&rank| rank != writer).or(touched.holder);
        if self.ranks.is_empty() {
            touched.nowhere += bytes;
        } else if self.ranks != [writer] {
            let part = match (self.ranks.contains(&writer), self.written) {
                (true, _) => &mut touched.shared,
                (false, true) => &mut touched.written_elsewhere,
                (false, false) => &mut touched.read_elsewhere,
            };
            *part += bytes;
        }
        self.ranks.clear();
        self.ranks.push(writer);
        self.written = true;
    }

    fn drop_all(&mut self) {
        self.ranks.clear();
        self.written = false;
    }
}

impl Held {
    /// Notes that a rank reads a part of the memory of `owner`, and holds it from then on.
    pub fn read(&mut self, owner: u32, part: Part, reader: u32) -> Touched {
        let mut touched = Touched::default();
        self.touch(owner, part, |bytes, lines| lines.read(bytes, reader, &mut touched));
        touched
    }

    /// Notes that a rank writes a part of the memory of `owner`, and holds it alone from then on.
    pub fn write(&mut self, owner: u32, part: Part, writer: u32) -> Touched {
        let mut touched = Touched::default();
        self.touch(owner, part, |bytes, lines| lines.write(bytes, writer, &mut touched));
        touched
    }

    /// Notes that a part of the memory of `owner` was flushed, so that nobody holds it.
    pub fn flush(&mut self, owner: u32, part: Part) {
        self.touch(owner, part, |_, lines| lines.drop_all());
    }

    fn touch(&mut self, owner: u32, part: Part, mut act: impl FnMut(u64, &mut Holders)) {
        if self.ranks.len() <= owner as usize {
            self.ranks.resize_with(owner as usize + 1, BTreeMap::new);
        }
        let stretches = &mut self.ranks[owner as usize];
        for (offset, bytes) in part.runs().filter(|&(_, bytes)| bytes > 0) {
            let end = offset.saturating_add(bytes);
            // Most touches hit exactly the stretch of the touches before.
            if stretches.len() == 1
                && let Some(stretch) = stretches.get_mut(&offset)
                && stretch.end == end
            {
                act(bytes, &mut stretch.lines);
                continue;
            }
            split(stretches, offset);
            split(stretches, end);
            fill_gaps(stretches, owner, offset, end);
            for (start, stretch) in stretches.range_mut(offset..end) {
                act(stretch.end - start, &mut stretch.lines);
            }
            join(stretches, offset, end);
        }
    }
}

/// Splits the stretch that lies on both sides of byte `at`, if any.
fn split(stretches: &mut BTreeMap<u64, Stretch>, at: u64) {
    let Some((_, before)) = stretches.range_mut(..at).next_back() else { return };
    if before.end > at {
        let behind = Stretch { end: std::mem::replace(&mut before.end, at), lines: before.lines.clone() };
        stretches.insert(at, behind);
    }
}

/// Inserts stretches for bytes that were never touched: their own rank wrote them.
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
    let lines = Holders { ranks: vec![owner], written: true };
    stretches.extend(gaps.into_iter().map(|(start, end)| (start, Stretch { end, lines: lines.clone() })));
}

/// Joins stretches that are held alike, from the one before `offset` to the one behind `end`.
fn join(stretches: &mut BTreeMap<u64, Stretch>, offset: u64, end: u64) {
    let first = stretches.range(..offset).next_back().map_or(offset, |(&start, _)| start);
    let starts: Vec<u64> = stretches.range(first..=end).map(|(&start, _)| start).collect();
    let mut into = None;
    for start in starts {
        let Some(this) = stretches.get(&start) else { continue };
        let (this_end, alike) = match into.and_then(|into: u64| stretches.get(&into)) {
            Some(before) => (this.end, before.end == start && before.lines == this.lines),
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

    const NONE: Touched = Touched { written_elsewhere: 0, read_elsewhere: 0, shared: 0, nowhere: 0, holder: None };
    /// By rank 0, and by rank 1.
    const FROM: [Touched; 2] = [Touched { holder: Some(0), ..NONE }, Touched { holder: Some(1), ..NONE }];

    #[test]
    fn the_first_reader_takes_later_ones_share_writers_take_and_flushing_leaves_nothing() {
        let (mut held, part) = (Held::default(), Part::range(100, 50));
        assert_eq!(held.read(0, part, 0), NONE, "what nobody touched is its own rank's");
        assert_eq!(held.read(0, part, 1), Touched { written_elsewhere: 50, ..FROM[0] });
        assert_eq!(held.read(0, part, 1), NONE, "rank 1 has it from the last time");
        assert_eq!(held.write(0, part, 0), Touched { read_elsewhere: 50, ..FROM[1] }, "rank 1 has taken it");
        assert_eq!(held.write(0, part, 0), NONE);
        assert_eq!(held.read(0, part, 1), Touched { written_elsewhere: 50, ..FROM[0] });
        assert_eq!(held.read(0, part, 0), Touched { read_elsewhere: 50, ..FROM[1] }, "rank 0 takes a copy back");
        assert_eq!(held.write(0, part, 0), Touched { shared: 50, ..FROM[1] }, "and both hold it");
        held.flush(0, Part::range(120, 10));
        assert_eq!(held.read(0, part, 1), Touched { written_elsewhere: 40, nowhere: 10, ..FROM[0] });
        assert_eq!(held.write(0, Part::range(110, 20), 0), Touched { read_elsewhere: 20, ..FROM[1] });
        assert_eq!(held.write(0, part, 0), Touched { read_elsewhere: 30, ..FROM[1] });
        assert_eq!(held.ranks[0].len(), 1, "stretches held alike are one");
        assert_eq!(held.read(1, part, 1), NONE, "another rank's memory");
    }

    #[test]
    fn scattered_parts_are_touched_where_they_lie() {
        let mut held = Held::default();
        held.write(0, Part::with_bit(0, 8, 4, 0), 1);
        let found = held.read(0, Part::range(0, 32), 1);
        assert_eq!(found, Touched { written_elsewhere: 16, ..FROM[0] }, "blocks 1 and 3 were rank 1's already");
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
            let mut bytes = vec![Holders { ranks: vec![0], written: true }; 60];
            for (act, offset, length) in acts {
                let part = Part::range(offset, length);
                let of = bytes[offset as usize..(offset + length) as usize].iter_mut();
                let mut touched = Touched::default();
                match act {
                    Act::Read(rank) => {
                        of.for_each(|byte| byte.read(1, rank, &mut touched));
                        prop_assert_eq!(held.read(0, part, rank), touched);
                    }
                    Act::Write(rank) => {
                        of.for_each(|byte| byte.write(1, rank, &mut touched));
                        prop_assert_eq!(held.write(0, part, rank), touched);
                    }
                    Act::Flush => {
                        held.flush(0, part);
                        of.for_each(Holders::drop_all);
                    }
                }
            }
            for byte in &bytes {
                prop_assert!(!byte.written || byte.ranks.len() == 1, "{:?}: who has written holds it alone", byte);
            }
        }
    }
}

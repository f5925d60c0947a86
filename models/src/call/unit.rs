//! The unit of a layout: the smallest piece of memory that one of MPI's datatypes describes. Messages are whole units.

use super::{Call, Element, Layout};

/// Places of the bytes of one unit, counted from its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Runs of bytes that travel: offset of each and its length, in bytes.
    pub runs: Vec<(u64, u64)>,
    /// Number of bytes that travel.
    pub payload: u64,
    /// Distance to the next unit, in bytes; the holes between the runs are never touched.
    pub extent: u64,
}

/// Elements in a block of [`Layout::Vector`], and elements from the beginning of a block to that of the next.
pub const VECTOR: (u64, u64) = (8, 16);

/// First element and length of each block of [`Layout::Indexed`], in elements.
pub const INDEXED: [(u64, u64); 4] = [(0, 1), (3, 2), (7, 4), (13, 1)];

/// Elements from one unit of [`Layout::Indexed`] to the next.
pub const INDEXED_EXTENT: u64 = 16;

/// Fields of a record of [`Layout::Struct`]: offset of each in bytes, number of its elements, and their type.
pub const RECORD: [(u64, u64, Element); 4] =
    [(0, 4, Element::Byte), (8, 1, Element::Double), (16, 3, Element::Int), (32, 1, Element::Long)];

/// Bytes from one record to the next.
pub const RECORD_EXTENT: u64 = 40;

impl Unit {
    /// Whether units are their payload, without holes.
    pub fn is_whole(&self) -> bool {
        self.payload == self.extent
    }

    /// Returns the bytes of memory over which a payload of `bytes` extends; the last unit counts whole.
    pub fn memory_bytes(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.payload) * self.extent
    }

    /// Returns the places of a part of the payload, which is counted without the holes: offset of each run in memory
    /// and its length, in their order.
    pub fn pieces(&self, offset: u64, bytes: u64) -> impl Iterator<Item = (u64, u64)> {
        let end = offset + bytes;
        let units = if bytes == 0 { 0..0 } else { offset / self.payload..end.div_ceil(self.payload) };
        units.flat_map(move |unit| {
            let mut packed = unit * self.payload;
            self.runs.iter().filter_map(move |&(at, length)| {
                let begin = packed;
                packed += length;
                let (from, to) = (begin.max(offset), (begin + length).min(end));
                (from < to).then(|| (unit * self.extent + at + from - begin, to - from))
            })
        })
    }
}

impl Call {
    /// Returns the unit of this call's elements and layout.
    pub fn unit(&self) -> Unit {
        let element = self.element.bytes();
        let (runs, extent): (Vec<(u64, u64)>, u64) = match self.layout {
            Layout::Contiguous => (vec![(0, element)], element),
            Layout::Vector => {
                let (length, stride) = VECTOR;
                let runs = (0..2).map(|block| (block * stride * element, length * element)).collect();
                (runs, 2 * stride * element)
            }
            Layout::Indexed => {
                let runs = INDEXED.iter().map(|(first, length)| (first * element, length * element)).collect();
                (runs, INDEXED_EXTENT * element)
            }
            Layout::Struct => {
                let runs = RECORD.iter().map(|(at, length, element)| (*at, length * element.bytes())).collect();
                (runs, RECORD_EXTENT)
            }
        };
        Unit { payload: runs.iter().map(|(_, bytes)| bytes).sum(), runs, extent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_in_order_apart_and_within_their_unit() {
        for layout in Layout::ALL {
            for element in Element::ALL {
                let unit = Call { layout, element, ..Call::default() }.unit();
                let mut free = 0;
                for (at, bytes) in &unit.runs {
                    assert!(*at >= free && *bytes > 0, "{layout:?} {element:?}");
                    free = at + bytes;
                }
                assert!(free <= unit.extent, "{layout:?} {element:?}");
                let has_holes = unit.payload < unit.extent;
                assert_eq!(has_holes, layout != Layout::Contiguous, "{layout:?} {element:?}");
            }
        }
    }

    #[test]
    fn pieces_of_parts_are_the_bytes_of_the_runs_one_after_the_other() {
        for layout in Layout::ALL {
            let unit = Call { layout, element: Element::Int, ..Call::default() }.unit();
            let units = 3;
            let whole: Vec<u64> = (0..units)
                .flat_map(|number| unit.runs.iter().map(move |&(at, bytes)| (number, at, bytes)))
                .flat_map(|(number, at, bytes)| (0..bytes).map(move |byte| (number, at + byte)))
                .map(|(number, at)| number * unit.extent + at)
                .collect();
            assert_eq!(whole.len() as u64, units * unit.payload);
            assert_eq!(unit.memory_bytes(whole.len() as u64), units * unit.extent);
            for offset in 0..whole.len() {
                for end in offset..=whole.len() {
                    let pieces = unit.pieces(offset as u64, (end - offset) as u64);
                    let bytes: Vec<u64> = pieces.flat_map(|(at, length)| at..at + length).collect();
                    assert_eq!(bytes, whole[offset..end], "{layout:?}: {offset} to {end}");
                }
            }
        }
    }

    #[test]
    fn fields_of_a_record_lie_where_a_compiler_puts_them() {
        for (at, _, element) in RECORD {
            assert_eq!(at % element.bytes(), 0, "{element:?}");
        }
        assert_eq!(RECORD_EXTENT % 8, 0);
    }
}

//! Heads of observations, which are kept in memory while stamps and clocks lie in the campaign's file.

use models::time::Span;
use programs::observation::{Case, Looked, MachineLook, Occasion, Placement, RankSurroundings, Usage};
use std::borrow::Cow;
use std::sync::Arc;

/// Observation by real ranks without its stamps and clocks.
#[derive(Debug)]
pub struct Head {
    pub(super) case: Case,
    pub(super) occasion: Occasion,
    pub(super) ran_by: Arc<str>,
    pub(super) oversubscribed: bool,
    /// True if all ranks read one clock.
    pub(super) one_clock: bool,
    pub(super) stored: Stored,
    /// Number of stamps of the rank with the most stamps.
    pub(super) stamps: u32,
    /// Surroundings of all ranks, packed.
    pub(super) surroundings: Packed,
}

/// Position of a line in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// Offset of the first byte.
    pub(super) at: u64,
    /// Length in bytes, with the line end.
    pub(super) length: u32,
    /// Number of the line, counted from 1.
    pub(super) line: u32,
}

/// Surroundings of ranks as whole numbers, seven bits to a byte, the lowest first (LEB128): in a campaign most numbers
/// are small, and looks are most of what is kept of a case.
#[derive(Debug)]
pub(super) struct Packed(Box<[u8]>);

impl Packed {
    /// Packs the surroundings of all ranks.
    pub(super) fn pack(ranks: &[RankSurroundings<'_>]) -> Packed {
        let mut writer = Numbers(Vec::new());
        for one in ranks {
            writer.put(one.rank.into());
            writer.put_if(one.usage, |writer, usage| {
                let Usage { elapsed, on_core, waited_for_core, preempted, moved, host_busy, host_stolen } = usage;
                [elapsed.0, on_core.0, waited_for_core.0, preempted, moved]
                    .into_iter()
                    .for_each(|number| writer.put(number));
                [host_busy, host_stolen]
                    .into_iter()
                    .for_each(|span| writer.put_if(span, |writer, Span(ps)| writer.put(ps)));
            });
            writer.put_if(one.page_faults, Numbers::put);
            writer.put_if(one.placement, |writer, Placement { node, pages, elsewhere }| {
                [node.into(), pages, elsewhere].into_iter().for_each(|number| writer.put(number));
            });
            writer.put(one.looks.len() as u64);
            for Looked { before_stamp, look: MachineLook { line, work } } in one.looks.iter().copied() {
                writer.put(before_stamp.into());
                writer.put_if(line, |writer, Span(ps)| writer.put(ps));
                writer.put(work.0);
            }
        }
        Packed(writer.0.into_boxed_slice())
    }

    pub(super) fn unpack(&self) -> Vec<RankSurroundings<'static>> {
        let mut reader = Bytes(&self.0);
        let mut ranks = Vec::new();
        while !reader.0.is_empty() {
            let rank = reader.take() as u32;
            let usage = reader.take_if(|reader| Usage {
                elapsed: Span(reader.take()),
                on_core: Span(reader.take()),
                waited_for_core: Span(reader.take()),
                preempted: reader.take(),
                moved: reader.take(),
                host_busy: reader.take_if(Bytes::take).map(Span),
                host_stolen: reader.take_if(Bytes::take).map(Span),
            });
            let page_faults = reader.take_if(Bytes::take);
            let placement = reader.take_if(|reader| Placement {
                node: reader.take() as u32,
                pages: reader.take(),
                elsewhere: reader.take(),
            });
            let looks = (0..reader.take()).map(|_| Looked {
                before_stamp: reader.take() as u32,
                look: MachineLook { line: reader.take_if(Bytes::take).map(Span), work: Span(reader.take()) },
            });
            let looks = Cow::Owned(looks.collect());
            ranks.push(RankSurroundings { rank, looks, usage, page_faults, placement });
        }
        ranks
    }
}

/// Bytes to which numbers are added.
struct Numbers(Vec<u8>);

impl Numbers {
    fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn put_if<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Numbers, T)) {
        self.put(value.is_some().into());
        if let Some(value) = value {
            put(self, value);
        }
    }
}

/// Bytes of which numbers are taken.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take(&mut self) -> u64 {
        let length = self.0.iter().take_while(|&&byte| byte >= 0x80).count() + 1;
        let (number, rest) = self.0.split_at(length);
        self.0 = rest;
        number.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))
    }

    fn take_if<T>(&mut self, take: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.take() == 1).then(|| take(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_surroundings_come_back_whole() {
        let most = Span(u64::MAX);
        let usage = Usage { elapsed: most, preempted: 127, moved: 128, host_busy: Some(most), ..Usage::default() };
        let look = |before_stamp, line, work| Looked { before_stamp, look: MachineLook { line, work } };
        let looks =
            vec![look(0, None, Span(39_233)), look(u32::MAX, Some(Span(0)), most), look(8, Some(most), Span(1))];
        let none = RankSurroundings {
            rank: 0,
            looks: Cow::Owned(Vec::new()),
            usage: None,
            page_faults: None,
            placement: None,
        };
        let placement = Some(Placement { node: 1, pages: u64::MAX, elsewhere: 0 });
        let all = RankSurroundings {
            rank: u32::MAX,
            looks: Cow::Owned(looks),
            usage: Some(usage),
            page_faults: Some(0),
            placement,
        };
        let ranks = [none.clone(), all, none];
        assert_eq!(Packed::pack(&ranks).unpack(), ranks);
        assert_eq!(Packed::pack(&[]).unpack(), []);
    }
}

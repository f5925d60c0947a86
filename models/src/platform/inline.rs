//! Inline data: the extra latency of a message longer than a limit because the network adapter has to fetch it.

use crate::quantity::Bytes;
use crate::time::Span;
use std::fmt;

/// Limit of inline data and the cost of exceeding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The longest message, in bytes, that travels within its request.
    pub limit_bytes: u64,
    /// Extra latency of any longer message.
    pub fetch: Span,
}

impl Inline {
    /// Extra latency of a message of this length between two nodes.
    #[inline]
    pub(super) fn fetch(&self, bytes: u64) -> Span {
        if bytes > self.limit_bytes { self.fetch } else { Span::ZERO }
    }

    /// Reads text such as `64B/600ns`.
    pub(super) fn parse(value: &str) -> Result<Inline, String> {
        let wanted =
            || format!("expected the longest inline message and the time of a fetch, 64B/600ns, found '{value}'");
        let (limit, fetch) = value.split_once('/').ok_or_else(wanted)?;
        let limit_bytes = crate::network::read::<Bytes>(limit, "B").map_err(|_| wanted())?.0;
        Ok(Inline { limit_bytes, fetch: crate::network::read(fetch, "ns").map_err(|_| wanted())? })
    }

    /// The text that [`Inline::parse`] reads.
    pub(super) fn text(&self) -> String {
        format!("{}B/{}", self.limit_bytes, crate::network::exact_span(self.fetch))
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inline to {} B, else {} longer", self.limit_bytes, self.fetch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{self, Message, NetworkModel, Port};
    use crate::noise::Quiet;
    use crate::platform::{Platform, Traffic};
    use crate::time::Time;

    /// When a message is there that rank 0 sends rank 1 at time zero, the receiver waiting.
    fn arrival(platform: &Platform, bytes: u64) -> Time {
        let (mut traffic, message) = (Traffic::default(), Message { from: 0, to: 1, bytes });
        let departure = platform.send(&mut traffic, &mut Port::default(), &message, &mut Quiet);
        platform.matched(&mut traffic, &message, &departure, Time::ZERO).arrival
    }

    #[test]
    fn only_messages_between_nodes_beyond_the_limit_are_fetched_once() {
        let network = network::parse("loggops", Some("L=2us,o=1us,g=0us,G=0ns/B,S=100B"), None).unwrap();
        let read = |text: &str| Platform::parse(network, text, |name| Err(name.to_owned())).unwrap();
        let (plain, inline) = (Platform::plain(network), read("inline=64B/600ns"));
        let later = |platform: &Platform, bytes| arrival(platform, bytes).since(arrival(&plain, bytes));
        let fetch = Span::from_ns(600);
        assert_eq!([0, 64, 65, 101].map(|bytes| later(&inline, bytes)), [Span::ZERO, Span::ZERO, fetch, fetch]);
        let within = read("inline=64B/600ns,placement=block:1/2");
        assert_eq!(later(&within, 65), Span::ZERO);
        let free = |network: &crate::network::Network| {
            let mut port = Port::default();
            network.send(&mut port, &Message { from: 0, to: 1, bytes: 65 }, &mut Quiet);
            port
        };
        let mut port = Port::default();
        inline.send(&mut Traffic::default(), &mut port, &Message { from: 0, to: 1, bytes: 65 }, &mut Quiet);
        assert_eq!(port, free(&network), "the sender is not held up");
    }

    #[test]
    fn the_text_is_read_back() {
        let inline = Inline::parse("64B/600ns").unwrap();
        assert_eq!(Inline::parse(&inline.text()), Ok(inline));
        insta::assert_snapshot!(Inline::parse("64").unwrap_err(), @"expected the longest inline message and the time of a fetch, 64B/600ns, found '64'");
    }
}

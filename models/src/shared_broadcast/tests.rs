//! The formulas against the recurrence, laws, and the numbers of Kurnosov and Tokmasheva 2020.

use super::*;
use crate::time::{PerByte, Span, Time};
use proptest::prelude::*;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const PAGE: u64 = 4 * KIB;
/// The message of Figures 4, 6 and 8.
const MESSAGE: u64 = 16 * MIB;

fn queue(fragment_bytes: u64, buffers: u64, sets: u64) -> Queue {
    Queue::new(fragment_bytes, buffers, sets).expect("a queue")
}

/// The exact time with the costs of the figures.
fn exactly(fragment_bytes: u64, buffers: u64, bytes: u64) -> Span {
    exact(&Costs::PUBLISHED, &queue(fragment_bytes, buffers, 1), bytes).total()
}

fn as_printed(fragment_bytes: u64, buffers: u64, bytes: u64) -> Span {
    printed(&Costs::PUBLISHED, &queue(fragment_bytes, buffers, 1), bytes).1.total()
}

#[test]
fn figure_4_the_time_over_the_length_of_fragments() {
    for (kib, ns) in [(4, 16_998_840), (8, 16_912_824), (16, 16_894_392), (64, 17_052_600), (256, 17_829_432)] {
        let (fragment, buffers) = (kib * KIB, 4 * MIB / (kib * KIB));
        assert_eq!(exactly(fragment, buffers, MESSAGE), Span::from_ns(ns), "{kib} KiB");
        assert_eq!(as_printed(fragment, buffers, MESSAGE), Span::from_ns(ns), "{kib} KiB");
    }
    let best = optimum(&Costs::PUBLISHED, MESSAGE, 4 * MIB).expect("an optimum");
    assert_eq!(format!("{:.1} {:.1}", best.fragment_bytes, best.buffers), "14481.5 289.6");
    assert_eq!(best.in_pages(PAGE), 16 * KIB);
}

#[test]
fn figure_6_the_time_over_the_number_of_buffers() {
    let expected = [
        (1, 33_882_112, "1.0000"),
        (2, 25_380_864, "0.7491"),
        (4, 21_130_240, "0.6236"),
        (8, 19_004_928, "0.5609"),
        (16, 17_942_272, "0.5295"),
        (32, 17_410_944, "0.5139"),
        (64, 17_145_280, "0.5060"),
        (128, 17_012_448, "0.5021"),
        (1024, 16_896_220, "0.4987"),
    ];
    let alone = exactly(8 * KIB, 1, MESSAGE).as_us();
    for (buffers, ns, ratio) in expected {
        let took = exactly(8 * KIB, buffers, MESSAGE);
        assert_eq!((took, as_printed(8 * KIB, buffers, MESSAGE)), (Span::from_ns(ns), Span::from_ns(ns)), "{buffers}");
        assert_eq!(format!("{:.4}", took.as_us() / alone), ratio, "{buffers}");
    }
}

#[test]
fn figure_8_the_saw_tooth_of_the_printed_form() {
    let expected = [
        (64, 17_315_184, 8),
        (68, 17_347_202, 8),
        (72, 17_379_320, 8),
        (76, 17_333_554, 7),
        (80, 17_361_676, 7),
        (84, 17_389_898, 7),
        (88, 17_327_898, 6),
    ];
    for (kib, ns, uses) in expected {
        assert_eq!(as_printed(kib * KIB, 32, MESSAGE), Span::from_ns(ns), "{kib} KiB");
        assert_eq!(queue(kib * KIB, 32, 1).uses(MESSAGE), uses, "{kib} KiB");
        assert!(exactly(kib * KIB, 32, MESSAGE) <= Span::from_ns(ns), "{kib} KiB");
    }
}

#[test]
fn figure_7_the_time_over_that_with_one_buffer() {
    let ratio = |buffers: u64, bytes: u64| {
        format!("{:.3}", exactly(8 * KIB, buffers, bytes).as_us() / exactly(8 * KIB, 1, bytes).as_us())
    };
    let all = |bytes: u64, most: u32| (1..=most).map(|power| ratio(1 << power, bytes)).collect::<Vec<_>>();
    assert_eq!(all(8 * KIB, 6), vec!["1.000"; 6]);
    assert_eq!(all(16 * KIB, 6), vec!["0.749"; 6]);
    assert_eq!(all(32 * KIB, 4), ["0.749", "0.624", "0.624", "0.624"]);
    assert_eq!(all(MIB, 6), ["0.749", "0.624", "0.561", "0.530", "0.514", "0.506"]);
}

#[test]
fn a_segment_is_as_long_as_its_blocks() {
    assert_eq!(queue(8 * KIB, 8, 2).segment_bytes(8, PAGE), 798_720);
    // 780 KiB in Figure 1; the text's 384 MB for 64 ranks would be s = 512: its formula gives 768 MiB and two pages.
    assert_eq!(queue(8 * KIB, 8, 2).segment_bytes(8, PAGE), 780 * KIB);
    assert_eq!(queue(8 * KIB, 1024, 1).segment_bytes(64, PAGE), 768 * MIB + 2 * PAGE);
    assert_eq!(queue(8 * KIB, 512, 1).segment_bytes(64, PAGE), 384 * MIB + 2 * PAGE);
    // A second page of leaders, and buffers that are no whole pages.
    assert_eq!(queue(100, 3, 1).segment_bytes(1025, PAGE), (2 + 1 + 1025 * 3 * 2) * PAGE);
}

#[test]
fn table_1_has_these_sizes_and_colours() {
    let b = |fragment: u64, power: u32| fragment * (fragment >> power);
    for (fragment, power, mib) in
        [(4096, 1, 8.0), (12_288, 5, 4.5), (20_480, 2, 100.0), (45_056, 1, 968.0), (65_536, 9, 8.0)]
    {
        assert_eq!(b(fragment, power) as f64 / MIB as f64, mib, "{fragment} B, s = f/2^{power}");
    }
    let sizes = [8 * MIB, 10 * MIB, 100 * MIB, 100 * MIB + 1].map(Size::for_bytes);
    assert_eq!(sizes, [Size::Small, Size::Moderate, Size::Moderate, Size::Large]);
}

#[test]
fn what_is_known_says_what_is_chosen() {
    let told = |queue: Result<Queue, String>| queue.map(|queue| (queue.fragment_bytes(), queue.buffers()));
    assert_eq!(told(within(4 * MIB, PAGE)), Ok((4 * KIB, 1024)));
    assert_eq!(told(within(100 * MIB, PAGE)), Ok((12 * KIB, 8533)));
    assert_eq!(told(for_message(MESSAGE, PAGE)), Ok((4 * KIB, 4096)));
    assert_eq!(told(for_message(MESSAGE + 1, PAGE)), Ok((8 * KIB, 2049)));
    assert_eq!(told(for_fragment(8 * KIB, MESSAGE + 1)), Ok((8 * KIB, 2049)));
    // √m would be 4 KiB, of which 32 buffers hold 128 KiB.
    assert_eq!(told(for_buffers(32, MESSAGE, PAGE)), Ok((512 * KIB, 32)));
    assert_eq!(told(for_buffers(10_000, MESSAGE, PAGE)), Ok((4 * KIB, 10_000)));
    assert_eq!(told(for_message(0, PAGE)), Ok((4 * KIB, 1)));
    assert!(within(PAGE - 1, PAGE).is_err());
    let free = Costs { copy: PerByte(0.0), ..Costs::PUBLISHED };
    assert_eq!([optimum(&free, MESSAGE, MIB), optimum(&Costs::PUBLISHED, 0, MIB)], [None, None]);
    let alone = optimum(&Costs::PUBLISHED, MIB, 4 * MIB).expect("one");
    assert!((alone.fragment_bytes - (MIB as f64 * 50.0).sqrt()).abs() < 1e-6, "m ≤ b: f* = √(m t_W/t)");
}

#[test]
fn costs_are_written_as_they_are_read() {
    let costs = Costs::parse("t=0.0333ns/B, tW=120ns,tA=1.5").expect("costs");
    assert_eq!(costs.to_string(), "t=0.0333ns/B,tW=120ns,tWO=100ns,tA=1.5ns");
    assert_eq!(Costs::parse(&costs.to_string()), Ok(costs));
    assert_eq!(Costs::parse(""), Ok(Costs::PUBLISHED));
    for wrong in ["t=2ns", "tX=1ns", "tW", "t=1,t=2", "tA=-1ns"] {
        assert!(Costs::parse(wrong).is_err(), "{wrong}");
    }
    assert!(Costs::parse("tw=1ns").unwrap_err().contains("tWO"), "a name that is near");
}

#[test]
fn queues_that_are_none_are_refused() {
    let too_long = (1 << 30, 1 << 20, 1);
    for (fragment, buffers, sets) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (8, 7, 2), (8, 1, 2), too_long] {
        assert!(Queue::new(fragment, buffers, sets).is_err(), "{fragment} {buffers} {sets}");
    }
    assert_eq!(Queue::filling(100, 10, 3), Ok(queue(10, 9, 3)));
    assert!(Queue::filling(29, 10, 3).is_err() && Queue::filling(u64::MAX, u64::MAX, 2).is_err());
}

/// The recurrence as it may also be read: only root or reader pays for a set, the root where the queue is one set.
fn one_pays(costs: &Costs, queue: &Queue, bytes: u64) -> Span {
    let (mut root, mut reader) = (Time::ZERO, Time::ZERO);
    let mut left: Vec<Time> = Vec::new();
    for number in 0..queue.fragments(bytes) {
        let each_use = (number / queue.buffers_of_a_set()) as usize;
        if number.is_multiple_of(queue.buffers_of_a_set()) {
            let before = each_use.checked_sub(queue.sets() as usize).map_or(Time::ZERO, |before| left[before]);
            root = root.max(before);
            if each_use == 0 || queue.sets() == 1 {
                root += costs.set;
            } else {
                reader += costs.set;
            }
        }
        let copy = costs.copy.for_bytes(queue.fragment(bytes, number));
        root += copy;
        reader = reader.max(root) + costs.notification + copy;
        if (number + 1).is_multiple_of(queue.buffers_of_a_set()) || number + 1 == queue.fragments(bytes) {
            reader += costs.leave;
            left.push(reader);
        }
    }
    reader.since(Time::ZERO)
}

prop_compose! {
    /// Costs of nothing or something, copies of broken numbers of ps.
    fn any_costs()(copy in prop_oneof![Just(0.0), 0.0..5_000.0f64, (0u32..3_000).prop_map(f64::from)],
                   times in prop::array::uniform3(prop_oneof![Just(0u64), 0..200_000u64, 0..20_000_000u64]))
        -> Costs {
        let [notification, set, leave] = times.map(Span);
        Costs { copy: PerByte(copy), notification, set, leave }
    }
}

prop_compose! {
    /// A queue, and a message of up to 160 fragments.
    fn any_case()(fragment in prop_oneof![1u64..20, 1u64..70_000], of_a_set in 1u64..12, sets in 1u64..6,
                  fragments in 0u64..160, part in 0.0..1.0f64, whole in any::<bool>())
        -> (Queue, u64) {
        let rest = if whole { 0 } else { (part * fragment as f64) as u64 };
        (queue(fragment, of_a_set * sets, sets), fragments * fragment + rest)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_exact_form_is_the_recurrence_and_the_printed_one_is_no_less(
        costs in any_costs(), (queue, bytes) in any_case()
    ) {
        let took = exact(&costs, &queue, bytes).total();
        prop_assert_eq!(took, one_reader(&costs, &queue, bytes));
        prop_assert_eq!(took, one_pays(&costs, &queue, bytes));
        let (regime, parts) = printed(&costs, &queue, bytes);
        prop_assert!(parts.total() >= took, "{:?}: {:?} < {:?}", regime, parts.total(), took);
        prop_assert!(bytes == 0 || regime != Regime::OneBuffer || parts.total() == took);
        // With whole queues nothing is left out by the printed form.
        if bytes > queue.fragment_bytes() && bytes.is_multiple_of(queue.bytes()) {
            prop_assert_eq!(parts.total(), took);
        }
    }

    #[test]
    fn more_buffers_and_shorter_messages_are_never_slower(
        costs in any_costs(), (queue, bytes) in any_case(), more in 1u64..8, less in 0u64..100_000
    ) {
        let took = |queue: &Queue, bytes: u64| exact(&costs, queue, bytes).total();
        let longer = Queue::new(queue.fragment_bytes(), queue.buffers() + more * queue.sets(), queue.sets()).unwrap();
        prop_assert!(took(&longer, bytes) <= took(&queue, bytes));
        prop_assert!(took(&queue, bytes.saturating_sub(less)) <= took(&queue, bytes));
        let one_buffer = Queue::new(queue.fragment_bytes(), 1, 1).unwrap();
        // One buffer costs at most twice as much as any queue of one set, but for its waits.
        let (alone, whole) = (exact(&costs, &one_buffer, bytes), exact(&costs, &queue, bytes));
        prop_assert!(alone.copying + alone.first <= (whole.copying + whole.first) * 2);
    }

    #[test]
    fn sets_pay_where_the_copies_that_readers_await_cost_more_than_the_waits_for_more_sets(
        costs in any_costs(), fragment in 1u64..70_000, of_a_set in 1u64..12, sets in 2u64..6, queues in 1u64..20
    ) {
        let (one, several) = (queue(fragment, of_a_set * sets, 1), queue(fragment, of_a_set * sets, sets));
        let bytes = one.bytes() * queues;
        let more = several.uses(bytes) - one.uses(bytes);
        let pays = costs.copy.for_bytes(fragment) * (queues - 1) > (costs.set + costs.leave) * more;
        prop_assert_eq!(exact(&costs, &several, bytes).total() < exact(&costs, &one, bytes).total(), pays);
    }

    #[test]
    fn no_fragment_beats_the_optimum(power in 0u32..12, notification in 1u64..5_000_000, uses in 1u64..5) {
        let costs = Costs { notification: Span(notification), ..Costs::PUBLISHED };
        let (b, fragment) = (4 * MIB, KIB << power);
        let bytes = b * uses;
        let best = optimum(&costs, bytes, b).expect("one");
        let least = 2.0 * (uses as f64 * costs.copy.0 * bytes as f64 * notification as f64).sqrt();
        let parts = exact(&costs, &queue(fragment, b / fragment, 1), bytes);
        let depends = (parts.first + parts.notifications).0 as f64;
        prop_assert!(depends >= least * (1.0 - 1e-12), "{} B against {} B", fragment, best.fragment_bytes);
    }
}

#[test]
fn costs_of_many_readers_are_those_of_one_where_nothing_is_said() {
    assert_eq!(NodeCosts::parse("").expect("none"), NodeCosts::from_costs(Costs::PUBLISHED));
    let costs = NodeCosts::parse("t=0.5ns/B,v=30ns,n=7").expect("costs");
    assert_eq!((costs.remote_copy, costs.remote_visible), (PerByte(500.0), Span::from_ns(30)), "far is as near");
    let costs = NodeCosts::parse("tR=2ns/B,vR=90ns,M=0.1ns/B,tA=1us").expect("costs");
    assert_eq!(NodeCosts::parse(&costs.to_string()), Ok(costs));
    for wrong in ["tX=1ns", "n=1ns/B", "M=fast", "v=1ns,v=2ns"] {
        assert!(NodeCosts::parse(wrong).is_err(), "{wrong}");
    }
}

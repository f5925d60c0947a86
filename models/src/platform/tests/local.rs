//! Refinements that look at one message or one rank: idle cost, placement, classes, matrices.

use super::*;
use crate::time::PerByte;

#[test]
fn idle_cost_is_linear_between_points_and_constant_beyond() {
    let platform = platform("idle-cost=10us:0/2ms:1990ns");
    let expected = [(0, 0), (10_000, 0), (11_000, 1), (1_010_000, 1_000), (2_000_000, 1_990), (9_000_000, 1_990)];
    for (idle, cost) in expected {
        assert_eq!(platform.idle_cost(Span::from_ns(idle)), Span::from_ns(cost), "after {idle} ns");
    }
    assert_eq!(Platform::plain(loggops()).idle_cost(Span::from_ms(5)), Span::ZERO);
}

#[test]
fn pairs_fall_into_classes_by_placement() {
    let class = |rule: &str, one, other| rule.parse::<Placement>().unwrap().class(one, other);
    let block = "block:2/8/32";
    let expected = [(0, 1, Class::Socket), (1, 2, Class::Node), (7, 8, Class::Switch), (31, 32, Class::Far)];
    for (one, other, expected) in expected {
        assert_eq!(class(block, one, other), expected);
        assert_eq!(class(block, other, one), expected);
    }
    assert_eq!([class("block:8", 0, 1), class("block:8", 7, 8)], [Class::Node, Class::Far]);
    assert_eq!([class("block:2/8", 0, 1), class("block:2/8", 0, 7)], [Class::Socket, Class::Node]);
    assert_eq!([class("cyclic:4", 1, 5), class("cyclic:4", 1, 2)], [Class::Node, Class::Far]);
    let nodes = |ranks| crate::platform::on_ranks("placement=cyclic:ranks/4,class.node.L=3", ranks);
    assert_eq!([1, 4, 5, 16].map(nodes), [1, 1, 2, 4].map(|nodes| format!("placement=cyclic:{nodes},class.node.L=3")));
    // What is no number of ranks is left to whoever reads it.
    assert_eq!(crate::platform::on_ranks("placement=cyclic:ranks/0", 8), "placement=cyclic:ranks/0");
    // Node 0 of switch 1 is not node 0 of switch 0; sockets are counted within their node.
    let list = "list:0.0.0/0.0.0/0.0.1/0.1.0/1.0.0";
    let classes: Vec<Class> = (1..5).map(|other| class(list, 0, other)).collect();
    assert_eq!(classes, [Class::Socket, Class::Node, Class::Switch, Class::Far]);
    assert_eq!([class("list:3/3/7", 0, 1), class("list:3/3/7", 1, 2)], [Class::Node, Class::Far]);
}

#[test]
fn classes_have_their_own_parameters_and_inherit_those_of_the_next_larger_class() {
    let platform = platform("placement=block:2/4/8,class.socket.o=1,class.node.L=30,class.node.G=0.5");
    let of = |to| platform.network_of(0, to).loggops().unwrap();
    assert_eq!(of(8), loggops().loggops().unwrap());
    assert_eq!(of(4), of(8));
    assert_eq!((of(2).latency, of(2).gap_per_byte), (Span::from_ns(30), PerByte(500.0)));
    assert_eq!((of(1).latency, of(1).overhead_receive), (Span::from_ns(30), Span::from_ns(1)));
    assert_eq!(of(2).overhead_receive, Span::from_ns(10));
    let there = arrivals(&platform, &[(0, 1, 1), (2, 4, 1), (5, 6, 1)]);
    assert_eq!(there, [ns(1 + 30), ns(10 + 100), ns(10 + 30)]);
}

#[test]
fn a_matrix_gives_every_pair_its_latency() {
    // As the program of seeds/003 writes it: blanks at the ends of lines; here not symmetric.
    let file = "0 2 3 \n1.5 0 4 \n\n# a comment\n7 0.25 0 \n";
    let read = |name: &str| {
        assert_eq!(name, "res/m.txt");
        Ok(file.to_owned())
    };
    let platform = Platform::parse(loggops(), "matrix=res/m.txt", read).unwrap();
    let there = arrivals(&platform, &[(0, 1, 1), (2, 0, 1)]);
    assert_eq!(there, [ns(10 + 2_000), ns(10 + 7_000)]);
    assert_eq!(arrivals(&platform, &[(1, 0, 1)]), [ns(10 + 1_500)]);
    assert_eq!(platform.check(3), Ok(()));
    insta::assert_snapshot!(platform.check(4).unwrap_err());
    for (model, alpha) in [("hockney", 2_000), ("plogp", 2_000 + 1_500), ("logp", 2_000 + 1_500)] {
        let network = network::parse(model, Some(if model == "hockney" { "beta=0" } else { "" }), None).unwrap();
        let platform = Platform::parse(network, "matrix=res/m.txt", read).unwrap();
        assert_eq!(arrivals(&platform, &[(0, 1, 1)]), [ns(alpha)], "{model}");
    }
}

#[test]
fn mistakes_in_a_matrix_are_named_with_file_and_line() {
    let error = |text: &str| LatencyMatrix::parse("m", text).unwrap_err();
    let files = [
        ("0 1\n1 x\n", "m line 2:"),
        ("0 1\n\n1 0 2\n", "m line 3:"),
        ("0 1 2\n1 0 2\n", "m line 2:"),
        ("# none\n", "m line 1:"),
        ("-1", "m line 1:"),
        ("NaN", "m line 1:"),
        ("inf", "m line 1:"),
        ("1e12", "m line 1:"),
    ];
    let said = files.map(|(text, place)| {
        let error = error(text);
        assert!(error.starts_with(place), "{error}");
        format!("{text:?}\n  → {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

proptest! {
    #[test]
    fn no_matrix_panics(text in "[-0-9.e# \n\tx]{0,60}") {
        if let Ok(matrix) = LatencyMatrix::parse("m", &text) {
            prop_assert!(matrix.ranks() > 0);
        }
    }
}

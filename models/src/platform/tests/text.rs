//! What platform settings say and refuse.

use super::*;

#[test]
fn a_platform_prints_everything_that_is_on() {
    assert_eq!(platform("").to_string(), loggops().to_string());
    assert!(platform("").is_plain());
    let all = "connect=30us,idle-cost=10us:0/2ms:2.4us,\
               placement=block:2/8,class.node.L=300ps,links=torus:4x4,links-G=2";
    let text = platform(all).to_string();
    let expected = [
        "; connect 30.0 µs; idle cost 0 ps after 10.0 µs, 2.40 µs after 2.00 ms; placement block:2/8; same socket: LogGOPS, L = 300 ps",
        "; same node: LogGOPS, L = 300 ps",
        "; same switch: LogGOPS, L = 100 ns",
        "; links torus:4x4 of 2.0000 ns/B",
    ];
    assert!(text.starts_with(&loggops().to_string()), "{text}");
    for part in expected {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn parameters_read_back_as_the_same_platform() {
    for text in [
        "",
        "connect=30us",
        "gamma=0.02ns/B,memcpy=8:2ns/1KiB:30ns,duplex=64:80ns,to-self=8:80ns/8KiB:2500ns",
        "claim-received=0.01ns/B",
        "refetch=0.01ns/B,claim-shared=0.02ns/B,claim-received-shared=0.03ns/B,claim-combined=0.04ns/B",
        "start=50ns,call=20ns,after-wait=8:0ns/64:30ns,barrier=50ns/145ns/150ns/55ns",
        "page-fault=1400ns,page-faults=0/96",
        "cells=33ns",
        "single-copy-above=4KiB,fetch=0.01ns/B,reread=64KiB:0ns/128KiB:1400ns,claim=64:5.9ns/128:11.8ns,load=64:100ns,fill=0.1,load-fill=0.15,duplex-fetch=64:9ns,duplex-claim=64:8ns",
        "links=injection",
        "links=fat-tree:4,links-G=0.3",
        "idle-cost=10us:0/2ms:2.4us,placement=cyclic:4,class.node.L=300,class.node.S=17",
    ] {
        let platform = platform(text);
        let own = 1 + platform.network.parameters().len();
        let refinements: Vec<String> =
            platform.parameters()[own..].iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(Platform::parse(loggops(), &refinements.join(","), NO_FILE).unwrap(), platform, "{text}");
    }
}

#[test]
fn mistakes_are_answered_with_what_is_expected() {
    let settings = [
        ("conect=1us", "'conect'"),
        ("connect=1B", "connect:"),
        ("idle-cost=2:1/1:1", "idle-cost:"),
        ("placement=block:2/3", "placement:"),
        ("placement=block:0", "placement:"),
        ("placement=block:1/2/4/8", "placement:"),
        ("placement=block:", "placement:"),
        ("placement=cyclic:0", "placement:"),
        ("placement=list:", "placement:"),
        ("placement=list:1.2.3.4", "placement:"),
        ("placement=list:a", "placement:"),
        ("placement=scatter:2", "placement:"),
        ("placement=8", "placement:"),
        ("class.node.L=1", "class:"),
        ("placement=block:2,class.rack.L=1", "'rack'"),
        ("placement=block:2,class.node.alpha=1", "'alpha'"),
        ("matrix=nowhere", "matrix:"),
        ("links=fat-tree:3", "links:"),
        ("links=fat-tree:64", "links:"),
        ("links=torus:", "links:"),
        ("links=torus:4x0", "links:"),
        ("links=torus:70000x70000", "links:"),
        ("links=mesh:4", "links:"),
        ("links-G=1", "links-G:"),
    ];
    let said = settings.map(|(text, key)| {
        let error = error(text);
        assert!(error.contains(key), "{error}");
        format!("{text}\n  → {error}")
    });
    let logp = network::parse("logp", None, None).unwrap();
    let without_g = Platform::parse(logp, "links=injection", NO_FILE).unwrap_err();
    let few = platform("placement=list:0/0/1").check(4).unwrap_err();
    let more = format!("logp links=injection\n  → {without_g}\nplacement=list:0/0/1 of 4 ranks\n  → {few}");
    insta::assert_snapshot!([said.join("\n"), more].join("\n"));
}

#[test]
fn only_what_ranks_share_needs_order() {
    let local = "memcpy=1,idle-cost=1,placement=block:2,class.node.L=1";
    assert!(!platform(local).needs_order() && !platform("").needs_order());
}

proptest! {
    #[test]
    fn no_settings_panic(text in "(connect|idle-cost|placement|links|class.node.L|load)=[a-z0-9:/.x-]{0,12}") {
        let _ = Platform::parse(loggops(), &text, NO_FILE);
    }
}

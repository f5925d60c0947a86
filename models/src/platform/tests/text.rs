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
    assert!(error("conect=1us").starts_with(
        "unknown key 'conect'; known: gamma, memcpy, to-self, duplex, after-wait, fetch, refetch, reread, claim, claim-shared, claim-received, claim-received-shared, claim-combined, load, fill, load-fill, duplex-fetch, duplex-claim (each ns/B or points"
    ));
    assert!(error("conect=1us").ends_with("(did you mean connect?)"), "{}", error("conect=1us"));
    assert!(error("connect=1B").starts_with("connect: expected a duration"));
    assert!(error("idle-cost=2:1/1:1").contains("increasing order"));
    assert!(error("placement=block:2/3").contains("each number must divide the next, found 'block:2/3'"));
    for wrong in ["block:0", "block:1/2/4/8", "block:", "cyclic:0", "list:", "list:1.2.3.4", "list:a", "scatter:2", "8"]
    {
        assert!(error(&format!("placement={wrong}")).starts_with("placement: expected block:2/8/32"), "{wrong}");
    }
    assert_eq!(error("class.node.L=1"), "class: say where ranks are, like placement=block:2/8");
    assert_eq!(error("placement=block:2,class.rack.L=1"), "unknown class 'rack'; known: switch, node, socket");
    assert!(error("placement=block:2,class.node.alpha=1").starts_with("class.node: loggops has no parameter 'alpha'"));
    assert_eq!(error("matrix=nowhere"), "matrix: cannot read nowhere");
    for wrong in ["fat-tree:3", "fat-tree:64", "torus:", "torus:4x0", "torus:70000x70000", "mesh:4"] {
        assert!(error(&format!("links={wrong}")).starts_with("links: expected injection, fat-tree:4"), "{wrong}");
    }
    assert_eq!(error("links-G=1"), "links-G: say which links, like links=injection");
    let logp = network::parse("logp", None, None).unwrap();
    assert!(Platform::parse(logp, "links=injection", NO_FILE).unwrap_err().contains("add links-G"));
    assert_eq!(platform("placement=list:0/0/1").check(4).unwrap_err(), "placement lists 3 ranks, but there are 4");
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

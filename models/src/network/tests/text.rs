//! What settings say, what they refuse, and that models can be written and read back.

use super::*;

fn error(model: &str, settings: &str) -> String {
    parse(model, Some(settings), None).unwrap_err()
}

#[test]
fn defaults_are_those_of_loggopsim() {
    let shown = |model| parse(model, None, None).unwrap().to_string();
    assert_eq!(
        shown("loggops"),
        "LogGOPS, L = 2.50 µs, o = 1.50 µs, g = 1.00 µs, G = 6.0000 ns/B, O = 0.0000 ns/B, S = 65535 B, \
         rendezvous match"
    );
    assert_eq!(shown("loggp"), "LogGP, L = 2.50 µs, o = 1.50 µs, g = 1.00 µs, G = 6.0000 ns/B");
    assert_eq!(shown("logp"), "LogP, L = 2.50 µs, o = 1.50 µs, g = 1.00 µs");
    assert_eq!(shown("hockney"), "Hockney, send rule busy, α = 5.00 µs, β = 1.0000 ns/B");
    assert_eq!(
        shown("plogp"),
        "PLogP, L = 4.00 µs, o_s = 1.50 µs, o_r = 1.50 µs, g = 1.50 µs at 1 B/6.29 ms at 1048576 B"
    );
}

#[test]
fn settings_are_read_with_and_without_units() {
    let bare = parse("loggops", Some("L=2000,o=700,g=1.5,G=0.04,O=0.01,S=1024"), None).unwrap();
    let units = "L=2us, os=0.7us, or=700ns, g=1500ps, G=40ps/B, O=0.01ns/B, S=1KiB, rendezvous=match";
    assert_eq!(parse("loggops", Some(units), None), Ok(bare));
    let Network::Loggops(model) = bare else { panic!("{bare}") };
    assert_eq!((model.overhead_send, model.overhead_receive), (Span::from_ns(700), Span::from_ns(700)));
    assert_eq!((model.gap, model.gap_per_byte, model.eager_limit), (Span(1_500), PerByte(40.0), 1_024));
    let endless = parse("loggops", Some("S=none,rendezvous=round-trip"), None).unwrap();
    assert!(endless.to_string().ends_with("S = none, rendezvous round-trip"), "{endless}");
    let hockney = parse("hockney", Some("alpha=1us,beta=2ns/B"), Some("detached")).unwrap();
    assert_eq!(hockney.to_string(), "Hockney, send rule detached, α = 1.00 µs, β = 2.0000 ns/B");
}

#[test]
fn mistakes_are_answered_with_what_is_known() {
    let settings = [
        ("loggp", "O=1"),
        ("hockney", "L=1"),
        ("logpg", ""),
        ("loggopsim-v1", ""),
        ("logp", "L"),
        ("logp", "L=1,L=2"),
        ("logp", "L=1ns/B"),
        ("loggp", "G=-1"),
        ("loggp", "G="),
        ("loggops", "S=0.5"),
        ("loggops", "rendezvous=maybe"),
        ("plogp", "g=10:1/5:2"),
        ("plogp", "g=10:1/5"),
    ];
    let settings = settings.map(|(model, settings)| format!("{model} {settings}\n  → {}", error(model, settings)));
    let rules = [("loggp", "busy"), ("hockney", "lazy")].map(|(model, rule)| {
        format!("{model} with send rule {rule}\n  → {}", parse(model, None, Some(rule)).unwrap_err())
    });
    insta::assert_snapshot!([settings.join("\n"), rules.join("\n")].join("\n"));
}

#[test]
fn networks_travel_as_json() {
    let plogp = parse("plogp", Some("os=0:1us/1024:2us"), None).unwrap();
    for network in Network::MODELS.map(|model| parse(model, None, None).unwrap()).into_iter().chain([plogp]) {
        let json = serde_json::to_string(&network).unwrap();
        assert!(json.starts_with(&format!("{{\"model\":\"{}\"", network.name())), "{json}");
        assert_eq!(serde_json::from_str::<Network>(&json).unwrap(), network);
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(network in any_network()) {
        let settings: Vec<String> = network.parameters().iter().map(|(key, value)| format!("{key}={value}")).collect();
        prop_assert_eq!(parse(network.name(), Some(&settings.join(",")), None), Ok(network));
    }

    #[test]
    fn no_settings_panic(model in "(hockney|logp|loggp|loggops|plogp)", settings in "[LosrgGOS=:,/.0-9nus Bx-]{0,30}") {
        let _ = parse(&model, Some(&settings), None);
    }
}

use super::*;
use crate::method::{Buffer, Preset};
use models::call::Element;
use models::collective::Collective;
use models::network::{Rendezvous, SendRule};
use models::platform::Platform;
use models::time::Span;

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value * 0.9, high: value * 1.1 }
}

fn whole() -> Machine {
    let provenance = Provenance {
        date: "2026-11-21T12:00:00Z".to_owned(),
        host: "node1".to_owned(),
        ran_by: "Open MPI 4.1.4, native".to_owned(),
        how: "for a test".to_owned(),
        confidence: 0.95,
    };
    let hockney =
        HockneyEstimate { alpha_us: estimate(1.0), beta_ns_per_byte: estimate(0.5), send_rule: SendRule::Eager };
    let point = |bytes, gap| PlogpPoint {
        bytes,
        overhead_send_us: estimate(0.2),
        overhead_receive_us: estimate(0.3),
        gap_us: estimate(gap),
    };
    let lines = |bytes| LinesPoint {
        bytes,
        fetch_us: estimate(0.1),
        claim_us: estimate(0.2),
        refetch_us: estimate(0.15),
        claim_shared_us: Some(estimate(0.25)),
        claim_received_us: estimate(0.3),
        claim_received_shared_us: Some(estimate(0.32)),
        claim_combined_us: Some(estimate(0.35)),
        claim_combined_by_library_us: Some(estimate(0.36)),
        after_wait_us: estimate(0.01),
        load_fill_us: Some(estimate(0.3)),
        reread_us: estimate(0.01),
        duplex_fetch_us: estimate(0.02),
        duplex_claim_us: estimate(0.03),
        duplex_us: estimate(0.4),
        load_us: estimate(0.5),
        fill_us: estimate(0.6),
    };
    let local = |bytes| LocalPoint {
        bytes,
        copy_us: estimate(0.1),
        to_self_us: Some(estimate(0.2)),
        combine_us: estimate(0.3),
        combine_by_library_us: Some(estimate(0.4)),
        combine_elements: vec![ElementPoint { element: Element::Float, us: estimate(0.45) }],
    };
    Machine {
        loggops: Some(LogGopsEstimate {
            eager_limit_bytes: Some(4096),
            rendezvous: Rendezvous::RoundTrip,
            latency_us: estimate(0.5),
            overhead_send_us: estimate(0.2),
            overhead_receive_us: estimate(0.3),
            gap_us: estimate(0.4),
            gap_per_byte_ns: estimate(0.25),
            overhead_per_byte_ns: estimate(0.125),
        }),
        plogp: Some(PlogpEstimate {
            eager_limit_bytes: Some(512),
            latency_us: estimate(0.1),
            points: vec![point(1, 0.4), point(1024, 0.8)],
        }),
        line_ns: Some(30.0),
        clock_read_us: Some(0.02),
        start_us: Some(estimate(0.03)),
        call_us: Some(estimate(0.04)),
        reducing_call_us: Some(estimate(0.06)),
        single_copy_above_bytes: Some(4096),
        longest_printed_bytes: Some(16384),
        lines: [8, 1024].map(lines).into(),
        local: [8, 1024].map(local).into(),
        connect_us: Some(estimate(30.0)),
        inline: Some(InlineEstimate { limit_bytes: 64, fetch_us: estimate(0.6) }),
        joint_fits: vec![JointFit {
            latency_us: 0.7,
            overhead_send_us: 0.1,
            overhead_receive_us: 0.2,
            gap_us: 0.35,
            gap_per_byte_ns: 0.24,
            overhead_per_byte_ns: 0.12,
            fetch_us: 0.55,
            near_latency_us: Some(0.15),
        }],
        near: Some(NearEstimate { latency_us: estimate(0.2) }),
        idle: vec![
            IdlePoint { idle_us: 10.0, cost_us: estimate(0.0) },
            IdlePoint { idle_us: 2000.0, cost_us: estimate(2.0) },
        ],
        protocol: vec![ProtocolChange { last_bytes: 4096, next_bytes: 8192, jump_us: estimate(1.0), waits: true }],
        exit_skew: vec![ExitSkew {
            ranks: 2,
            barriers: 1000,
            median_us: estimate(0.1),
            p99_us: 0.4,
            until_us: vec![vec![0.05, 0.15], vec![0.15, 0.05]],
        }],
        noise: Some(NoiseSample {
            watched_us: 1e6,
            threshold_us: 1.0,
            detours: 250,
            share: 0.001,
            median_us: 3.0,
            longest_us: 20.0,
            sources: vec!["exponential:mean=4us,rate=250Hz".to_owned()],
        }),
        rehearsed: vec![Rehearsed {
            collective: Collective::Bcast,
            ranks: 2,
            benchmark: Preset::Osu,
            column: "Avg Latency(us)".to_owned(),
            reference: Buffer::Touched,
            launches: 2,
            bytes: vec![8, 1024],
            printed_per_reference: vec![vec![0.9, 0.8], vec![1.0, 1.1]],
        }],
        ..Machine::new("test", provenance, hockney)
    }
}

#[test]
fn a_machine_file_is_read_as_it_was_written() {
    let machine = Machine { other_states: vec![Machine { line_ns: Some(230.0), ..whole() }], ..whole() };
    assert_eq!(machine.states().map(|state| state.line_ns).collect::<Vec<_>>(), [Some(30.0), Some(230.0)]);
    let near = |line_ns: f64| machine.in_state(Some(CoreState { line_ns, work_ns: None })).line_ns;
    assert_eq!([machine.in_state(None).line_ns, near(20.0), near(180.0)], [30.0, 30.0, 230.0].map(Some));
    assert_eq!(Machine::parse("test.toml", &machine.text()), Ok(machine));
}

#[test]
fn a_joint_fit_has_its_own_values_in_every_model() {
    let loggp = LogGpEstimate {
        latency_us: estimate(0.5),
        overhead_us: estimate(0.25),
        gap_us: estimate(0.4),
        gap_per_byte_ns: estimate(0.25),
    };
    let machine = Machine { loggp: Some(loggp), ..whole() };
    let joint = machine.joint();
    assert_eq!(joint.len(), 1);
    let text = |model| joint[0].network(model, Bound::Best).expect(model).parameters();
    let value = |model, key: &str| text(model).into_iter().find(|(name, _)| *name == key).expect(key).1;
    let expected = [
        ("loggops", "L", "700ns"),
        ("loggops", "os", "100ns"),
        ("loggops", "or", "200ns"),
        ("loggops", "g", "350ns"),
        ("loggp", "os", "150ns"),
        ("hockney", "alpha", "1000ns"),
    ];
    for (model, key, expected) in expected {
        assert_eq!(value(model, key), expected, "{model} {key}");
    }
    let inline = joint[0].refinements(Bound::High).expect("refinements").inline.expect("there");
    assert_eq!(inline.fetch, Span::from_ns(550));
    assert_eq!(joint[0].plogp, machine.plogp, "what was not fitted stays");
    assert_eq!(joint[0].near.as_ref().map(|near| near.latency_us.value), Some(0.15));
    let old = whole().text().replace("[[joint_fits]]", "[[joint_fits_of_later_versions]]");
    assert_eq!(Machine::parse("old.toml", &old).expect("without them").joint(), Vec::new());
}

#[test]
fn a_machine_has_parameters_of_slowed_cores_beside_those_at_full_speed() {
    let of = |line_ns, work_ns| Machine { line_ns: Some(line_ns), work_ns: Some(work_ns), ..whole() };
    let machine = Machine { other_states: vec![of(31.0, 1_100.0), of(230.0, 620.0)], ..of(33.0, 610.0) };
    let now =
        |text: &str| machine.in_state(Some(text.parse().expect("a state"))).core_state().expect("known").to_string();
    assert_eq!(now("32ns,1000ns"), "31 ns (a core's work: 1100 ns)");
    assert_eq!(now("29, 640"), "33 ns (a core's work: 610 ns)");
    assert_eq!(now("200,1100"), "230 ns (a core's work: 620 ns)", "the line decides where no state has both");
    let state = |text: &str| text.parse::<CoreState>().expect("a state");
    assert!(state("31,600").is_like(&state("33,700")) && state("31").is_like(&state("33,1100")));
    assert!(!state("31,600").is_like(&state("31,1000")) && !state("31,600").is_like(&state("90,600")));
    let said = ["", "31,", "-3", "31,fast", "31,600,7"]
        .map(|wrong| format!("{wrong:?}\n  → {}", wrong.parse::<CoreState>().expect_err(wrong)));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn what_memory_costs_is_in_the_lines_where_it_was_calibrated() {
    let of = |machine: &Machine, arithmetic| {
        let platform = machine.platform_with_memory("plogp", Bound::Best, arithmetic).expect("a platform");
        platform.refinements().expect("refinements").clone()
    };
    let refined = of(&whole(), Arithmetic::Library);
    assert!(refined.lines.is_some(), "{refined:?}");
    assert_eq!((refined.gamma.at(8), refined.call), (Span::from_ns(400), Span::from_ns(40)));
    assert_eq!(of(&whole(), Arithmetic::Own).gamma.at(8), Span::from_ns(300));
    let refined = of(&whole(), Arithmetic::Reducing(Element::Float));
    assert_eq!((refined.gamma.at(8), refined.call), (Span::ZERO, Span::from_ns(60)), "the call has the shortest");
    let without = Machine { reducing_call_us: None, ..whole() };
    assert_eq!(of(&without, Arithmetic::Reducing(Element::Float)).gamma.at(8), Span::from_ns(450));
    assert_eq!(of(&without, Arithmetic::Reducing(Element::Int)).gamma.at(8), Span::from_ns(400), "as bytes");
    let refined = of(&Machine { lines: Vec::new(), ..whole() }, Arithmetic::Library);
    assert!(refined.lines.is_none(), "{refined:?}");
}

#[test]
fn every_model_comes_with_its_refinements() {
    let machine = whole();
    assert_eq!(machine.models(), ["hockney", "loggops", "plogp"]);
    for model in machine.models() {
        let platform = machine.platform(model, Bound::Best).expect(model);
        assert_eq!(platform.network.name(), model);
        let refined = platform.refinements().expect("refinements");
        assert_eq!(refined.connect.map(|connect| connect.time), Some(Span::from_us(30)));
        assert_eq!(platform.idle_cost(Span::from_ms(2)), Span::from_us(2));
    }
    insta::assert_snapshot!(machine.platform("loggp", Bound::Best).expect_err("there is none"));
    assert!(!machine.noise(1).expect("its own source").is_none());
}

/// MPICH's own calls pass through cells on machines whose ranks said so, and saw how long a cache line takes.
#[test]
fn a_machine_of_ranks_with_cells_has_them_on_its_platform() {
    let cells = |ran_by: &str, line_ns: Option<f64>| {
        let mut machine = Machine { line_ns, ..whole() };
        machine.provenance.ran_by = ran_by.to_owned();
        let platform = machine.platform_with_memory("plogp", Bound::Best, Arithmetic::Library).expect("PLogP");
        platform.cells(2)
    };
    let (with, without) =
        ("MPICH 5.0.2 (ch4:ucx ofi) on node1, clock tsc", "MPICH 4.0.2 (ch4:ucx) on node1, clock tsc");
    assert_eq!(cells(with, Some(33.0)), Some(Span::from_ns(33)));
    assert_eq!([cells(with, None), cells(without, Some(33.0)), cells("MPICH 5.0.2 on node1", Some(33.0))], [None; 3]);
}

#[test]
fn a_latency_within_a_switch_is_in_every_model_where_ranks_are_on_switches() {
    let text = whole().text();
    assert!(text.contains("[near.latency_us]") && text.contains("near_latency_us = 0.15"), "{text}");
    let latency = |machine: &Machine, model, bound, known: &str| {
        let platform = machine.platform(model, bound).expect(model);
        let refined = platform.refinements().expect("refinements").clone();
        let no_file = |name: &str| Err(name.to_owned());
        let placed = Platform::parse_over(platform.network, refined, known, no_file).expect("placed");
        [1, 2].map(|to| placed.network_of(0, to).parameters()[0].1.clone())
    };
    let (machine, placed) = (whole(), "placement=block:1/1/2");
    assert_eq!(latency(&machine, "loggops", Bound::Best, placed), ["200ns", "500ns"]);
    assert_eq!(latency(&machine, "loggops", Bound::High, placed), ["220ns", "550ns"]);
    let [near, far] = latency(&machine, "hockney", Bound::Best, placed);
    let alpha = |text: &str| text.trim_end_matches("ns").parse::<f64>().expect("a number");
    assert_eq!(alpha(&far) - alpha(&near), 300.0, "α is less by as much as L");
    assert_eq!(latency(&machine, "loggops", Bound::Best, "placement=block:2"), ["500ns"; 2]);
    let without = Machine { near: None, ..whole() };
    assert_eq!(latency(&without, "loggops", Bound::Best, placed), ["500ns"; 2]);
}

#[test]
fn what_is_wrong_in_a_file_is_named_by_its_line() {
    let broken = whole().text().replace("control_us = 0.0", "control_us = \"soon\"");
    let message = Machine::parse("m.toml", &broken).expect_err("a word is no time");
    assert!(message.starts_with("m.toml line "), "{message}");
    assert!(message.contains("\"soon\""), "{message}");
    insta::assert_snapshot!(message);
}

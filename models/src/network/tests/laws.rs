//! Nothing that is delayed makes anything finish earlier: not inputs, not parameters, not noise.

use super::*;

/// The same network with one delay of it longer; `which` selects, beyond the last it starts again.
fn slower(network: &Network, which: usize, by: Span, rate: PerByte) -> Network {
    let up = |table: &mut CostTable| {
        let points = table.points().iter().map(|point| TablePoint { at: point.at, cost: point.cost + by });
        *table = CostTable::new(&points.collect::<Vec<_>>()).unwrap();
    };
    let mut network = *network;
    match &mut network {
        Network::Hockney(model) => match which % 2 {
            0 => model.alpha = model.alpha + by,
            _ => model.beta.0 += rate.0,
        },
        Network::Logp(LogP { latency, overhead_send, overhead_receive, gap }) => {
            let span = [latency, overhead_send, overhead_receive, gap].into_iter().nth(which % 4).unwrap();
            *span = *span + by;
        }
        Network::Loggp(LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte }) => match which % 5 {
            4 => gap_per_byte.0 += rate.0,
            other => {
                let span = [latency, overhead_send, overhead_receive, gap].into_iter().nth(other).unwrap();
                *span = *span + by;
            }
        },
        Network::Loggops(model) => match which % 6 {
            0 => model.latency = model.latency + by,
            1 => model.overhead_send = model.overhead_send + by,
            2 => model.overhead_receive = model.overhead_receive + by,
            3 => model.gap = model.gap + by,
            4 => model.gap_per_byte.0 += rate.0,
            _ => model.overhead_per_byte.0 += rate.0,
        },
        Network::Plogp(model) => match which % 4 {
            0 => model.latency = model.latency + by,
            1 => up(&mut model.overhead_receive),
            2 => up(&mut model.overhead_send),
            _ => up(&mut model.gap),
        },
    }
    network
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 8))]

    #[test]
    fn a_later_input_finishes_nothing_earlier(
        model in any_network(), ports in any_ports(), later in [any_port(), any_port()], bytes in any_bytes(),
        noise in [any_detours(), any_detours()],
    ) {
        let mut delayed = ports;
        for (port, later) in delayed.iter_mut().zip(later) {
            port.cpu = port.cpu.max(later.cpu);
            port.next_send = port.next_send.max(later.next_send);
            port.last_receive = port.last_receive.max(later.last_receive);
        }
        let before = transfer(&model, ports, bytes, &mut noise.clone());
        let after = transfer(&model, delayed, bytes, &mut noise.clone());
        prop_assert!(after.is_no_earlier_than(&before), "{before:?} became {after:?}");
    }

    #[test]
    fn a_longer_delay_finishes_nothing_earlier(
        model in any_network(), ports in any_ports(), bytes in any_bytes(), which in 0usize..60,
        by in any_span(), rate in any_rate(), noise in [any_detours(), any_detours()],
    ) {
        let slower = slower(&model, which, by, rate);
        let before = transfer(&model, ports, bytes, &mut noise.clone());
        let after = transfer(&slower, ports, bytes, &mut noise.clone());
        prop_assert!(after.is_no_earlier_than(&before), "{before:?} became {after:?} under {slower}");
    }

    #[test]
    fn noise_finishes_nothing_earlier(
        model in any_network(), ports in any_ports(), bytes in any_bytes(), noise in [any_detours(), any_detours()],
    ) {
        let before = quiet(&model, ports, bytes);
        let after = transfer(&model, ports, bytes, &mut noise.clone());
        prop_assert!(after.is_no_earlier_than(&before), "{before:?} became {after:?}");
    }
}

#[test]
fn detours_hold_work_as_they_should() {
    let mut noise = Detours(vec![(10, 5), (20, 10)]);
    let ends = [(0, 10, 10), (0, 11, 16), (12, 0, 15), (15, 5, 20), (15, 6, 31), (10, 1, 16), (10, 0, 10)];
    for (at, work, end) in ends {
        assert_eq!(noise.advance(Time(at), Span(work)), Time(end), "{work} from {at}");
    }
}

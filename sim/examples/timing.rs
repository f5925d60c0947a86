use models::network::*;
use models::noise::Quiet;
use models::time::*;
use sim::goal::*;
fn main() {
    let t = std::fs::read("/tmp/b100.goal").unwrap();
    let sch = models::goal::text::read("x", &t).unwrap();
    drop(t);
    let n = Network::Loggp(LogGp {
        latency: Span::from_ns(2500),
        overhead_send: Span::from_ns(1500),
        overhead_receive: Span::from_ns(1500),
        gap: Span::from_ns(1000),
        gap_per_byte: PerByte::from_ns(6.0),
    });
    {
        let rules_net = n;
        for _ in 0..4 {
            let start = std::time::Instant::now();
            let plan = Plan::new(&sch, &rules_net).unwrap();
            let a = start.elapsed();
            let start = std::time::Instant::now();
            let run = plan.run(&rules_net, &Quiet).unwrap();
            println!("plan {a:?} run {:?} {:?}", start.elapsed(), run.finish.iter().max());
        }
    }
    let mut g = "num_ranks 16384\nrank 0 {\n".to_string();
    for r in 1..16384 {
        g += &format!("recv 8b from {r}\n");
    }
    g += "}\n";
    for r in 1..16384 {
        g += &format!("rank {r} {{ send 8b to 0 }}\n");
    }
    let incast = models::goal::text::read("x", g.as_bytes()).unwrap();
    let g = g.replace("from", "from -1 tag -1 //");
    let wild = models::goal::text::read("x", g.as_bytes()).unwrap();
    let all = [("barriers", &sch), ("incast", &incast), ("wild", &wild)];
    let only: usize = std::env::args().nth(1).map_or(3, |n| n.parse().unwrap());
    for (name, s) in all.into_iter().take(only) {
        for rules in [Rules::Network(n), Rules::LoggopsimV1(LoggopsimV1::default())].into_iter().take(only) {
            let mut best = f64::MAX;
            let mut run = None;
            for _ in 0..5 {
                let start = std::time::Instant::now();
                run = Some(run_events(s, &rules, &Quiet, &mut ()).unwrap());
                best = best.min(start.elapsed().as_secs_f64());
            }
            let run = run.unwrap();
            println!(
                "{name} {best:.4} s {:?} events {} messages {}",
                run.finish.iter().max(),
                run.events,
                run.messages
            );
        }
    }
}

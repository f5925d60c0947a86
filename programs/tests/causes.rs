//! What took the CPU in detours: lines as the kernel prints them, and a simulated CPU of which everything is known.

use models::noise::Detour;
use models::time::{Span, Time};
use parallax_programs::detours::causes::{
    CHANGE_BYTES, Cause, Class, EventKind, Handler, HandlerKind, Join, Timeline, TraceLine, head, line, read,
};
use parallax_programs::detours::{Collected, Method, Recorded, Watched};
use proptest::prelude::*;

/// A tick is a nanosecond.
const HZ: f64 = 1e9;
/// The rank, by the kernel's number, and its CPU.
const RANK: u32 = 77;
const CPU: u32 = 3;
/// A step of the rank's loop, in ticks.
const STEP: u64 = 30;
/// The reading with which the rank begins.
const BEGUN: u64 = 81_263_512_000_000;

fn event(text: &str) -> parallax_programs::detours::causes::Event {
    match TraceLine::parse(text) {
        Ok(TraceLine::Event(event)) => event,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn lines_are_read_as_the_kernel_prints_them() {
    let switch = event(
        "  kworker/u4:1-mm-312     [001] d..2.  81263512345678: sched_switch: prev_comm=kworker/u4:1-mm prev_pid=312 \
         prev_prio=120 prev_state=I ==> next_comm=Web Content next_pid=4077 next_prio=120",
    );
    assert_eq!((switch.cpu, switch.ticks, switch.task), (1, 81_263_512_345_678, 312));
    assert_eq!(switch.name, "kworker/u4:1-mm");
    assert_eq!(switch.what, EventKind::Switch { from: "kworker/u4:1-mm".into(), to: 4077, name: "Web Content".into() });

    let irq =
        event("           <...>-2110    [001] dNH1.       466634916: irq_handler_entry: irq=126 name=eth0-TxRx-0");
    assert_eq!((irq.task, irq.name.as_str()), (2110, "<...>"));
    let enter = |kind, number, name: &str| EventKind::Enter(Handler { kind, number, name: name.into() });
    assert_eq!(irq.what, enter(HandlerKind::Irq, 126, "eth0-TxRx-0 (126)"));
    let over = event("           <...>-2110    [001] dNH1.       466634918: irq_handler_exit: irq=126 ret=handled");
    assert_eq!(over.what, EventKind::Leave(HandlerKind::Irq, 126));

    // A thread group beside the task; a name with a dash, digits and a bracket in it; no flags; two blanks in the fields.
    let soft = event("     a-1 [000] b-15      (     15) [011]  1234567890123: softirq_entry: vec=1 [action=TIMER]");
    assert_eq!((soft.cpu, soft.task, soft.name.as_str()), (11, 15, "a-1 [000] b"));
    assert_eq!(soft.what, enter(HandlerKind::Softirq, 1, "TIMER"));
    let over = event("          <idle>-0       [000] .Ns1.        12: softirq_exit: vec=7  [action=SCHED]");
    assert_eq!(over.what, EventKind::Leave(HandlerKind::Softirq, 7));

    let timer = event("        parallax-77      [003] d.h1.  81263512399012: local_timer_entry: vector=236");
    assert_eq!(timer.what, enter(HandlerKind::Vector, 236, "local_timer"));
    let over = event("        parallax-77      [003] d.h1.  81263512399999: call_function_single_exit: vector=251");
    assert_eq!(over.what, EventKind::Leave(HandlerKind::Vector, 251));
    let other = event(
        "        parallax-77      [003] .....  81263512399999: sched_wakeup: comm=a pid=1 prio=120 target_cpu=003",
    );
    assert_eq!(other.what, EventKind::Other);

    assert_eq!(TraceLine::parse("CPU:3 [LOST 17 EVENTS]"), Ok(TraceLine::Lost(3, 17)));
    assert_eq!(TraceLine::parse("CPU:12 [LOST EVENTS]"), Ok(TraceLine::Lost(12, 1)));
    for nothing in ["", "  ", "# tracer: nop", "##### CPU 2 buffer started ####"] {
        assert_eq!(TraceLine::parse(nothing), Ok(TraceLine::Other));
    }
    // Seconds: another clock.
    let seconds = "           <...>-2110    [001] dNH1.   466.634916: irq_handler_entry: irq=126 name=eth0-TxRx-0";
    let short = "a-1 [000] d..1. 12: irq_handler_exit: irq=1";
    let cut = "        parallax-77      [003] d.h1.  81263512399012: sched_switch: prev_comm=a";
    let said = [seconds, short, cut].map(|line| TraceLine::parse(line).unwrap_err());
    insta::assert_snapshot!(said.join("\n"));
}

/// What a simulated CPU does, and the kernel's lines of it.
struct Machine {
    now: u64,
    task: (u32, String),
    text: Vec<String>,
    /// What took the CPU since the rank last had it: class and name with ticks.
    taken: Vec<(Class, String, u64)>,
}

impl Machine {
    fn new() -> Machine {
        Machine { now: BEGUN - 1_000_000, task: (RANK, "parallax serve".into()), text: Vec::new(), taken: Vec::new() }
    }

    fn says(&mut self, event: &str) {
        let (now, task, name) = (self.now, self.task.0, &self.task.1);
        self.text.push(format!("{name:>16}-{task:<7} [{CPU:03}] d..1. {now:>12}: {event}"));
    }

    fn passes(&mut self, ticks: u64, of: Option<(Class, &str)>) {
        self.now += ticks;
        let Some((class, name)) = of.filter(|_| ticks > 0) else { return };
        match self.taken.iter_mut().find(|taken| (taken.0, taken.1.as_str()) == (class, name)) {
            Some(taken) => taken.2 += ticks,
            None => self.taken.push((class, name.to_owned(), ticks)),
        }
    }

    fn switch(&mut self, to: (u32, &str)) {
        let (pid, name) = self.task.clone();
        self.says(&format!(
            "sched_switch: prev_comm={name} prev_pid={pid} prev_prio=120 prev_state=R+ ==> next_comm={} next_pid={} next_prio=120",
            to.1, to.0
        ));
        self.task = (to.0, to.1.to_owned());
    }

    /// `of`: the task that has the CPU from the rank, whose part all of this is.
    fn comes(&mut self, doing: &Doing, of: Option<&str>) {
        let part = |class, name: &str| -> (Class, String) {
            of.map_or_else(|| (class, name.to_owned()), |task| (Class::Preemption, task.to_owned()))
        };
        match doing {
            Doing::Irq(number, ticks) => {
                let (class, name) = part(Class::Irq, &format!("dev-{number} x ({number})"));
                self.says(&format!("irq_handler_entry: irq={number} name=dev-{number} x"));
                self.passes(*ticks, Some((class, &name)));
                self.says(&format!("irq_handler_exit: irq={number} ret=handled"));
            }
            Doing::Softirq(number, ticks, within) => {
                let (class, name) = part(Class::Softirq, &format!("S{number}"));
                self.says(&format!("softirq_entry: vec={number} [action=S{number}]"));
                self.passes(*ticks, Some((class, &name)));
                for (doing, behind) in within {
                    self.comes(doing, of);
                    self.passes(*behind, Some((class, &name)));
                }
                self.says(&format!("softirq_exit: vec={number}  [action=S{number}]"));
            }
            Doing::Timer(before, within, behind) => {
                let (class, name) = part(Class::Irq, "local_timer");
                self.says("local_timer_entry: vector=236");
                self.passes(*before, Some((class, &name)));
                for doing in within {
                    self.comes(doing, of);
                }
                self.passes(*behind, Some((class, &name)));
                self.says("local_timer_exit: vector=236");
            }
            Doing::Tasks(tasks) => {
                for (number, ticks, within) in tasks {
                    let name = format!("kworker/{number}:1");
                    self.switch((1_000 + number, &name));
                    self.passes(*ticks, Some((Class::Preemption, &name)));
                    for doing in within {
                        self.comes(doing, Some(&name));
                    }
                }
                self.switch((RANK, "parallax serve"));
            }
            Doing::Untraced(ticks) => self.passes(*ticks, None),
        }
    }

    /// The largest of what was taken: its class, its name, and the ticks of all.
    fn expected(&self) -> (Class, String, u64) {
        let all = self.taken.iter().map(|taken| taken.2).sum();
        let of = |class: Class| self.taken.iter().filter(move |taken| taken.0 == class);
        let sums = [Class::Preemption, Class::Irq, Class::Softirq]
            .map(|class| (class, of(class).map(|taken| taken.2).sum::<u64>()));
        let most = sums.iter().map(|sum| sum.1).max().unwrap_or(0);
        if most == 0 {
            return (Class::None, "-".to_owned(), 0);
        }
        let class = sums.iter().find(|sum| sum.1 == most).expect("one of them").0;
        let ticks = of(class).map(|taken| taken.2).max().expect("some");
        (class, of(class).find(|taken| taken.2 == ticks).expect("it").1.clone(), all)
    }
}

/// What comes over a task, in ticks.
#[derive(Clone, Debug)]
enum Doing {
    Irq(u32, u64),
    Softirq(u32, u64, Vec<(Doing, u64)>),
    Timer(u64, Vec<Doing>, u64),
    Tasks(Vec<(u32, u64, Vec<Doing>)>),
    Untraced(u64),
}

fn doing() -> impl Strategy<Value = Doing> {
    let irq = (1..5_u32, 0..2_000_u64).prop_map(|(number, ticks)| Doing::Irq(number, ticks));
    let within = prop::collection::vec((irq.clone(), 0..500_u64), 0..3);
    let softirq =
        (0..9_u32, 0..2_000_u64, within).prop_map(|(number, ticks, within)| Doing::Softirq(number, ticks, within));
    let timer = (0..500_u64, prop::collection::vec(softirq.clone(), 0..2), 0..500_u64)
        .prop_map(|(before, within, behind)| Doing::Timer(before, within, behind));
    let over = prop_oneof![irq.clone(), softirq.clone(), timer.clone()];
    let tasks =
        prop::collection::vec((0..4_u32, 1..9_000_u64, prop::collection::vec(over, 0..3)), 1..4).prop_map(Doing::Tasks);
    prop_oneof![irq, softirq, timer, tasks, (1..5_000_u64).prop_map(Doing::Untraced)]
}

fn recorded(usual: u64) -> Recorded {
    let watched = Watched { usual: Span::from_ns(usual), ..Watched::default() };
    Recorded {
        collected: Collected { watched, start_ticks: BEGUN, ..Collected::default() },
        hz: HZ,
        ..Recorded::default()
    }
}

/// A detour between two readings that is longer than a step, as each method has it.
fn detour(method: Method, from: u64, to: u64) -> Detour {
    let over = Span::from_ns(to - from - STEP);
    let start = if method == Method::Selfish { from } else { to - (to - from - STEP) };
    Detour { start: Time::ZERO + Span::from_ns(start - BEGUN), duration: over }
}

fn timeline(text: &[String]) -> Timeline {
    let mut timeline = Timeline::new(CPU, 1 << 20);
    text.iter().for_each(|line| timeline.add(line));
    timeline
}

proptest! {
    #[test]
    fn what_a_simulated_cpu_does_is_found_in_every_detour(
        early in prop::collection::vec(doing(), 0..3),
        all in prop::collection::vec((prop::collection::vec(doing(), 1..4), 100..5_000_u64), 1..30),
        fwq in any::<bool>(),
    ) {
        let method = if fwq { Method::Fwq } else { Method::Selfish };
        let mut machine = Machine::new();
        machine.switch((RANK, "parallax serve"));
        early.iter().for_each(|doing| machine.comes(doing, None));
        machine.now = machine.now.max(BEGUN);
        let (mut detours, mut expected) = (Vec::new(), Vec::new());
        for (over, quiet) in &all {
            machine.now += quiet;
            let from = machine.now;
            machine.taken.clear();
            machine.now += STEP / 2;
            over.iter().for_each(|doing| machine.comes(doing, None));
            machine.now += STEP - STEP / 2;
            if machine.now - from > STEP {
                detours.push(detour(method, from, machine.now));
                expected.push(machine.expected());
            }
        }
        machine.comes(&Doing::Tasks(vec![(0, 100, vec![])]), None);
        // Another CPU's lines beside them.
        let other = "          <idle>-0       [004] d.h1.  81263512000001: local_timer_entry: vector=236".to_owned();
        let timeline = timeline(&[&[other], &machine.text[..]].concat());
        let join = Join::new(&timeline, &recorded(STEP), method, &detours);
        prop_assert!(detours.is_empty() || join.task() == Some(RANK));
        for ((detour, cause), (class, what, ticks)) in detours.iter().zip(join.causes(&detours)).zip(expected) {
            // Gone through once, or each looked for by itself.
            prop_assert_eq!(join.causes(std::slice::from_ref(detour)).next(), Some(cause));
            prop_assert_eq!((cause.class, cause.what), (class, what.as_str()), "{:?} in {:#?}", detour, machine.text);
            prop_assert_eq!(cause.traced, Span::from_ns(ticks).min(detour.duration));
        }
    }

    #[test]
    fn causes_are_read_as_they_were_written(
        entries in prop::collection::vec((0..1_000_000_u64, 1..5_000_000_u64, 0..5_usize, "[ -~\u{e4}\t]{0,15}"), 0..20),
    ) {
        let mut start = 0;
        let mut text = head(&[("rank".into(), "3".into())], Span::from_ms(50));
        let mut all = Vec::new();
        for (after, duration, class, what) in &entries {
            start += after;
            let detour = Detour { start: Time(start), duration: Span(*duration) };
            let cause = Cause { class: Class::ALL[*class], what, traced: Span(duration / 2) };
            text.push_str(&line(&detour, &cause));
            all.push((detour, cause));
        }
        let file = read("a", text.as_bytes()).expect("we read what we write");
        prop_assert_eq!((file.of.says("rank"), file.of.length), (Some("3"), Span::from_ms(50)));
        prop_assert_eq!(file.entries.len(), all.len());
        for (entry, (detour, cause)) in file.entries.iter().zip(all) {
            prop_assert_eq!((entry.detour, entry.class, entry.traced), (detour, cause.class, cause.traced));
            let plain = cause.what.replace('\t', " ");
            let plain = if plain.trim().is_empty() { "-" } else { plain.trim() };
            prop_assert_eq!(&file.names[entry.what as usize], plain);
        }
    }
}

#[test]
fn several_detours_of_one_preemption_have_its_name() {
    let mut machine = Machine::new();
    machine.switch((RANK, "parallax serve"));
    machine.now = BEGUN + 1_000;
    machine.switch((9, "Web Content"));
    machine.now = BEGUN + 9_000;
    machine.switch((RANK, "parallax serve"));
    let timeline = timeline(&machine.text);
    let at = |(from, to)| detour(Method::Selfish, BEGUN + from, BEGUN + to);
    let mut detours = [(980, 4_000), (4_000, 6_000), (6_000, 9_500)].map(at).to_vec();
    detours.extend((20..30).map(|k| at((1_000 * k, 1_000 * k + 200))));
    let join = Join::new(&timeline, &recorded(STEP), Method::Selfish, &detours);
    assert_eq!(join.task(), Some(RANK));
    let causes: Vec<Cause<'_>> = join.causes(&detours).collect();
    for (cause, traced) in causes.iter().zip([2_990, 1_970, 2_999]) {
        assert_eq!((cause.class, cause.what), (Class::Preemption, "Web Content"));
        // The step that follows it, and the rank's own part before and behind, are not of the detour.
        assert!(
            cause.traced <= Span::from_ns(traced + STEP) && cause.traced >= Span::from_ns(traced - STEP),
            "{cause:?}"
        );
    }
    assert!(causes[3..].iter().all(|cause| (cause.class, cause.what, cause.traced) == (Class::None, "-", Span::ZERO)));
}

fn classes_of(timeline: &Timeline, detours: &[Detour]) -> Vec<Class> {
    let join = Join::new(timeline, &recorded(STEP), Method::Selfish, detours);
    join.causes(detours).map(|cause| cause.class).collect()
}

#[test]
fn an_interrupt_that_waited_is_not_blamed_for_what_a_hypervisor_took() {
    let mut machine = Machine::new();
    machine.switch((RANK, "parallax serve"));
    // The timer ticks at the end of 5 ms, and alone.
    for end in [5_000_000, 9_000_000] {
        machine.now = BEGUN + end;
        machine.comes(&Doing::Irq(5, 3_000), None);
    }
    let timeline = timeline(&machine.text);
    let at = |(from, to)| detour(Method::Selfish, BEGUN + from, BEGUN + to);
    let detours = [(1_000, 5_004_000), (8_999_000, 9_004_500)].map(at).to_vec();
    let join = Join::new(&timeline, &recorded(STEP), Method::Selfish, &detours);
    let causes: Vec<Cause<'_>> = join.causes(&detours).collect();
    assert_eq!([causes[0].class, causes[1].class], [Class::None, Class::Irq]);
    assert!(causes[0].traced > Span::ZERO, "but it was traced");
}

#[test]
fn what_was_lost_or_found_no_room_is_unknown() {
    let mut machine = Machine::new();
    machine.switch((RANK, "parallax serve"));
    machine.now = BEGUN + 1_000;
    machine.comes(&Doing::Irq(5, 100), None);
    machine.text.push(format!("CPU:{CPU} [LOST 40 EVENTS]"));
    machine.text.push("CPU:9 [LOST 2 EVENTS]".to_owned());
    machine.now = BEGUN + 3_000;
    machine.comes(&Doing::Irq(6, 300), None);
    machine.text.push("what is this".to_owned());
    machine.now = BEGUN + 5_000;
    machine.comes(&Doing::Irq(7, 300), None);
    let detours: Vec<Detour> = [(900, 1_200), (2_000, 2_300), (2_990, 3_330), (4_000, 4_400), (4_990, 5_340)]
        .map(|(from, to)| detour(Method::Selfish, BEGUN + from, BEGUN + to))
        .to_vec();
    let classes = |timeline: &Timeline| classes_of(timeline, &detours);
    let whole = timeline(&machine.text);
    assert_eq!((whole.lost(), whole.full_at()), (41, None));
    assert!(whole.unreadable().is_some_and(|message| message.contains("'what is this'")));
    assert_eq!(classes(&whole), [Class::Irq, Class::Unknown, Class::Irq, Class::Unknown, Class::Irq]);

    // Room for the switch, one interrupt and the end of what is known.
    let mut short = Timeline::new(CPU, 4);
    machine.text.iter().filter(|line| !line.contains("LOST")).for_each(|line| short.add(line));
    assert_eq!((short.len(), short.full_at()), (4, Some(BEGUN + 3_000)));
    assert_eq!(classes(&short)[..3], [Class::Irq, Class::None, Class::Unknown]);
    assert_eq!(CHANGE_BYTES, 16);
    let empty = Timeline::new(CPU, 4);
    assert!(empty.is_empty() && classes(&empty).iter().all(|class| *class == Class::None));
}

#[test]
fn what_was_before_ranks_began_takes_no_room() {
    let mut machine = Machine::new();
    machine.switch((RANK, "parallax serve"));
    (0..10).for_each(|_| machine.comes(&Doing::Irq(5, 100), None));
    // They begin in a handler that began before.
    machine.says("softirq_entry: vec=3 [action=TIMER]");
    let before = machine.text.len();
    machine.now = BEGUN + 500;
    machine.says("softirq_exit: vec=3  [action=TIMER]");
    machine.now = BEGUN + 3_000;
    machine.comes(&Doing::Irq(6, 300), None);
    let detours = [(0, 500), (2_990, 3_330)].map(|(from, to)| detour(Method::Selfish, BEGUN + from, BEGUN + to));
    // There is room for five changes, and one that says that no more is known.
    for (known_before, (kept, first)) in [(BEGUN, (1, Class::Softirq)), (0, (6, Class::Unknown))] {
        let mut short = Timeline::new(CPU, 6);
        short.begin_at(known_before);
        machine.text[..before].iter().for_each(|line| short.add(line));
        assert_eq!((short.len(), short.full_at().is_some()), (kept, kept == 6));
        short.begin_at(BEGUN);
        machine.text[before..].iter().for_each(|line| short.add(line));
        assert_eq!((short.full_at(), classes_of(&short, &detours)), (None, vec![first, Class::Irq]));
    }
}

#[test]
fn what_is_no_file_of_causes_is_answered_with_file_and_line() {
    let head = "# length_ns=1000000\n# rank=0\n";
    let bad = ["1\t2\tirq\tx", "1\t2\tthirst\tx\t1", "1\t-2\tirq\tx\t1", "9\t1\tirq\tx\t1\n8\t1\tirq\tx\t1"];
    let mut said: Vec<String> =
        bad.iter().map(|line| read("a.causes", format!("{head}{line}\n").as_bytes()).unwrap_err()).collect();
    said.push(read("a.causes", b"1\t2\tirq\tx\t1\n").unwrap_err());
    said.push(read("a.causes", &[0xff, 0x00]).unwrap_err());
    insta::assert_snapshot!(said.join("\n"));
}

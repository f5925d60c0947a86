// Lesson: a start by barrier against a start by clocks (windows), and what is left of one delay (E10).

import { bars } from "#charts";
import { inPs, net, networkControls } from "#network";
import { BARRIERS, rooted, rowsFor, upTo, walk } from "#parts";
import { timeline } from "#timeline";
import { MICROSECONDS, bytes, significant, time } from "#units";

/** The allreduce and the barrier that keep a skew have one algorithm. */
const KEEPS = "recursive-doubling";
const ALGORITHMS = [
  ["binomial", "broadcast, binomial tree"], ["linear", "broadcast, linear"], ["chain", "broadcast, chain"], ["binary", "broadcast, binary tree"],
  [KEEPS, "allreduce, recursive doubling"],
];
/** No delay, or that of one rank before the timed calls, as `--delay` names it. */
const DELAYS = [["none", "none"], ["auto", "one rank is late once", "the last rank, as long as two barriers take; the calls shown are the ninth and the next after it"]];
/** So many calls that follow each other are drawn. */
const CALLS = 3;
/** More messages than that are told in no closed form: longer sends wait for their receivers. */
const EAGER_BYTES = 16384;

const call = (s, more) => ({
  operation: s.algorithm === KEEPS ? "allreduce" : "bcast", algorithm: s.algorithm, ranks: s.ranks, bytes: s.bytes, ...net(s), barrier: s.barrier, ...more,
});
const timed = (s, method, more = {}) => call(s, { method, samples: 4, trace: true, ...more });
/** Calls that follow each other behind barriers, with a delay before them or without. */
const following = (s, delay) => call(s, { method: "barrier-loop", calls: CALLS, samples: 1, delay, trace: true });
/** What a benchmark prints from both starts: all ranks together, and after one delay. */
const states = (s, barrier) => call(s, { benchmark: "pico:median", barrier, samples: 16, delay: s.delay });
const names = (s) => (s.algorithm === KEEPS ? undefined : rooted(0));

/** What `osu` prints: the mean over ranks. */
const mean = (answer) => answer.ranks.reduce((sum, rank) => sum + rank.printed_ps, 0) / answer.ranks.length;

/** What the slowest rank of the allreduce prints behind the barrier of its own form, in both states, in µs. */
export function closedForm(s) {
  const rounds = Math.log2(s.ranks);
  const { L, o, g, G } = inPs(s) ?? {};
  const longer = Math.round((s.bytes - 1) * G);
  // A rank that never waits still has its two overheads in each round: gaps no longer than those hold nothing back.
  if (s.algorithm !== KEEPS || s.barrier !== KEEPS || rounds % 1 || s.bytes > EAGER_BYTES || !(Math.max(g, longer) <= 2 * o)) return null;
  const together = rounds * (L + 2 * o + longer);
  return { together: together / 1e6, late: (together + rounds * L) / 1e6 };
}

/** How far apart ranks enter the first call that is drawn, the barrier, in ps. */
function apart({ calls }) {
  const entries = calls.map((lane) => lane[1]);
  return Math.max(...entries) - Math.min(...entries);
}

/** What is seen of one delay: calls that follow each other, and what is printed behind each barrier. */
function delayed(s, { together, late, states, window }) {
  const of = (barrier) => states[BARRIERS.findIndex(([name]) => name === barrier)];
  const chosen = of(s.barrier);
  const words = BARRIERS.find(([name]) => name === s.barrier)[1];
  const us = (value, digits = 4) => `${significant(value, digits)} µs`;
  const form = closedForm(s);
  const groups = BARRIERS.map(([, name], nth) => ({
    name,
    bars: [["together", states[nth].symmetric_us], ["after one delay", states[nth].after_one_delay_us]].map(([state, value]) => ({ value, words: `${us(value)} ${state}` })),
  }));
  const turns = (cycle) => (cycle?.length > 1 ? `calls take turns: ${cycle.slice(0, 4).map((one) => significant(one, 5)).join(", ")}${cycle.length > 4 ? ", …" : ""} µs` : "");
  const both = (answer, name, forms) => [
    [`${name}: symmetric state`, us(answer.symmetric_us, 6), forms ? `closed form log₂ P · (L + 2o + (bytes − 1) G) = ${us(forms.together, 6)}` : turns(answer.symmetric_cycle_us)],
    [`${name}: state after one delay`, us(answer.after_one_delay_us, 6), forms ? `closed form, log₂ P · L more = ${us(forms.late, 6)}` : turns(answer.after_one_delay_cycle_us)],
  ];
  const [other, otherWords] = BARRIERS.find(([name]) => name === (s.barrier === KEEPS ? "tree" : KEEPS));
  const run = (answer, title) => ({ trace: answer.trace, title, names: names(s), skew: false });
  return {
    pictures: [
      {
        label: `Timelines of ${CALLS} calls that follow each other behind a ${words} barrier: all ranks together, and after one delay`,
        rows: rowsFor(s.ranks, 2),
        draw: (canvas, { until }) => timeline(canvas, [run(together, "all ranks together"), run(late, `after one delay of rank ${s.ranks - 1}`)], { until, unit: MICROSECONDS }),
      },
      {
        label: groups.map(({ name, bars }) => `${name}: ${bars.map((bar) => bar.words).join(", ")}`).join("; "),
        rows: 14,
        draw: (canvas) => bars(canvas, { groups, unit: "slowest rank prints, µs", mark: { value: chosen.columns[0].reference_us, name: "the call takes" } }),
      },
    ],
    walk: walk(late.trace),
    sentence: `One rank was late once. ${kept(chosen, words)} ${kept(of(other), otherWords)}`,
    numbers: [
      ["the call takes (slowest rank, common start)", us(chosen.columns[0].reference_us, 6)],
      ...both(chosen, words, form),
      ...both(of(other), otherWords, null),
      window && ["by windows, after one delay", us(window.reported_us, 6), "announced starts forget it"],
    ].filter(Boolean),
    runs: [late, together, ...states, window],
  };
}

/** What became of the delay, in words: what the slowest rank prints. */
function kept({ symmetric_us, after_one_delay_us, steady_states }, barrier) {
  const [together, late] = [symmetric_us, after_one_delay_us].map((us) => `${significant(us, 4)} µs`);
  if (steady_states === 1) return `Behind a ${barrier} barrier the delay is forgotten: ${late} with it and without it.`;
  if (steady_states === 2) return `Behind a ${barrier} barrier the slowest rank prints ${late} ever after, ${together} without the delay.`;
  return `Behind a ${barrier} barrier calls do not come round to the same times: ${late} in the median, ${together} without the delay.`;
}

export default {
  id: "start",
  title: "Start by barrier, or by window",
  question: "A benchmark wants all ranks to begin a call together. It calls a barrier before, or it has agreed on an instant. What does it print, also after one rank was late once?",
  guess: {
    asks: "Behind a tree barrier, the mean over ranks of a broadcast's time is …",
    options: ["larger than the broadcast takes", "about right", "smaller than it takes"],
    right: 2,
    because: "Ranks leave the tree in the order in which the broadcast reaches them: who gets the message late also starts its clock late.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: upTo(64), usual: 8 },
    { key: "algorithm", kind: "choice", label: "call", options: ALGORITHMS, usual: "binomial" },
    { key: "barrier", kind: "choice", label: "barrier", options: BARRIERS, usual: "tree" },
    { key: "delay", kind: "choice", label: "one delay", options: DELAYS, usual: "none" },
    { key: "bytes", kind: "range", label: "bytes", values: [1, 8, 64, 512, 4096, 16384, 65536, 1 << 18, 1 << 20], words: bytes, usual: 8 },
    ...networkControls("alps-2025"),
  ],
  // Windows need synchronised clocks, which take most of the time on many ranks.
  slow: () => ["window"],
  ask: (s) => (s.delay === "none"
    ? { barrier: timed(s, "barrier-loop"), window: timed(s, "window") }
    : { together: following(s), late: following(s, s.delay), states: BARRIERS.map(([name]) => states(s, name)), window: timed(s, "window", { delay: s.delay, trace: false }) }),
  show(s, { barrier, window, ...answers }) {
    if (s.delay !== "none") return delayed(s, { window, ...answers });
    const said = (answer, words) => ({ name: words, bars: [{ value: answer, words: `${significant(answer, 3)} µs` }] });
    const own = mean(barrier) / 1e6;
    const groups = [
      { name: "the call takes", bars: [{ value: barrier.reference_us, words: `${significant(barrier.reference_us, 3)} µs`, hue: 0 }] },
      said(own, "behind the barrier, mean over ranks"),
      said(barrier.reported_us, "behind the barrier, slowest rank"),
    ];
    if (window) groups.push(said(window.reported_us, "by windows, slowest rank"));
    groups.slice(1).forEach((group, nth) => Object.assign(group.bars[0], { hue: nth === 2 ? 2 : 1 }));
    const ratio = own / barrier.reference_us;
    return {
      pictures: [
        {
          label: "Timelines of a call behind a barrier, and of one that starts by the clocks",
          rows: rowsFor(s.ranks, 2),
          draw: (canvas, { until }) => timeline(canvas, [
            { trace: barrier.trace, title: "ranks as the last call left them: barrier, call", names: names(s), skew: false },
            ...(window ? [{ trace: window.trace, title: "started by the clocks", names: names(s), skew: false }] : []),
          ], { until, unit: MICROSECONDS }),
        },
        { label: groups.map((group) => `${group.name}: ${group.bars[0].words}`).join("; "), rows: 8, draw: (canvas) => bars(canvas, { groups, unit: "µs", mark: { value: barrier.reference_us, name: "the call takes" } }) },
      ],
      walk: walk(barrier.trace),
      sentence: `The call takes ${significant(barrier.reference_us, 3)} µs. Behind a ${s.barrier} barrier the mean over ranks says ${significant(own, 3)} µs: ${significant(ratio, 2)} times as much.`,
      numbers: [
        ["ranks enter the barrier apart by", time(apart(barrier.trace), 4), "as the call before has left them"],
        ["the call takes (slowest rank, common start)", `${significant(barrier.reference_us, 6)} µs`],
        ["mean over ranks, behind the barrier", `${significant(own, 6)} µs`, `what osu_bcast prints; ${significant(ratio, 4)} of the call's time`],
        ["slowest rank, behind the barrier", `${significant(barrier.reported_us, 6)} µs`, `${significant(barrier.ratio, 4)} of the call's time`],
        window && ["slowest rank, by windows", `${significant(window.reported_us, 6)} µs`, `${significant(window.ratio, 4)} of the call's time`],
      ].filter(Boolean),
      runs: [barrier, window],
    };
  },
  next: [
    "Take recursive doubling as barrier: ranks leave in another order, and the mean is nearly right (two errors cancel), but the slowest rank prints far too much.",
    "Raise the bytes to 1 MiB: the skew stays, the call grows, the error fades.",
    "Allreduce, recursive doubling as barrier, and one delay (E10): one rank was late once, and every later call prints it. Then the tree. Which barriers forget?",
    "16, 32, 64 ranks: why does the share stay as it is?",
  ],
  exercise: {
    asks: "Behind a linear barrier on 16 ranks (network default of LogGOPSim), how many times the call's time does the slowest rank print of a binomial broadcast of 8 B?",
    unit: "times",
    ask: { operation: "bcast", algorithm: "binomial", ranks: 16, bytes: 8, set: "loggopsim-2010", method: "barrier-loop", barrier: "linear", samples: 4 },
    answer: (answer) => answer.ratio,
    hint: "Set it up above; the answer stands at the right of the fourth row.",
  },
  note: `<p>Black brackets show what each rank times. Let students point out two ranks: one that starts its clock before the message can
    possibly come, one that starts when the message is nearly there. Then ask what minimum, mean and maximum over ranks would print.
    The ranks enter the barrier apart, as the call
    before has left them: therefore even a dissemination barrier, which has no skew where all enter together, does not start them
    together. Windows have errors of their own: clocks (lesson on bad clocks) and idle ranks that wake up slowly (E8).</p>
    <p><b>One delay (E10).</b> Choose the allreduce, recursive doubling as barrier, and <i>one rank is late once</i>. The upper timeline
    has all ranks together, the lower one the ninth call after the delay and the next two: nothing disturbs the ranks, and still the
    last rank enters each call first and leaves it last. Ask why: in each round a rank waits for its partner alone, so that barrier and call only turn
    the order of the ranks round. Behind a tree all wait for the root, and both timelines are the same. The maximum over ranks shows it, the mean
    over ranks does not.</p>`,
};

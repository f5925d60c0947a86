// Lesson: what bad clocks do to a window's number (E7).

import { bars } from "#charts";
import { rowsFor, walk } from "#parts";
import { timeline } from "#timeline";
import { MICROSECONDS, significant, time } from "#units";

const span = (ns) => (ns === 0 ? "perfect" : ns >= 1e6 ? `${significant(ns / 1e6)} ms` : ns >= 1e3 ? `${significant(ns / 1e3)} µs` : `${significant(ns)} ns`);

function clocks(s) {
  const all = [`largest-offset=${s.offset}ns`, `largest-skew=${s.skew}ppm`, `granularity=${s.grain}ns`, `read-cost=${s.cost}ns`];
  if (s.jumps > 0) all.push(`jumps=${s.jumps}`, `largest-jump=${s.jump}ns`, "jumps-within=20ms");
  return all.join(",");
}

/** A barrier between two readings of a timer that all ranks of a node share and read in turn. */
const looped = (s) => ({ operation: "barrier", algorithm: "dissemination", ranks: s.ranks, set: "alps-2025", benchmark: "osu", clocks: `read-cost=${s.slow}ns` });

const timed = (s, wait, more = {}) => ({ operation: "barrier", ranks: s.ranks, set: "alps-2025", method: "window", wait, samples: 8, clocks: clocks(s), seed: s.seed, ...more });

export default {
  id: "bad-clocks",
  title: "Bad clocks",
  question: "Ranks wait for a known time: rank i of P for i + 1 µs, so that all of them together take P µs. What does a window report if clocks are wrong?",
  guess: {
    asks: "Clocks differ by up to 5 ms and run 20 ppm apart, and have been synchronised. 4 ranks wait 4 µs. The window reports …",
    options: ["about 5 ms", "4 µs, and a few hundredths more", "nothing usable"],
    right: 1,
    because: "Synchronisation measures offset and rate and takes both out. What is left is what the clock cannot show: steps, the cost of a reading, and what changes afterwards.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: [2, 3, 4, 6, 8, 12, 16, 24, 32], usual: 4 },
    { key: "offset", kind: "range", label: "offsets up to", log: true, least: 1e3, min: 0, max: 1e8, words: span, usual: 5e6 },
    { key: "skew", kind: "range", label: "rates apart by up to", min: 0, max: 100, words: (ppm) => `${ppm} ppm`, usual: 20 },
    { key: "grain", kind: "range", label: "step of the clock", values: [0, 1, 10, 40, 100, 1000, 2000, 4000], words: span, usual: 1 },
    { key: "cost", kind: "range", label: "cost of a reading", log: true, least: 1, min: 0, max: 100, words: span, usual: 20 },
    { key: "slow", kind: "range", label: "cost of a reading by a slow timer, in a benchmark's loop", log: true, least: 10, min: 0, max: 5e4, words: span, usual: 11500 },
    { key: "jumps", kind: "range", label: "how often somebody sets the clocks", values: [0, 1, 10, 100, 1000], usual: 0 },
    { key: "jump", kind: "range", label: "each time by up to", log: true, least: 10, min: 10, max: 1e6, words: span, usual: 2e3, only: (s) => s.jumps > 0 },
    { key: "seed", kind: "range", label: "draw of the clocks", min: 1, max: 30, usual: 1 },
  ],
  ask: (s) => ({ up: timed(s, "up", { trace: true }), none: timed(s, "null"), osu: looped(s) }),
  show(s, { up, none, osu }) {
    const group = (name, us, hue) => ({ name, bars: [{ value: us, words: `${significant(us, 5)} µs`, hue }] });
    const groups = [group(`a wait of ${s.ranks} µs`, s.ranks, 0), group("reported", up.reported_us, 1), group("a wait of 0 µs", 0, 0), group("reported", none.reported_us, 1)];
    const barrier = osu.columns[0];
    groups.push(group("a barrier", barrier.reference_us, 0), group("printed by OSU on the slow timer", barrier.reported_us, 1));
    const starts = up.trace.samples.map((samples) => samples[1]);
    const apart = Math.max(...starts) - Math.min(...starts);
    return {
      pictures: [
        {
          label: `Timeline of the first window: ranks start ${time(apart)} apart`,
          rows: rowsFor(s.ranks) + 2,
          draw: (canvas, { until }) => timeline(canvas, [{ trace: only(up.trace), title: "the first window, in true time", skew: false }], { until, unit: MICROSECONDS }),
        },
        { label: groups.map((one) => `${one.name}: ${one.bars[0].words}`).join("; "), rows: 11, draw: (canvas) => bars(canvas, { groups, unit: "µs" }) },
      ],
      walk: { ...walk(only(up.trace)), events: [] },
      sentence: `The ranks truly take ${s.ranks} µs; the window reports ${significant(up.reported_us, 5)} µs. They start ${time(apart)} apart.`,
      numbers: [
        [`reported for ${s.ranks} µs`, `${significant(up.reported_us, 6)} µs`, `the truth: P = ${s.ranks} µs`],
        ["reported for 0 µs", `${significant(none.reported_us, 6)} µs`, "no rank waits at all (WaitPatternNull of Kurnosov 2012): what the clocks alone make"],
        ["OSU prints for a barrier", `${significant(barrier.reported_us, 5)} µs`, `the truth: ${significant(barrier.reference_us, 5)} µs; one cost of a reading more`],
        ["first window: starts apart by", time(apart, 5), "true time, which no benchmark can see"],
      ],
      runs: [up, none, osu],
    };
  },
  next: [
    "Offset 100 ms: hardly anything changes. Why?",
    "A step of 1 µs, as gettimeofday has: what becomes of the cost of a reading?",
    "A reading that costs 100 ns: the wait of 0 µs shows it. (Slower clocks miss every start of the window.)",
    "The slow timer, as where 32 ranks of a node share one: which part of OSU's number is the barrier? The run time of a call grows by two readings, the number by one.",
    "Let somebody set the clocks 1000 times. The reported numbers look as good as ever, but the starts are apart: a wrong clock agrees with itself.",
  ],
  exercise: {
    asks: "8 ranks, perfect clocks but for a reading that costs 100 ns: how many µs does the window report if no rank waits at all?",
    unit: "µs",
    ask: { operation: "barrier", ranks: 8, set: "alps-2025", method: "window", wait: "null", samples: 8, clocks: "read-cost=100ns" },
    answer: (answer) => answer.reported_us,
    hint: "Between the first reading and the second lies exactly one cost of reading.",
  },
  note: `<p>After Kurnosov (2012), figures 8 to 10. The pattern has a known duration on any machine, so it tests clock, synchronisation
    and waiting loop together: <code>parallax probe clocks</code> does it for real clocks. The picture is in true time, which a
    simulator knows and a benchmark does not; say this aloud.</p>`,
};

/** The first window alone. */
function only(trace) {
  const first = (lists, size) => lists.map((list) => list.slice(0, size));
  const samples = first(trace.samples, 4);
  const [from, to] = [Math.min(...samples.map((one) => one[1])), Math.max(...samples.map((one) => one[2]))];
  const begin = from - (to - from) * 0.05;
  const cut = (lane) => {
    const kept = [];
    for (let at = 0; at < lane.length; at += 3) {
      if (lane[at + 2] > begin && lane[at + 1] < to) kept.push(lane[at], Math.max(lane[at + 1], begin), Math.min(lane[at + 2], to));
    }
    return kept;
  };
  return { ...trace, samples, lanes: trace.lanes.map(cut), flights: [], calls: samples.map((one) => [0, one[1], one[2]]) };
}

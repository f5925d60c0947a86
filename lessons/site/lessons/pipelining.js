// Lesson: a broadcast through queues in shared memory, and what overlaps in it.

import { curves } from "#charts";
import { rooted, rowsFor, walk } from "#parts";
import { timeline } from "#timeline";
import { bytes, significant, time } from "#units";

const KIB = 1024;
const doubling = (from, to) => Array.from({ length: Math.log2(to / from) + 1 }, (_, nth) => from << nth);
const BUFFERS = doubling(1, 64);
const FRAGMENTS = doubling(KIB, 256 * KIB);
const TREES = [["flat", "flat: the root notifies all"], ["chain", "chain: each rank the next one"], ["knomial:2", "binomial tree"]];
const DESIGNS = [
  ["numa", "all copy out of the root's queue", "Kurnosov and Tokmasheva 2020"],
  ["coll-sm", "ranks with children copy twice", "Open MPI's coll/sm"],
  ["mvapich", "a barrier when the queue is full", "MVAPICH2"],
  ["release-gather", "buffers are freed one by one", "MPICH's release_gather"],
];
/** t in ns/B, t_WO and t_A in ns: those of the publication's figures; t_W is a slider. */
const [T, WO, A] = [1, 100, 10];

/** Only some designs have sets, which are no more than there are buffers. */
const sets = (s, buffers) => (["numa", "coll-sm"].includes(s.design) ? Math.min(s.sets, buffers) : 1);
const question = (s, { fragment = s.fragment, buffers = s.buffers, ...more } = {}) => ({
  shm: {
    ranks: s.ranks, design: s.design, tree: s.design === "mvapich" ? "flat" : s.tree, bytes: s.bytes, fragment, buffers, sets: sets(s, buffers),
    set: `t=${T}ns/B,tW=${s.tW}ns,tWO=${WO}ns,tA=${A}ns`, ...more,
  },
});
/** When all have the message, in ps. */
const last = (answer) => answer.rows[0].last_reader_us * 1e6;

/** The best fragment of a queue of b bytes in one set: √(m/⌈m/b⌉ · t_W/t). */
const best = (m, b, tW) => Math.sqrt((m / Math.ceil(m / b)) * (tW / T));

function shown(s, { now, one, over, lengths }) {
  const took = last(now);
  const reader = now.rows[0].one_reader_us * 1e6;
  const [b, u] = [s.fragment * s.buffers, Math.ceil(Math.ceil(s.bytes / s.fragment) / (s.buffers / sets(s, s.buffers)))];
  const regime = s.bytes <= s.fragment ? "one fragment: nothing overlaps" : s.bytes <= b ? "it fits into the queue" : `the queue's buffers are used ${significant(s.bytes / b, 3)} times`;
  const formula = sets(s, s.buffers) === 1 ? "u(tWO + tA) + Σ first copies + F tW + m t" : "u(tWO + tA) + f t + F tW + m t";
  const exact = s.ranks === 2 && ["numa", "coll-sm"].includes(s.design);
  const overOne = took / last(one);
  return {
    pictures: [
      {
        label: `Timeline: the root copies into its queue, ${s.ranks - 1} ${s.ranks === 2 ? "reader copies" : "readers copy"} out; ${time(took)} in all`,
        rows: rowsFor(s.ranks) + 1,
        draw: (canvas, { until }) => timeline(canvas, [{ trace: now.trace, names: rooted(0), title: regime, skew: false }], { until }),
      },
      {
        label: "Time over that with one buffer, by the number of buffers",
        rows: 10,
        draw: (canvas) => curves(canvas, { curves: [{ name: `${bytes(s.bytes)}, fragments of ${bytes(s.fragment)}`, points: over.map((answer, nth) => [BUFFERS[nth], last(answer) / last(one)]) }], log: true, xName: "buffers s", yName: "time / time with one buffer", now: s.buffers }),
      },
      {
        label: "Time by the length of fragments, in a queue of the same memory",
        rows: 10,
        draw: (canvas) => curves(canvas, { curves: [{ name: `a queue of ${bytes(b)}`, points: lengths.map(({ fragment, answer }) => [fragment, last(answer) / 1e6]) }], log: true, xName: "fragment f", yName: "last rank done, µs", now: s.fragment, xWords: bytes }),
      },
    ],
    walk: walk(now.trace),
    sentence: `${bytes(s.bytes)} through ${s.buffers} ${s.buffers === 1 ? "buffer" : "buffers"} of ${bytes(s.fragment)} take ${time(took)}: ${significant(overOne, 3)} of the time with one buffer. One copy alone takes ${time(s.bytes * T * 1e3)}.`,
    numbers: [
      ["last rank done", time(took, 6), exact ? `closed form ${formula} = ${time(reader, 6)}` : `one reader of the first design would take ${time(reader, 6)}`],
      ["over one buffer", significant(overOne, 4), s.design === "coll-sm" && s.ranks > 2 ? "copies of ranks on several levels overlap, too" : "approaches ½: no more than copying in and copying out can overlap"],
      ["regime", regime, `u = ${u} uses of a set, F = ${Math.ceil(s.bytes / s.fragment)} fragments`],
      ["best fragment for this memory", s.design === "numa" && sets(s, s.buffers) === 1 ? bytes(Math.round(best(s.bytes, b, s.tW))) : "–", "√(m/⌈m/b⌉ · tW/t), one reader and one set"],
    ],
    runs: [now, one],
  };
}

export default {
  id: "pipelining",
  title: "Pipelining through shared memory",
  question: "On one node the root copies a message into a queue, and the others copy it out. How much do more buffers gain, and how long should a fragment be?",
  guess: {
    asks: "A message of 16 fragments passes through a queue of one buffer. By how much do 16 buffers shorten that?",
    options: ["not at all: the same bytes are copied", "to nearly one half", "to nearly one sixteenth"],
    right: 1,
    because: "With one buffer the root and a reader copy in turn. With several the root copies one fragment in while the reader copies the one before out: two copies overlap, and never more than two.",
  },
  controls: [
    { key: "bytes", kind: "range", label: "message m", values: doubling(KIB, KIB * KIB), words: bytes, usual: 64 * KIB },
    { key: "fragment", kind: "range", label: "fragment f", values: FRAGMENTS, words: bytes, usual: 8 * KIB },
    { key: "buffers", kind: "range", label: "buffers s", values: BUFFERS, usual: 4 },
    { key: "sets", kind: "range", label: "sets q", values: [1, 2, 4], usual: 1, only: (s) => ["numa", "coll-sm"].includes(s.design) },
    { key: "ranks", kind: "range", label: "ranks P", min: 2, max: 16, usual: 2 },
    { key: "tW", kind: "range", label: "a notification tW", log: true, least: 10, min: 0, max: 20000, words: (ns) => time(ns * 1e3), usual: 50 },
    { key: "design", kind: "choice", label: "design", options: DESIGNS, usual: "numa" },
    { key: "tree", kind: "choice", label: "who notifies whom", options: TREES, usual: "flat", only: (s) => s.design !== "mvapich" },
  ],
  ask: (s) => {
    const b = s.fragment * s.buffers;
    const fitting = FRAGMENTS.filter((fragment) => fragment <= b);
    return {
      now: question(s, { trace: true }),
      one: question(s, { buffers: 1 }),
      over: BUFFERS.map((buffers) => question(s, { buffers })),
      lengths: fitting.map((fragment) => question(s, { fragment, buffers: b / fragment })),
    };
  },
  show: (s, answers) => shown(s, { ...answers, lengths: answers.lengths.map((answer) => ({ fragment: answer.rows[0].fragment_bytes, answer })) }),
  next: [
    "One buffer, then two, then four: where does the root wait, and where do the readers?",
    "A message of twice the queue: all readers wait for a first copy again. Two sets save that wait. For which messages do they pay?",
    "Raise tW to 20 µs: short fragments cost more notifications. Where does the lowest point of the curve over fragments go?",
    "Choose the design in which ranks with children copy twice, a chain and 8 ranks. Why does it take twice as long?",
    "Four buffers that are freed one by one: why does no reader ever wait for a second first copy?",
  ],
  exercise: {
    asks: "m = 64 KiB, f = 8 KiB, four buffers in one set, one reader, t = 1 ns/B, tW = 50 ns, tWO = 100 ns, tA = 10 ns: after how many µs has it the message?",
    unit: "µs",
    ask: { shm: { ranks: 2, tree: "flat", bytes: 64 * KIB, fragment: 8 * KIB, buffers: 4, set: "t=1ns/B,tW=50ns,tWO=100ns,tA=10ns" } },
    answer: (answer) => answer.rows[0].last_reader_us,
    hint: "The queue is used twice: each time tWO + tA and a first copy of 8192 B, for which the reader waits. Then one copy of the message and eight notifications.",
  },
  note: `<p>Draw Figure 3 of Kurnosov and Tokmasheva (2020) by three settings: one buffer with 32 KiB; four buffers with 64 KiB; eight buffers in two
    sets with 64 KiB. Have the class find the waits in each before anyone plays it. Point: pipelining gains a factor of two at the most, because
    there are two copies, and a few buffers get nearly all of it; what remains are waits that synchronise. The publication measured −30 % with two
    buffers and −40 to −46 % with four.</p>`,
};

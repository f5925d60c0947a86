// Lesson: in which state calls find their buffers (E4).

import { bars, curves } from "#charts";
import { bytes, significant } from "#units";

const SIZES = Array.from({ length: 17 }, (_, nth) => 64 << nth);
const STATES = [["same", "same: never rewritten"], ["touched", "touched: rewritten before each call"], ["cold", "cold: flushed from the caches"]];

const question = (s, state, size) => ({
  operation: "bcast", algorithm: "binomial", ranks: s.ranks, bytes: size, set: `L=${s.L}ns,o=100ns,g=100ns,G=${s.G}ns/B`, reference: state,
  platform: `single-copy-above=${s.above}B,fetch=${s.fetch}ns/B,load=${s.load}ns/B`,
});

export default {
  id: "buffers",
  title: "Buffers: same, touched or cold",
  question: "A benchmark broadcasts the same unchanged buffer again and again; an application writes it before. Ranks share memory. What is the difference?",
  guess: {
    asks: "For which messages does the state of the buffer matter most?",
    options: ["short ones", "long ones", "all the same"],
    right: 1,
    because: "What changes is the cost of fetching each byte from another core's cache or from memory: a cost per byte, invisible beside the latency of a short message.",
  },
  controls: [
    { key: "size", kind: "range", label: "bytes", values: SIZES, words: bytes, usual: 65536 },
    { key: "ranks", kind: "range", label: "ranks in shared memory", values: [2, 4, 8, 16, 32], usual: 2 },
    { key: "fetch", kind: "range", label: "fetch from another core's cache", log: true, least: 0.01, min: 0, max: 5, words: (ns) => `${significant(ns)} ns/B`, usual: 0.1 },
    { key: "load", kind: "range", label: "load from memory", log: true, least: 0.01, min: 0, max: 5, words: (ns) => `${significant(ns)} ns/B`, usual: 0.2 },
    { key: "G", kind: "range", label: "copy, gap per byte G", log: true, least: 0.01, min: 0, max: 5, words: (ns) => `${significant(ns)} ns/B`, usual: 0.1 },
    { key: "L", kind: "range", label: "latency L", log: true, least: 10, min: 10, max: 10000, words: (ns) => `${significant(ns)} ns`, usual: 200 },
    { key: "above", kind: "range", label: "single copy above", values: [0, 1024, 4096, 16384, 65536], words: bytes, usual: 0 },
  ],
  ask: (s) => ({
    now: STATES.map(([state]) => question(s, state, s.size)),
    over: STATES.flatMap(([state]) => SIZES.map((size) => question(s, state, size))),
  }),
  show(s, { now, over }) {
    const us = now.map((answer) => answer.finish_ps.max / 1e6);
    const groups = STATES.map(([, words], nth) => ({ name: words, bars: [{ value: us[nth], words: `${significant(us[nth])} µs`, hue: nth }] }));
    const line = (nth) => SIZES.map((size, place) => [size, over[nth * SIZES.length + place].finish_ps.max / over[SIZES.length + place].finish_ps.max]);
    return {
      pictures: [
        { label: groups.map((group) => `${group.name}: ${group.bars[0].words}`).join("; "), rows: 8, draw: (canvas) => bars(canvas, { groups, unit: `µs for ${bytes(s.size)}` }) },
        {
          label: "Time with each state of the buffers over that with touched ones, by length",
          rows: 13,
          draw: (canvas) => curves(canvas, { curves: STATES.map(([state], nth) => ({ name: state, points: line(nth) })), log: true, xName: "bytes", yName: "time / time with touched buffers", now: s.size, xWords: (size) => bytes(size) }),
        },
      ],
      sentence: `A broadcast of ${bytes(s.size)} takes ${significant(us[1])} µs with touched buffers; a benchmark that never rewrites them reports ${significant(us[0])} µs, ${significant(us[0] / us[1], 3)} of that.`,
      numbers: STATES.map(([, words], nth) => [words, `${significant(us[nth], 6)} µs`, nth === 1 ? "what an application sees: the reference" : `${significant(us[nth] / us[1], 4)} of the reference`]),
      runs: now,
    };
  },
  next: [
    "64 B against 1 MiB: where do the curves part?",
    "More ranks: which of them pay for the fetch?",
    "Raise single copy above: shorter messages go through shared buffers. Which curves come together, and which one does not?",
  ],
  exercise: {
    asks: "With fetch 0.1 ns/B, load 0.2 ns/B, G = 0.1 ns/B, L = 200 ns, o = g = 100 ns, 2 ranks, 1 MiB: by what factor is cold slower than touched?",
    unit: "times",
    ask: ["cold", "touched"].map((state) => question({ ranks: 2, L: 200, G: 0.1, above: 0, fetch: 0.1, load: 0.2 }, state, 1 << 20)),
    answer: ([cold, touched]) => cold.finish_ps.max / touched.finish_ps.max,
    hint: "Per byte: the copy, and the fetch or the load.",
  },
  note: `<p>OSU and IMB send the same unchanged buffer by default. Ask the class which of the three an application has: usually it has just
    computed what it sends. The costs per byte of a real machine come from <code>parallax calibrate</code>; the guide's page on errors
    has measured examples.</p>`,
};

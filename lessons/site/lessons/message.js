// Lesson: one message under five models.

import { curves } from "#charts";
import { inPs, networkControls } from "#network";
import { kinds, walk } from "#parts";
import { timeline } from "#timeline";
import { bytes, significant, time } from "#units";

const LONGEST = 1 << 16;
const SIZES = [1, 64, 256, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152, LONGEST];
const ns = (ps) => `${ps / 1e3}ns`;

/** What each model is given, from the same numbers. */
function models(s) {
  const { L, o, g, G } = inPs(s) ?? inPs({ ...s, net: "own" });
  const O = s.O * 1e3;
  // Kielmann's latency holds the overheads: the shortest message takes as long as in LogP.
  const plogp = Math.max(L + 2 * o - g, 0);
  const common = `L=${ns(L)},o=${ns(o)},g=${ns(g)}`;
  const long = g + LONGEST * G;
  return [
    { name: "Hockney", year: 1994, ask: { model: "hockney", set: `alpha=${ns(L + 2 * o)},beta=${ns(G)}/B`, send_rule: "busy" }, words: "α + β m", form: (m) => L + 2 * o + G * m },
    { name: "LogP", year: 1993, ask: { model: "logp", set: common }, words: "o + L + o", form: () => L + 2 * o },
    { name: "LogGP", year: 1995, ask: { model: "loggp", set: `${common},G=${ns(G)}/B` }, words: "o + BG + L + o", form: (m) => L + 2 * o + (m - 1) * G },
    { name: "LogGOPS", year: 2010, ask: { model: "loggops", set: `${common},G=${ns(G)}/B,O=${ns(O)}/B,S=${s.S}B` }, words: s.S < LONGEST ? "o + B max(G, O) + L + o + BO; longer than S: the sender waits for the receiver" : "o + B max(G, O) + L + o + BO", form: (m) => (m > s.S ? null : L + 2 * o + (m - 1) * Math.max(G, O) + (m - 1) * O) },
    { name: "PLogP", year: 2000, ask: { model: "plogp", set: `L=${ns(plogp)},os=${ns(o)},or=${ns(o)},g=0:${ns(g)}/${LONGEST}:${ns(long)}` }, words: "L′ + g(m), L′ = L + 2o − g, g(m) = g + m G", form: (m) => plogp + g + m * G },
  ];
}

const question = (model, m, more = {}) => ({ operation: "bcast", algorithm: "linear", ranks: 2, bytes: m, ...model.ask, ...more });

export default {
  id: "message",
  title: "One message, five models",
  question: "The same network in the words of five models. What does each say of one message?",
  guess: {
    asks: "A message grows from 1 B to 64 KiB. Under which model does it take no longer?",
    options: ["Hockney", "LogP", "LogGP", "LogGOPS"],
    right: 1,
    because: "LogP knows short messages only. Long ones were added by LogGP as the gap per byte G.",
  },
  controls: [
    { key: "m", kind: "range", label: "bytes m", values: SIZES, words: bytes, usual: 4096 },
    ...networkControls("loggopsim-2010", undefined, []),
    { key: "O", kind: "range", label: "overhead per byte O (LogGOPS)", log: true, least: 0.01, min: 0, max: 100, words: (value) => `${significant(value)} ns/B`, usual: 0.5 },
    { key: "S", kind: "range", label: "eager limit S (LogGOPS)", values: [1, 1024, 4096, 8192, 16384, 32768, LONGEST], words: bytes, usual: LONGEST },
  ],
  ask: (s) => ({
    all: models(s).map((model) => question(model, s.m, { trace: true })),
    over: models(s).flatMap((model) => SIZES.map((m) => question(model, m))),
  }),
  show(s, { all, over }) {
    const known = models(s);
    const ends = all.map((answer) => answer.finish_ps.max);
    const lines = known.map((model, nth) => ({ name: model.name, points: SIZES.map((m, place) => [m / 1024, over[nth * SIZES.length + place].finish_ps.max / 1e6]) }));
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    return {
      pictures: [
        {
          label: `Timelines of one message of ${bytes(s.m)}: ${known.map((model, nth) => `${model.name} ${time(ends[nth])}`).join(", ")}`,
          rows: 20,
          draw: (canvas, { until }) => timeline(canvas, known.map((model, nth) => ({ trace: all[nth].trace, title: `${model.name} (${model.year}): ${time(ends[nth])}`, names: (rank) => (rank ? "receiver" : "sender"), skew: false })), { until }),
        },
        { label: "Time of a message over its length, under each model", rows: 11, draw: (canvas) => curves(canvas, { curves: lines, xName: "length, KiB", yName: "time, µs", now: s.m / 1024 }) },
      ],
      walk: { ...walk(all[ends.indexOf(most)].trace), kinds: kinds(all.map((answer) => answer.trace)) },
      sentence: `A message of ${bytes(s.m)} takes from ${time(least)} to ${time(most)}, depending on the model.`,
      numbers: known.map((model, nth) => {
        const form = model.form?.(s.m);
        return [`${model.name} (${model.year})`, time(ends[nth], 6), form == null ? model.words : `${model.words} = ${time(form, 6)}`];
      }),
      runs: all,
    };
  },
  next: [
    "Drag G alone: which bars grow? Drag O: only one.",
    "Lower the eager limit S below m: the sender waits for its receiver (hatched). Why does the message take no longer? The receiver was ready.",
    "Choose the CM-5, whose publication has no G: Hockney, LogP and LogGP agree, whatever the length.",
    "The gap g changes nothing here (unless g > L + 2o under PLogP). Why is it in the models? Lesson Binomial tree against linear broadcast shows messages in a row.",
  ],
  exercise: {
    asks: "Under LogGP with L = 2 µs, o = 0.5 µs, g = 0.5 µs, G = 0.1 ns/B: how many µs does a message of 10,000 B take?",
    unit: "µs",
    ask: { operation: "bcast", algorithm: "linear", ranks: 2, bytes: 10000, model: "loggp", set: "L=2us,o=500ns,g=500ns,G=0.1ns/B" },
    answer: (answer) => answer.finish_ps.max / 1e6,
    hint: "o + (m − 1) G + L + o.",
  },
  note: `<p>Sources: Hockney (1994), Culler et al. (1993), Alexandrov et al. (1995), Hoefler et al. (2010), Kielmann et al. (2000).
    O and S are chosen here; the defaults of LogGOPSim have O = 0. The first byte is part of o and g, so that B = m − 1 bytes cost G. The picture shows who is busy when: under Hockney (busy
    sender) the sender pays for the whole transfer, under LogGP only o.</p>`,
};

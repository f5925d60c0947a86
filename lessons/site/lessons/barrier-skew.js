// Lesson: ranks leave a barrier at different times (E5).

import { dots } from "#charts";
import { EAGER, THREADS, inPs, net, networkControls } from "#network";
import { BARRIERS, RANKS, rowsFor, walk } from "#parts";
import { timeline } from "#timeline";
import { exits } from "#trace";
import { significant, time, unitFor } from "#units";
import { byRank, of } from "#live";

const DRAWN = 1024;

const question = (s, algorithm, more = {}) => ({
  operation: "barrier", algorithm, ranks: s.ranks, ...net(s), ...(s.apart > 0 ? { entry: `random:${s.apart}us` } : {}), ...more,
});

/** Skew and last exit where all ranks enter together, in ps. */
export function closedForm(algorithm, ranks, { L, o, g }) {
  if (algorithm === "dissemination" && g <= L + 2 * o) {
    return { skew: 0, last: Math.ceil(Math.log2(ranks)) * (L + 2 * o), words: "⌈log₂ P⌉ (L + 2o), the same for every rank" };
  }
  if (algorithm === "linear") {
    const step = Math.max(o, g);
    const last = 2 * (L + 2 * o) + 2 * (ranks - 2) * step;
    return { skew: Math.max((ranks - 2) * step, L + o), last, words: "skew max((P − 2) max(o, g), L + o)" };
  }
  return null;
}

export default {
  id: "barrier-skew",
  title: "Barrier skew, by algorithm",
  question: "All ranks enter a barrier at the same instant. How far apart do they leave it? A benchmark starts its clock there.",
  guess: {
    asks: "Behind which barrier do 8 ranks leave at the same instant?",
    options: ["linear", "tree", "dissemination", "none of them"],
    right: 2,
    because: "In a dissemination barrier every rank does the same in every round. In a tree, the root knows first that all are there, and tells the others one after the other.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: [...RANKS, 4096, 16384, 65536, 2 ** 20], usual: 8 },
    { key: "algorithm", kind: "choice", label: "barrier in the timeline", options: BARRIERS, usual: "tree" },
    { key: "apart", kind: "range", label: "ranks enter apart by up to", min: 0, max: 20, step: 0.5, words: (us) => `${us} µs`, usual: 0 },
    ...networkControls("alps-2025", undefined, [EAGER]),
  ],
  // So many messages take seconds.
  slow: (s) => (s.ranks > DRAWN ? ["all"] : []),
  ask: (s) => ({
    all: BARRIERS.map(([name]) => question(s, name)),
    run: question(s, s.algorithm, { trace: s.ranks <= DRAWN }),
  }),
  show(s, { all, run }) {
    const finishOf = (answer) => answer.finish_per_rank_ps ?? [answer.finish_ps.min, answer.finish_ps.max];
    const there = all ? BARRIERS.map((barrier, nth) => [barrier, finishOf(all[nth])]) : [[BARRIERS.find(([name]) => name === s.algorithm), finishOf(run)]];
    const chosen = exits(finishOf(run));
    const unit = unitFor(chosen.last);
    const rows = there.map(([[name, words], finish]) => {
      const thin = finish.length > 256 ? [exits(finish).first, ...finish.filter((_, rank) => rank % Math.ceil(finish.length / 256) === 0), exits(finish).last] : finish;
      return { name: words, chosen: name === s.algorithm, hue: 0, values: thin.map((ps) => ps / unit.ps), words: time(exits(finish).skew, 3) };
    });
    const form = s.apart === 0 && inPs(s) && closedForm(s.algorithm, s.ranks, inPs(s));
    const words = BARRIERS.find(([name]) => name === s.algorithm)[1];
    const zero = s.apart > 0 ? "the first rank may enter" : "all ranks enter";
    const pictures = [];
    if (run.trace) {
      pictures.push({
        label: `Timeline of a ${words} barrier on ${s.ranks} ranks: exit skew ${time(chosen.skew)}`,
        rows: rowsFor(s.ranks),
        draw: (canvas, { until }) => timeline(canvas, [{ trace: run.trace, title: `${words} barrier`, begin: 0 }], { until, zero, unit }),
      });
    }
    pictures.push({
      label: `When each rank leaves each barrier: ${rows.map((row) => `${row.name} ${row.words} apart`).join(", ")}`,
      rows: 11,
      draw: (canvas, { live }) => dots(canvas, { rows: [...rows, ...measured(live, unit)], xName: `a rank leaves, ${unit.symbol} after ${zero}`, of: "exit skew" }),
    });
    return {
      pictures,
      walk: run.trace && walk(run.trace, 0),
      sentence: chosen.skew === 0
        ? `All ${s.ranks} ranks leave the ${words} barrier at the same instant, after ${time(chosen.last)}.`
        : `The last of ${s.ranks} ranks leaves the ${words} barrier ${time(chosen.skew)} after the first. A benchmark that starts its clock there starts ${time(chosen.skew)} apart.`,
      numbers: [
        ["exit skew", time(chosen.skew, 6), form ? `closed form: ${time(form.skew, 6)} (${form.words})` : s.apart > 0 ? "" : "no closed form for this algorithm on this network"],
        [`first and last exit, after ${zero}`, `${time(chosen.first, 6)}, ${time(chosen.last, 6)}`, form ? `closed form of the last: ${time(form.last, 6)}` : ""],
        ["skew against the barrier's time", `${significant((chosen.skew / chosen.last) * 100, 3)} %`],
        ["messages", run.messages],
      ],
      runs: [run, ...(all ?? [])],
    };
  },
  measure: {
    about: "Real ranks pass the same barriers, entered together by synchronised clocks; their exits join the picture. The network above changes. Threads of this machine emulate a slow one: a message arrives 100 µs after it was sent, and its sender goes on at once, as on Alps, where a message takes about 4 µs. Skews grow in that ratio (tree, 8 ranks: 300 µs in place of 11.7 µs), and the barriers without skew stay without. MPI ranks use the real network, whose time of a message is fitted to one of the barriers.",
    job: (s) => ({ operation: "barrier", algorithms: BARRIERS.map(([name]) => name), ranks: s.ranks, calls: 1, methods: ["window"], send_rule: "eager", settings: (world) => (world === "threads" ? THREADS : {}) }),
    // All ranks of a dissemination barrier do the same: a message takes its share of it.
    fit(samples, s) {
      const last = Math.max(...byRank(of(samples, { algorithm: "dissemination" })));
      const alpha = Math.round((last * 1e3) / Math.ceil(Math.log2(s.ranks)));
      if (!(alpha > 0)) return null;
      return { settings: { ...THREADS, alpha }, words: `Simulated with messages of ${time(alpha * 1e3, 3)}, so that the dissemination barrier takes as long as measured; the other rows are predictions.` };
    },
  },
  next: [
    "Move the ranks from 8 to 9: whose skew stays, and who needs another round? Recursive doubling has an extra step for ranks beyond a power of two.",
    "Choose the CM-5 and the linear barrier, then double the gap g to 8 µs: its skew doubles, that of the dissemination barrier stays 0.",
    "2²⁰ ranks: which skews grow with P, which with log P, which not at all?",
    "Let ranks enter apart by 10 µs: does any barrier bring them together? Skew 0 holds for ranks that enter together.",
    "Compare the skew with the time of the call that you want to measure (lesson Start by barrier or by window).",
  ],
  exercise: {
    asks: "On the CM-5 (L = 6 µs, o = 2 µs, g = 4 µs), after how many µs does the last of 12 ranks leave a dissemination barrier?",
    unit: "µs",
    ask: { operation: "barrier", algorithm: "dissemination", ranks: 12, set: "cm5-1993" },
    answer: (answer) => answer.finish_ps.max / 1e6,
    hint: "How many rounds do 12 ranks need, and what does each take: o, then L, then o?",
  },
  note: `<p><b>Ten minutes.</b> (1) Let the class guess. (2) Tree on 8 ranks, <i>play</i>: the news that all are there comes up to
    rank 0, then goes down; who hears last leaves last. (3) Dissemination: every rank the same, three rounds. (4) Move the ranks to 9, then to 64,
    and read the skews of all six below the timeline. (5) Let ranks enter 10 µs apart: no barrier brings all of them out at once. (6) Point: a benchmark that starts each rank's clock behind a barrier starts the clocks apart
    by the exit skew. A rank that starts late waits less in the call, so the number can be <i>smaller</i> than the call's time.
    (7) Exercise. The real thing: <i>Measure it here</i> (with
    <code>parallax lesson</code>), and <code>docs/guide/barrier-study.md</code> for benchmarks in the field.</p>`,
};

/** What real ranks did, a row for each barrier. */
function measured(live, unit) {
  const rows = [];
  for (const [name, words] of BARRIERS) {
    const times = of(live, { algorithm: name, method: "window" });
    if (!times.length) continue;
    const values = byRank(times).map((us) => (us * 1e6) / unit.ps);
    rows.push({ name: `${words}, measured`, hue: 1, values, words: time((Math.max(...values) - Math.min(...values)) * unit.ps, 3) });
  }
  return rows;
}

// Lesson: calls in a loop, timed together (E6).

import { curves } from "#charts";
import { byRank, median, of } from "#live";
import { rooted, rowsFor, walk } from "#parts";
import { timeline } from "#timeline";
import { significant, time, unitFor } from "#units";

const CALLS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

const question = (s, calls, more = {}) => ({
  operation: "bcast", algorithm: s.algorithm, ranks: s.ranks, bytes: 8, calls, samples: 1, method: "loop", barrier: "dissemination",
  set: `alpha=${s.alpha}us,beta=0ns/B`, send_rule: "busy", ...more,
});

/** How many times its own time a loop of k linear broadcasts reports for rank i of n (busy senders). */
export const closedForm = (i, n, k) => (i === 0 ? 1 : (i + (k - 1) * (n - 1)) / (k * i));

export default {
  id: "loop",
  title: "The unsynchronised loop",
  question: "A benchmark times k broadcasts in a loop and divides by k. What does it report for a rank that would be done early?",
  guess: {
    asks: "4 linear broadcasts in a loop on 4 ranks: the time reported for rank 1 is its true time multiplied by …",
    options: ["1", "1.33", "2.5", "4"],
    right: 2,
    because: "Rank 1 gets the first message after one step, but the next call's message only after the root has served everybody: it waits inside the timed region. (1 + 3 · 3) / (4 · 1) = 2.5.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks n", min: 2, max: 16, usual: 4 },
    { key: "calls", kind: "range", label: "calls k", min: 1, max: 32, usual: 4 },
    { key: "rank", kind: "range", label: "watched rank i", min: 1, max: 15, most: (s) => s.ranks - 1, usual: 1 },
    { key: "algorithm", kind: "choice", label: "broadcast", options: [["linear", "linear"], ["binomial", "binomial tree"], ["chain", "chain"]], usual: "linear" },
    { key: "alpha", kind: "range", label: "time of a message α", log: true, least: 0.1, min: 0.1, max: 1000, words: (us) => `${significant(us)} µs`, usual: 100 },
  ],
  fits: (s) => ({ ...s, rank: Math.min(s.rank, s.ranks - 1) }),
  ask: (s) => ({ run: question(s, s.calls, { trace: true }), over: CALLS.map((calls) => question(s, calls)) }),
  show(s, { run, over }) {
    const says = run.ranks.map((rank) => rank.printed_ps);
    const truth = run.ranks.map((rank) => rank.reference_ps);
    const ratio = run.ranks[s.rank].ratio;
    const form = s.algorithm === "linear" ? closedForm(s.rank, s.ranks, s.calls) : null;
    const rows = says.map((ps, rank) => [time(ps, 3), time(truth[rank], 3)]);
    const simulated = over.map((answer, nth) => [CALLS[nth], answer.ranks[s.rank].ratio]);
    const all = [{ name: `simulated, rank ${s.rank}`, points: simulated }];
    if (form !== null) all.push({ name: "closed form", hue: 3, dashed: true, points: Array.from({ length: 32 }, (_, k) => [k + 1, closedForm(s.rank, s.ranks, k + 1)]) });
    return {
      pictures: [
        {
          label: `Timeline of ${s.calls} calls in a loop; the loop reports ${significant(ratio)} times the true time of rank ${s.rank}`,
          rows: rowsFor(s.ranks) + 3,
          draw: (canvas, { until }) => timeline(canvas, [{ trace: run.trace, names: rooted(0), skew: false, title: "a colour for each call", columns: { heads: ["loop says", "true"], rows, told: s.rank } }], { until, unit: unitFor(says[s.rank]) }),
        },
        {
          label: `Reported over true time of rank ${s.rank} as the number of calls grows: ${simulated.map(([k, r]) => `${k}: ${significant(r, 3)}`).join(", ")}`,
          rows: 11,
          draw: (canvas, { live }) => curves(canvas, { curves: [...all, ...measured(live, s)], log: true, xName: "calls k in the loop", yName: "reported / true", now: s.calls }),
        },
      ],
      walk: walk(run.trace),
      sentence: `The loop reports ${time(says[s.rank])} for rank ${s.rank}, ${significant(ratio)} times its true ${time(truth[s.rank])}.`,
      numbers: [
        [`reported / true, rank ${s.rank}`, significant(ratio, 6), form === null ? "closed form for linear only" : `closed form (i + (k − 1)(n − 1)) / (k i) = ${significant(form, 6)}`],
        ["as k grows, it tends to", significant(s.algorithm === "linear" ? (s.ranks - 1) / s.rank : simulated.at(-1)[1], 4), s.algorithm === "linear" ? "(n − 1) / i" : "at k = 32"],
        ["slowest rank: reported, true", `${significant(run.reported_us, 6)} µs, ${significant(run.reference_us, 6)} µs`],
      ],
      runs: s.algorithm === "linear" ? [run] : [run, over.at(-1)],
    };
  },
  measure: {
    about: "Real ranks call the same broadcast, step by step over point-to-point messages, in a loop and by windows. The slider α follows: threads of this machine emulate this network with α = 100 µs; MPI ranks use the real one, whose α is fitted to the windows.",
    job: (s) => ({ operation: "bcast", algorithms: [s.algorithm], ranks: s.ranks, calls: s.calls, methods: ["loop", "window"], settings: (world) => (world === "threads" ? { alpha: 100 } : {}) }),
    // Messages are short: all times grow with α.
    fit(samples, s, { run }) {
      const slowest = Math.max(...byRank(of(samples, { method: "window" })));
      const alpha = Number(((s.alpha * slowest) / run.reference_us).toPrecision(3));
      if (!(alpha > 0)) return null;
      return { settings: { alpha }, words: `Simulated with messages of ${significant(alpha)} µs, so that one call takes as long as measured by windows; what the loop says is predicted.` };
    },
  },
  next: [
    "One call only (k = 1): why is the loop right?",
    "Watch the last rank: it is right for every k. A maximum over ranks hides this error, a mean does not.",
    "The binomial tree on 5 ranks: which rank is misreported, and by how much? On 8 ranks none is.",
    "The chain on 16 ranks (four chains side by side): the loop reports less than the call takes for the last rank. Calls overlap like in a pipeline.",
  ],
  exercise: {
    asks: "A loop of 10 linear broadcasts on 8 ranks: reported over true time of rank 1?",
    unit: "times",
    ask: { operation: "bcast", algorithm: "linear", ranks: 8, bytes: 8, calls: 10, samples: 1, method: "loop", barrier: "dissemination", set: "alpha=100us,beta=0ns/B", send_rule: "busy" },
    answer: (answer) => answer.ranks[1].ratio,
    hint: "Each of the later 9 calls costs rank 1 the 7 steps of the root; the first only 1.",
  },
  note: `<p>Draw the root's sends on the board, 1 … n − 1, then again for the next call. Rank 1's second message comes n − 1 steps after
    the first. Therefore r = (i + (k − 1)(n − 1)) / (k i). Step through with the full stop key. Rank 1 waits (hatched)
    while the root sends to the others: every call of the loop but the first costs it that wait, though its own message takes one step. With <code>parallax lesson</code>, <i>Measure it here</i> gives 2.5 on threads within seconds.</p>`,
};

/** Ratios of real ranks, launch by launch. */
function measured(live, s) {
  const ratios = [];
  for (const launch of new Set(live.map((one) => one.launch))) {
    const us = (method) => median(of(live, { launch, method, rank: s.rank }).map((one) => one.us));
    const ratio = us("loop") / us("window");
    if (Number.isFinite(ratio)) ratios.push([s.calls, ratio]);
  }
  return ratios.length ? [{ name: "measured here", hue: 1, dots: true, points: ratios }] : [];
}

// Lesson: the root changes from call to call (E3).

import { bars } from "#charts";
import { net, networkControls } from "#network";
import { rowsFor, upTo, walk } from "#parts";
import { timeline } from "#timeline";
import { significant } from "#units";

const ALGORITHMS = [["binomial", "binomial tree"], ["linear", "linear"], ["chain", "chain"]];

const timed = (s, method) => ({
  operation: "bcast", algorithm: s.algorithm, ranks: s.ranks, bytes: 8, ...net(s), method, calls: s.calls, samples: 1, barrier: "dissemination", trace: true,
});

export default {
  id: "root-changes",
  title: "The root changes",
  question: "Some benchmarks let another rank be root in every call, so that calls should not overlap like a pipeline. What does that do to the number?",
  guess: {
    asks: "With a new root in each call, 8 binomial broadcasts in a loop report …",
    options: ["exactly the time of one call", "more than that", "less than that"],
    right: 2,
    because: "The next root received its message early, and sends at once while others still wait for the last call: successive calls overlap.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: upTo(32), usual: 8 },
    { key: "calls", kind: "range", label: "calls k", min: 1, max: 32, usual: 8 },
    { key: "algorithm", kind: "choice", label: "broadcast", options: ALGORITHMS, usual: "binomial" },
    ...networkControls("alps-2025"),
  ],
  // Windows need synchronised clocks, which take most of the time on many ranks.
  slow: () => ["apart"],
  ask: (s) => ({ turning: timed(s, "root-rotation"), fixed: timed(s, "loop"), apart: { ...timed(s, "window"), trace: false } }),
  show(s, { turning, fixed, apart }) {
    const truth = turning.reference_us;
    const group = (name, us, hue) => ({ name, bars: [{ value: us, words: `${significant(us)} µs`, hue }] });
    const groups = [
      group("one call takes", truth, 0),
      group("loop, root fixed", fixed.reported_us, 1),
      group("loop, root changes", turning.reported_us, 1),
      ...(apart ? [group("by windows", apart.reported_us, 2)] : []),
    ];
    return {
      pictures: [
        {
          label: `Timelines of ${s.calls} broadcasts with a changing and with a fixed root`,
          rows: rowsFor(s.ranks, 2) + 2,
          draw: (canvas, { until }) => timeline(canvas, [
            { trace: turning.trace, title: "root changes: rank 0, 1, 2 …", skew: false },
            { trace: fixed.trace, title: "root fixed: rank 0", skew: false },
          ], { until }),
        },
        { label: groups.map((one) => `${one.name}: ${one.bars[0].words}`).join("; "), rows: 8, draw: (canvas) => bars(canvas, { groups, unit: "µs", mark: { value: truth, name: "one call takes" } }) },
      ],
      walk: walk(turning.trace),
      sentence: `One call takes ${significant(truth)} µs. A loop of ${s.calls} reports ${significant(turning.reported_us)} µs with a changing root, ${significant(fixed.reported_us)} µs with a fixed one.`,
      numbers: [
        ["one call takes", `${significant(truth, 6)} µs`],
        ["loop with a changing root", `${significant(turning.reported_us, 6)} µs`, `${significant(turning.ratio, 4)} of the call's time`],
        ["loop with a fixed root", `${significant(fixed.reported_us, 6)} µs`, `${significant(fixed.ratio, 4)} of the call's time`],
        apart && ["by windows", `${significant(apart.reported_us, 6)} µs`, `${significant(apart.ratio, 4)} of the call's time`],
      ].filter(Boolean),
      runs: [turning, fixed, apart],
    };
  },
  next: [
    "The CM-5: with a changing root, is the loop further off for the linear broadcast or for the tree? And on Alps?",
    "The chain: the next root is the next rank of the chain. What happens?",
    "k = 1: even one call is misreported, because ranks leave the barrier before it apart.",
  ],
  exercise: {
    asks: "CM-5, linear broadcast of 8 B on 8 ranks, 8 calls with a changing root: reported over true time?",
    unit: "times",
    ask: { operation: "bcast", algorithm: "linear", ranks: 8, bytes: 8, set: "cm5-1993", method: "root-rotation", calls: 8, samples: 1, barrier: "dissemination" },
    answer: (answer) => answer.ratio,
    hint: "Choose the CM-5, linear and 8 calls above; the answer stands at the right of the second row.",
  },
  note: `<p>IMB and mpptest change the root. Follow one rank's colours from left to right: where colours of two calls lie one above the
    other, calls overlap. Whether a benchmark with a changing root reports more or less depends on who is next.</p>`,
};

// Lesson: a start by barrier against a start by clocks (windows).

import { bars } from "#charts";
import { net, networkControls } from "#network";
import { BARRIERS, rooted, rowsFor, upTo, walk } from "#parts";
import { timeline } from "#timeline";
import { bytes, significant, time } from "#units";

const ALGORITHMS = [["binomial", "binomial tree"], ["linear", "linear"], ["chain", "chain"], ["binary", "binary tree"]];

const timed = (s, method) => ({
  operation: "bcast", algorithm: s.algorithm, ranks: s.ranks, bytes: s.bytes, ...net(s), method, barrier: s.barrier, samples: 4, trace: true,
});

/** What `osu` prints: the mean over ranks. */
const mean = (answer) => answer.ranks.reduce((sum, rank) => sum + rank.printed_ps, 0) / answer.ranks.length;

export default {
  id: "start",
  title: "Start by barrier, or by window",
  question: "A benchmark wants all ranks to begin a broadcast together. It calls a barrier before, or it has agreed on an instant. What does it print?",
  guess: {
    asks: "Behind a tree barrier, the mean over ranks of a broadcast's time is …",
    options: ["larger than the broadcast takes", "about right", "smaller than it takes"],
    right: 2,
    because: "Ranks leave the tree in the order in which the broadcast reaches them: who gets the message late also starts its clock late.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: upTo(64), usual: 8 },
    { key: "algorithm", kind: "choice", label: "broadcast", options: ALGORITHMS, usual: "binomial" },
    { key: "barrier", kind: "choice", label: "barrier", options: BARRIERS, usual: "tree" },
    { key: "bytes", kind: "range", label: "bytes", values: [1, 8, 64, 512, 4096, 16384, 65536, 1 << 18, 1 << 20], words: bytes, usual: 8 },
    ...networkControls("alps-2025"),
  ],
  // Windows need synchronised clocks, which take most of the time on many ranks.
  slow: () => ["window"],
  ask: (s) => ({ barrier: timed(s, "barrier-loop"), window: timed(s, "window") }),
  show(s, { barrier, window }) {
    const said = (answer, words) => ({ name: words, bars: [{ value: answer, words: `${significant(answer, 4)} µs` }] });
    const own = mean(barrier) / 1e6;
    const groups = [
      { name: "the call takes", bars: [{ value: barrier.reference_us, words: `${significant(barrier.reference_us, 4)} µs`, hue: 0 }] },
      said(own, "behind the barrier, mean over ranks"),
      said(barrier.reported_us, "behind the barrier, slowest rank"),
    ];
    if (window) groups.push(said(window.reported_us, "by windows, slowest rank"));
    groups.slice(1).forEach((group, nth) => Object.assign(group.bars[0], { hue: nth === 2 ? 2 : 1 }));
    const ratio = own / barrier.reference_us;
    return {
      pictures: [
        {
          label: "Timelines of a broadcast behind a barrier, and of one that starts by the clocks",
          rows: rowsFor(s.ranks, 2),
          draw: (canvas, { until }) => timeline(canvas, [
            { trace: barrier.trace, title: "barrier, then the call", names: rooted(0), skew: false },
            ...(window ? [{ trace: window.trace, title: "started by the clocks", names: rooted(0), skew: false }] : []),
          ], { until }),
        },
        { label: groups.map((group) => `${group.name}: ${group.bars[0].words}`).join("; "), rows: 8, draw: (canvas) => bars(canvas, { groups, unit: "µs", mark: { value: barrier.reference_us, name: "the call takes" } }) },
      ],
      walk: walk(barrier.trace),
      sentence: `The broadcast takes ${significant(barrier.reference_us, 4)} µs. Behind a ${s.barrier} barrier the mean over ranks says ${significant(own, 4)} µs: ${significant(ratio, 3)} times as much.`,
      numbers: [
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
    "16, 32, 64 ranks: why does the share stay as it is?",
  ],
  exercise: {
    asks: "Behind a linear barrier on 16 ranks (network default of LogGOPSim), how many times the call's time does the slowest rank print of a binomial broadcast of 8 B?",
    unit: "times",
    ask: { operation: "bcast", algorithm: "binomial", ranks: 16, bytes: 8, set: "loggopsim-2010", method: "barrier-loop", barrier: "linear", samples: 4 },
    answer: (answer) => answer.ratio,
    hint: "Set it up above; the answer stands at the right of the third row.",
  },
  note: `<p>Black brackets show what each rank times. Let students point out two ranks: one that starts its clock before the message can
    possibly come, one that starts when the message is nearly there. Then ask what minimum, mean and maximum over ranks would print.
    The ranks enter the barrier apart, as the call
    before has left them: therefore even a dissemination barrier, which has no skew where all enter together, does not start them
    together. Windows have errors of their own: clocks (lesson on bad clocks) and idle ranks that wake up slowly (E8).</p>`,
};

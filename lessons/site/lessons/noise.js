// Lesson: the same share of noise, in rare long or in frequent short detours.

import { curves } from "#charts";
import { net, networkControls } from "#network";
import { counted, rowsFor, upTo, walk } from "#parts";
import { median } from "#live";
import { pen, write } from "#look";
import { timeline } from "#timeline";
import { significant, time } from "#units";

const OVER = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const DRAWN = 20;

const sources = (s) => ({
  long: `periodic:period=${significant(250000 / s.share, 12)}us,duration=2500us`,
  short: `periodic:period=${significant(2500 / s.share, 12)}us,duration=25us`,
});

const calls = (s, ranks, more) => ({ operation: "allreduce", algorithm: "recursive-doubling", ranks, bytes: 8, calls: s.calls, ...net(s), ...more });

export default {
  id: "noise",
  title: "The same noise, long and rare or short and frequent",
  question: "An operating system takes 2.5 % of every CPU: ten times a second for 2.5 ms, or a thousand times for 25 µs. Which is worse for a program of many ranks?",
  guess: {
    asks: "1000 ranks call 20 allreduces in a row. Which noise costs more, on average?",
    options: ["both the same: 2.5 %", "25 µs, a thousand times a second", "2.5 ms, ten times a second"],
    right: 2,
    because: "With many ranks somebody is nearly always inside a long detour, and all wait for it. Short ones delay too, but by 25 µs at a time.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks in the timeline", values: upTo(64), usual: 16 },
    { key: "calls", kind: "range", label: "allreduces in a row", values: [1, 2, 5, 10, 20, 50, 100], usual: 20 },
    { key: "share", kind: "range", label: "share of the CPU", min: 0.5, max: 10, step: 0.5, words: (share) => `${share} %`, usual: 2.5 },
    { key: "kind", kind: "choice", label: "in the timeline", options: [["short", "25 µs, frequent"], ["long", "2.5 ms, rare"]], usual: "short" },
    { key: "seed", kind: "range", label: "draw", min: 1, max: 50, usual: 1 },
    ...networkControls("alps-2025"),
  ],
  // Hundreds of simulations: the timeline need not wait for them.
  slow: () => ["quiet", "long", "short"],
  ask: (s) => {
    const noisy = (kind, ranks) => calls(s, ranks, { noise: [sources(s)[kind]], realisations: DRAWN, seed: s.seed });
    return {
      run: calls(s, s.ranks, { noise: [sources(s)[s.kind]], seed: s.seed, trace: true }),
      quiet: OVER.map((ranks) => calls(s, ranks)),
      long: OVER.map((ranks) => noisy("long", ranks)),
      short: OVER.map((ranks) => noisy("short", ranks)),
    };
  },
  show(s, { run, quiet, long, short }) {
    const lanes = {
      label: `Timeline of ${counted(s.calls, "allreduce")} under noise on ${s.ranks} ranks`,
      rows: rowsFor(s.ranks),
      draw: (canvas, { until }) => timeline(canvas, [{ trace: run.trace, title: s.kind === "long" ? "2.5 ms, rare" : "25 µs, frequent" }], { until }),
    };
    const draw = ["this draw, in the timeline", time(run.finish_ps.max), run.untouched_by_noise ? "no detour delayed a rank in it" : ""];
    const common = { walk: walk(run.trace), runs: [run] };
    if (!quiet) return { ...common, pictures: [lanes, pending], sentence: "Simulating 20 draws for each number of ranks …", numbers: [draw] };
    const ratio = (answers) => answers.map((answer, nth) => [OVER[nth], mean(answer) / quiet[nth].finish_ps.max]);
    const [rare, frequent] = [ratio(long), ratio(short)];
    const [most, other] = [rare.at(-1)[1], frequent.at(-1)[1]];
    const curve = {
      label: `Time with noise over time without, by the number of ranks: rare ${rare.map(([p, r]) => `${p}: ${significant(r, 3)}`).join(", ")}; frequent ${frequent.map(([p, r]) => `${p}: ${significant(r, 3)}`).join(", ")}`,
      rows: 12,
      draw: (canvas) => curves(canvas, { curves: [{ name: "2.5 ms, rare", points: rare }, { name: "25 µs, frequent", points: frequent }], log: true, logY: most > 8, xName: "ranks P", yName: "with noise / without, mean of 20 draws" }),
    };
    return {
      ...common,
      runs: [run, quiet.at(-1), long.at(-1), short.at(-1)],
      pictures: [lanes, curve],
      sentence: `On 1024 ranks ${counted(s.calls, "allreduce")} take ${significant(most, 3)} times as long under long, rare detours, ${significant(other, 3)} times under short, frequent ones; both take ${s.share} % of the CPU.`,
      numbers: [
        ["without noise, 1024 ranks", time(quiet.at(-1).finish_ps.max, 6)],
        ["2.5 ms, rare: mean of 20 draws", time(mean(long.at(-1))), `${significant(most, 4)} times; median ${time(middle(long.at(-1)))}`],
        ["25 µs, frequent: mean of 20 draws", time(mean(short.at(-1))), `${significant(other, 4)} times; median ${time(middle(short.at(-1)))}`],
        ["on one rank alone", `${significant(1 / (1 - s.share / 100), 4)} times`, "closed form 1 / (1 − share), in the long run"],
        draw,
      ],
    };
  },
  watch: {
    about: "Threads of this machine, or MPI ranks, one on each CPU but one, look for ten seconds at nothing but their clocks: a step that takes longer than usual is a detour. Start something meanwhile, and see it.",
  },
  next: [
    "One allreduce only: of 1024 ranks some 26 are inside a long detour at any time. What does the call wait for?",
    "Double the share: does the cost double?",
    "100 calls: does the slowdown of the rare noise grow or shrink, and why?",
    "Other draws with the timeline of the rare noise: most runs see nothing.",
  ],
  exercise: {
    asks: "16 ranks, 20 allreduces on Alps (2025), one detour of 25 µs at rank 3 at time 0: by how many µs is the last rank later than without?",
    unit: "µs",
    ask: [
      { operation: "allreduce", algorithm: "recursive-doubling", ranks: 16, bytes: 8, calls: 20, set: "alps-2025", detour: ["rank=3,at=0us,for=25us"] },
      { operation: "allreduce", algorithm: "recursive-doubling", ranks: 16, bytes: 8, calls: 20, set: "alps-2025" },
    ],
    answer: ([noisy, quiet]) => (noisy.finish_ps.max - quiet.finish_ps.max) / 1e6,
    hint: "Every allreduce waits for every rank: is anything of the delay lost on the way?",
  },
  note: `<p>The shares are those of Hoefler, Schneider and Lumsdaine (2010). The point is the maximum over ranks: a rank alone loses 2.5 %,
    1024 ranks that wait for each other lose what the unluckiest loses, in every call. On few ranks most runs see no long
    detour: draw the timeline of 16 ranks several times. A median over runs then shows nothing of them, a mean does.</p>`,
};

/** In place of the curves, as long as they are simulated. */
const pending = { label: "curves, not there yet", rows: 12, draw: (canvas) => write(pen(canvas).context, "simulating …", 12, 24) };

const mean = (answer) => answer.finish_per_realisation_ps.reduce((sum, ps) => sum + ps, 0) / DRAWN;

const middle = (answer) => median(answer.finish_per_realisation_ps);

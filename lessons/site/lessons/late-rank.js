// Lesson: one late rank, and whom it delays (the causal cone).

import { net, networkControls } from "#network";
import { BARRIERS, counted, rowsFor, upTo, walk } from "#parts";
import { timeline } from "#timeline";
import { delayed, exits, lateFrom } from "#trace";
import { significant, time } from "#units";

const us = (value) => `${significant(value)} µs`;

function disturbed(s) {
  if (s.cause === "entry") return { entry: Array.from({ length: s.ranks }, (_, rank) => (rank === s.rank ? `${s.delay}us` : "0us")).join(",") };
  if (s.cause === "detour") return { detour: [`rank=${s.rank},at=${s.at}us,for=${s.delay}us`] };
  return { noise: [`exponential:mean=${s.delay}us,rate=${s.rate}kHz`], seed: s.seed };
}

export default {
  id: "late-rank",
  title: "One late rank, or noise, in a barrier",
  question: "One rank is late, or loses its CPU for a while. Which ranks are delayed by it, and by how much?",
  guess: {
    asks: "Rank 3 of 8 loses its CPU for 10 µs in a dissemination barrier, before its second message. How many ranks leave late?",
    options: ["only rank 3", "rank 3 and one other", "half of them", "all of them"],
    right: 2,
    because: "Only ranks that still hear of rank 3, directly or through others, are delayed: two rounds are left, so 4 ranks are reached. Had rank 3 entered late, all other ranks would be delayed.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", values: upTo(64), usual: 8 },
    { key: "algorithm", kind: "choice", label: "barrier", options: BARRIERS, usual: "dissemination" },
    { key: "cause", kind: "choice", label: "disturbance", options: [["detour", "one detour of one rank"], ["entry", "one rank enters late"], ["noise", "random noise on all ranks"]], usual: "detour" },
    { key: "rank", kind: "range", label: "which rank", min: 0, max: 63, most: (s) => s.ranks - 1, usual: 3, only: (s) => s.cause !== "noise" },
    { key: "delay", kind: "range", label: "for how long (noise: on average)", log: true, least: 0.1, min: 0, max: 1000, words: us, usual: 10 },
    { key: "at", kind: "range", label: "when", min: 0, max: 60, step: 0.5, words: us, usual: 4, only: (s) => s.cause === "detour" },
    { key: "rate", kind: "range", label: "detours per ms", log: true, least: 0.1, min: 0.1, max: 50, words: significant, usual: 10, only: (s) => s.cause === "noise" },
    { key: "seed", kind: "range", label: "draw", min: 1, max: 50, usual: 1, only: (s) => s.cause === "noise" },
    ...networkControls("alps-2025"),
  ],
  fits: (s) => ({ ...s, rank: Math.min(s.rank, s.ranks - 1), delay: Math.max(s.delay, 0.1) }),
  ask: (s) => {
    const call = { operation: "barrier", algorithm: s.algorithm, ranks: s.ranks, ...net(s), trace: true };
    return { quiet: call, run: { ...call, ...disturbed(s) } };
  },
  show(s, { quiet, run }) {
    const delays = delayed(run.trace, quiet.trace);
    const late = s.cause === "noise" ? undefined : { rank: s.rank, at: s.cause === "entry" ? 0 : s.at * 1e6 };
    const from = lateFrom(run.trace, delays, late);
    const later = run.trace.finish_ps.map((ps, rank) => ps - quiet.trace.finish_ps[rank]);
    const [count, most] = [later.filter((ps) => ps > 0).length, Math.max(...later)];
    const [before, after] = [exits(quiet.trace.finish_ps), exits(run.trace.finish_ps)];
    const whom = s.cause === "noise" ? "The noise" : `Rank ${s.rank}`;
    return {
      pictures: [{
        label: `Timeline: ${count} of ${s.ranks} ranks leave late`,
        rows: rowsFor(s.ranks) + 4,
        draw: (canvas, { until }) => timeline(canvas, [{ trace: run.trace, delays, lateFrom: from, title: "late messages in red" }], { until }),
      }],
      walk: walk(run.trace),
      sentence: count === 0
        ? `${whom} delays nobody: ${s.cause === "noise" ? "no detour fell into work" : late.at >= quiet.trace.finish_ps[s.rank] ? "it had left already" : "the time was lost where the rank would have waited anyway"}.`
        : `${whom} delays ${counted(count, "rank")} of ${s.ranks}, by up to ${time(most)}; the exit skew is ${time(after.skew)} instead of ${time(before.skew)}.`,
      numbers: [
        ["ranks that leave later", `${count} of ${s.ranks}`],
        ["the last exit is later by", time(after.last - before.last, 6), s.cause === "noise" ? "" : `lost: ${time(s.delay * 1e6)}`],
        ["exit skew", time(after.skew, 6), `without: ${time(before.skew, 6)}`],
        ["messages that come later", `${delays.filter((ps) => ps > 0).length} of ${delays.length}`],
      ],
      runs: [run, quiet],
    };
  },
  next: [
    "Step through the messages (full stop and comma): red ones arrive later than without, and carry the delay on.",
    "Move the detour to the very end: fewer and fewer ranks hear of it.",
    "Take the tree, and make rank 0 late, then the last rank: who delays more?",
    "Random noise on 64 ranks: how long is one detour on average, and by how much is the barrier later? Somebody is always hit.",
  ],
  exercise: {
    asks: "16 ranks, CM-5, dissemination barrier; rank 0 enters 25 µs late. When does the last rank leave, in µs after the others entered?",
    unit: "µs",
    ask: { operation: "barrier", algorithm: "dissemination", ranks: 16, set: "cm5-1993", entry: Array.from({ length: 16 }, (_, rank) => (rank ? "0us" : "25us")).join(",") },
    answer: (answer) => answer.finish_ps.max / 1e6,
    hint: "The news of rank 0 needs four rounds to reach everybody, and it starts 25 µs late.",
  },
  note: `<p>The red cone is what performance tools call the propagation of delay. Ask before each step who will be red next. The second
    point: a delay can be <i>absorbed</i>. Put a short detour (3 µs) where the rank waits (hatched): nobody is late. Therefore noise of the same
    total share can cost nothing or everything; see the lesson on noise.</p>`,
};

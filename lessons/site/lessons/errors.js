// Lesson: the ten systematic errors as switches.

import { waterfall } from "#charts";
import { net, networkControls } from "#network";
import { upTo } from "#parts";
import { signed, significant } from "#units";

/** Label, name, and the address of the lesson that shows it, where there is one. */
const ERRORS = [
  ["E1", "late initialisation"], ["E2", "one rank", "start"], ["E3", "root changes", "root-changes"], ["E4", "buffer reuse", "buffers"],
  ["E5", "barrier skew", "barrier-skew"], ["E6", "unsynchronised loop", "loop"], ["E7", "bad clock", "bad-clocks"], ["E8", "idle gap"], ["E9", "barrier inside"],
  ["E10", "kept skew", "start?algorithm=recursive-doubling&barrier=recursive-doubling&delay=auto"],
];

const chosen = (s) => ERRORS.filter(([label]) => s[label]).map(([label]) => label);

function question(s) {
  return {
    operation: "bcast", algorithm: s.algorithm, ranks: s.ranks, bytes: 65536, calls: s.calls, samples: 2, ...net(s), errors: chosen(s), barrier: s.barrier,
    // Only E4 is about memory: without it, messages alone are simulated.
    platform: `connect=30us,idle-cost=10us:0/2ms:2us${s.E4 ? ",single-copy-above=0B,fetch=0.4ns/B" : ""}`, clocks: "largest-offset=1ms,largest-skew=50ppm,read-cost=100ns",
  };
}

export default {
  id: "errors",
  title: "Which error does a benchmark make?",
  question: "Ten systematic errors, each a switch. Which of them make a broadcast look slower, which faster, and which cancel each other?",
  guess: {
    asks: "Can a benchmark with two errors print a better number than one with one of them?",
    options: ["no, errors add up", "yes, errors can cancel each other"],
    right: 1,
    because: "Switch on E5 (barrier skew) and E2 (the time of one rank, here the root): one lowers what the other raises, or the other way round. A right number proves no right method.",
  },
  controls: [
    ...ERRORS.map(([label, words, seen]) => ({ key: label, kind: "switch", label: `${label} ${words}`, seen, usual: label === "E5" || label === "E6" })),
    { key: "ranks", kind: "range", label: "ranks P", values: upTo(64), usual: 8 },
    { key: "calls", kind: "range", label: "calls k", min: 1, max: 32, usual: 10 },
    { key: "algorithm", kind: "choice", label: "broadcast", options: [["binomial", "binomial tree"], ["linear", "linear"], ["chain", "chain"]], usual: "linear" },
    { key: "barrier", kind: "choice", label: "barrier", options: [["tree", "tree"], ["linear", "linear"], ["dissemination", "dissemination"], ["recursive-doubling", "recursive doubling"]], usual: "tree" },
    ...networkControls("alps-2025"),
  ],
  // Without any error there is nothing to ask but the reference: windows.
  ask: (s) => ({ run: chosen(s).length ? question(s) : { ...question(s), errors: [], clocks: null, method: "window" } }),
  show(s, { run }) {
    const none = run.without_us ?? run.reported_us;
    const steps = (run.errors ?? []).map((step) => ({ name: step.error, change: step.change_us, words: step.name }));
    const prints = run.errors?.length ? run.errors.at(-1).reported_us : none;
    const from = { name: "no error", value: none };
    return {
      pictures: [{
        label: `From ${significant(none)} µs without errors to ${significant(prints)} µs: ${steps.map((step) => `${step.name} ${significant(step.change, 3)}`).join(", ")}`,
        rows: 17,
        draw: (canvas) => waterfall(canvas, { from, steps, unit: "µs", reference: { value: run.reference_us, name: "the call takes" } }),
      }],
      sentence: `The call takes ${significant(run.reference_us)} µs; a benchmark with ${steps.length ? steps.map((step) => step.name).join(", ") : "no error"} prints ${significant(prints)} µs, ${significant(prints / run.reference_us, 3)} times as much.`,
      numbers: [
        ["the call takes (reference)", `${significant(run.reference_us, 6)} µs`, "64 KiB"],
        ["without errors", `${significant(none, 6)} µs`],
        ...steps.map((step) => [`${step.name} ${ERRORS.find(([label]) => label === step.name)[1]}`, `${signed(step.change, 5)} µs`, step.change === 0 ? "no effect here" : ""]),
        ["printed", `${significant(prints, 6)} µs`],
      ],
      runs: [run],
    };
  },
  next: [
    "Switch on one error at a time and write down its sign. Which have none here, and why?",
    "Find two errors that cancel each other nearly.",
    "E5 alone: behind which barrier does it make the call look slower? (Try recursive doubling.)",
    "The effect of an error depends on those before it: they are added in the order E1 … E10.",
    "E10 does nothing here: a broadcast forgets one delay. Its lesson has an allreduce that does not.",
    "E4 brings the cost of memory with it: the call itself then takes longer.",
  ],
  exercise: {
    asks: "CM-5, linear broadcast of 8 B on 8 ranks, 10 calls, only E6 (the loop), dissemination barrier: printed over reference?",
    unit: "times",
    ask: { operation: "bcast", algorithm: "linear", ranks: 8, bytes: 8, calls: 10, set: "cm5-1993", errors: ["E6"], barrier: "dissemination" },
    answer: (answer) => answer.errors.at(-1).reported_us / answer.reference_us,
    hint: "In the loop the root sends one message every g = 4 µs without a break. What does a call of 7 messages cost then, and what does it cost alone?",
  },
  note: `<p>The ten errors are described, with pictures, in <code>docs/guide/errors.md</code>. As a game: each group gets a benchmark
    (OSU: E2 as a mean, E4, E5; IMB: E3, E4, E5; mpptest: E3, E6) and predicts the sign of its sum before switching.</p>`,
};

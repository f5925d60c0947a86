// Lesson: binomial tree against linear broadcast, on one time axis.

import { curves } from "#charts";
import { inPs, net, networkControls } from "#network";
import { kinds, rooted, rowsFor, walk } from "#parts";
import { timeline } from "#timeline";
import { bytes, significant, time } from "#units";

const ALGORITHMS = [["linear", "linear"], ["binomial", "binomial tree"], ["chain", "chain"], ["binary", "binary tree"], ["pipeline", "pipeline"]];
const MOST = 64;
/** Longer messages wait for their receiver in LogGOPS: S, in bytes. */
const EAGER = 65535;
const OVER = Array.from({ length: MOST - 1 }, (_, nth) => nth + 2);
const name = (algorithm) => ALGORITHMS.find(([one]) => one === algorithm)[1];

const question = (s, algorithm, ranks, more = {}) => ({ operation: "bcast", algorithm, ranks, bytes: s.bytes, ...net(s), ...more });

/** When the last of P ranks has a linear broadcast's message, under LogGP. */
export function linearForm(ranks, bytes, { L, o, g, G }) {
  const rest = Math.max(bytes - 1, 0) * G;
  return (ranks - 2) * Math.max(o, g + rest) + o + rest + L + o;
}

/** The numbers of ranks below the last one on which it is not faster, in words. */
function early(faster, never) {
  const below = faster.filter((ranks) => ranks < never);
  return below.length ? `on ${below.slice(0, 6).join(", ")}${below.length > 6 ? " …" : ""} and ` : "";
}

export default {
  id: "tree",
  title: "Binomial tree against linear broadcast",
  question: "A tree needs log₂ P rounds, a linear broadcast P − 1 sends of the root. From how many ranks on is the tree faster?",
  guess: {
    asks: "With L = 2.5 µs, o = 1.5 µs, g = 1 µs, from how many ranks on is the tree faster for good?",
    options: ["from 3 on", "from 5 on", "from 11 to 20 on", "from about 40 on"],
    right: 2,
    because: "A send keeps the root for max(o, g) = 1.5 µs only; a level of the tree costs L + 2o = 5.5 µs. The root is through with several ranks before one level is.",
  },
  controls: [
    { key: "ranks", kind: "range", label: "ranks P", min: 2, max: MOST, usual: 8 },
    { key: "one", kind: "choice", label: "above", options: ALGORITHMS, usual: "linear" },
    { key: "two", kind: "choice", label: "below", options: ALGORITHMS, usual: "binomial" },
    { key: "bytes", kind: "range", label: "bytes", values: [1, 8, 64, 512, 1024, 4096, 16384, 65536, 1 << 20], words: bytes, usual: 8 },
    ...networkControls("loggopsim-2010"),
  ],
  ask: (s) => ({
    one: question(s, s.one, s.ranks, { trace: true }),
    two: question(s, s.two, s.ranks, { trace: true }),
    ones: OVER.map((ranks) => question(s, s.one, ranks)),
    twos: OVER.map((ranks) => question(s, s.two, ranks)),
  }),
  show(s, { one, two, ones, twos }) {
    const last = (answer) => answer.finish_ps.max;
    const points = (answers) => answers.map((answer, nth) => [OVER[nth], last(answer) / 1e6]);
    const [first, second] = [last(one), last(two)];
    const faster = OVER.filter((_, nth) => last(twos[nth]) < last(ones[nth]));
    const never = OVER.findLast((_, nth) => last(twos[nth]) >= last(ones[nth]));
    const crossover = faster.length === 0 ? `on no number of ranks up to ${MOST}` : never === undefined ? "on any number of ranks" : never === MOST ? `on some numbers of ranks only (${faster.slice(0, 6).join(", ")} …)` : `${early(faster, never)}on all numbers of ranks from ${never + 1} on`;
    const form = s.one === "linear" && inPs(s) && s.bytes <= EAGER ? linearForm(s.ranks, s.bytes, inPs(s)) : null;
    return {
      pictures: [
        {
          label: `Timelines of two broadcasts on one axis: ${name(s.one)} ${time(first)}, ${name(s.two)} ${time(second)}`,
          rows: rowsFor(s.ranks, 2),
          draw: (canvas, { until }) => timeline(canvas, [
            { trace: one.trace, title: `${name(s.one)}: ${time(first)}`, names: rooted(0), skew: false },
            { trace: two.trace, title: `${name(s.two)}: ${time(second)}`, names: rooted(0), skew: false },
          ], { until }),
        },
        {
          label: `Time of both over the number of ranks; ${name(s.two)} is faster ${crossover}`,
          rows: 11,
          draw: (canvas) => curves(canvas, { curves: [{ name: name(s.one), points: points(ones) }, { name: name(s.two), points: points(twos) }], xName: "ranks P", yName: "last rank done, µs", now: s.ranks }),
        },
      ],
      walk: { ...walk(first > second ? one.trace : two.trace), kinds: kinds([one.trace, two.trace]) },
      sentence: `On ${s.ranks} ranks the ${name(s.one)} broadcast takes ${time(first)}, the ${name(s.two)} ${time(second)}. The ${name(s.two)} is faster ${crossover}.`,
      numbers: [
        [name(s.one), time(first, 6), form === null ? (s.one === "linear" && s.bytes > EAGER ? "longer than the eager limit S: each send waits for its receiver" : "") : `closed form (P − 2) max(o, g + BG) + L + 2o + BG = ${time(form, 6)}, B = bytes − 1`],
        [name(s.two), time(second, 6)],
        ["ratio", significant(second / first, 4)],
        [`${name(s.two)} is faster`, crossover],
      ],
      runs: [one, two],
    };
  },
  next: [
    "Why is the tree faster on 15 ranks than on 16? No path of it has more than three messages there.",
    "64 KiB: the gap per byte decides. The root of the linear broadcast sends everything P − 1 times.",
    "Choose the Cray XT4, where o is large and L small. Does the tree win earlier or later?",
    "Compare linear and pipeline at 1 MiB: why is neither faster? (A pipeline pays with segments: add --segment 64K to its command.)",
  ],
  exercise: {
    asks: "LogGOPSim's default network, 8 B: how many µs does the linear broadcast take on 20 ranks?",
    unit: "µs",
    ask: { operation: "bcast", algorithm: "linear", ranks: 20, bytes: 8, set: "loggopsim-2010" },
    answer: (answer) => answer.finish_ps.max / 1e6,
    hint: "The root sends 19 messages, one every max(o, g); the last one still has to fly and to be received.",
  },
  note: `<p>Students expect the tree to win always. Play both: the root of the linear broadcast is never idle, the tree's leaves wait a
    level each. Then the curve: its steps at powers of two, and the crossover. Point: which algorithm is best depends on o, g and L,
    so a library's table of choices fits one network.</p>`,
};

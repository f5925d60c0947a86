// What several lessons have in common.

import { extent } from "#trace";

export const BARRIERS = [
  ["linear", "linear"],
  ["tree", "tree"],
  ["double-ring", "double ring"],
  ["recursive-doubling", "recursive doubling"],
  ["dissemination", "dissemination"],
  ["n-way-dissemination", "n-way dissemination"],
];

/** Numbers of ranks that a picture has room for, and beyond. */
export const RANKS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
export const upTo = (most) => RANKS.filter((ranks) => ranks <= most);

/** Instants of a run's messages, for walking through it. */
export function walk(trace, from) {
  const { begin, end } = extent(trace, from);
  const events = trace.flights.flatMap((flight) => [flight[3] - begin, flight[4] - begin, flight[5] - begin]);
  return { events: events.filter((at) => at > 0 && at <= end - begin), length: end - begin, kinds: kinds([trace]) };
}

/** What the legend has to explain of some runs. */
export function kinds(traces) {
  const all = new Set();
  for (const { samples, lanes, calls, activities } of traces) {
    if (samples.some((one) => one.length)) all.add("timed");
    if (calls.some((some) => some.some((number, at) => at % 3 === 0 && number < 0))) all.add("barrier");
    for (const lane of lanes) for (let at = 0; at < lane.length; at += 3) all.add(activities[lane[at]]);
  }
  return all;
}

/** Rows that a timeline of so many ranks wants. */
export const rowsFor = (ranks, runs = 1) => Math.min(30, Math.max(9, ranks * runs * 1.15 + 4));

/** A name with its rank for the root. */
export const rooted = (root) => (rank) => (rank === root ? `rank ${rank}, root` : `rank ${rank}`);

/** `1 rank`, `3 ranks`. */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

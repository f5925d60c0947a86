// A trace as the simulator tells it (flat lists, times in ps), and what can be read from it.

/** From when to when something happens; `from`: the instant that is shown as 0, unless it is that at which the first begins. */
export function extent(trace, from) {
  let begin = from ?? Infinity;
  let end = 0;
  for (const lane of trace.lanes) {
    if (lane.length) begin = Math.min(begin, lane[1]);
    if (lane.length) end = Math.max(end, lane[lane.length - 1]);
  }
  for (const calls of trace.calls) {
    for (let at = 0; at < calls.length; at += 3) {
      begin = Math.min(begin, calls[at + 1]);
      end = Math.max(end, calls[at + 2]);
    }
  }
  if (begin === Infinity) begin = 0;
  return { begin, end: Math.max(end, begin + 1) };
}

/** First and last exit of any rank, and how far they are apart. */
export function exits(finish) {
  let first = Infinity;
  let last = 0;
  for (const at of finish) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return { first, last, skew: last - first };
}

/**
 * Which messages of a run arrive later than in a quiet run of the same algorithm, and by how much: the cone of what a late rank
 * or a detour delays. The n-th message from one rank to another is the same message in both.
 */
export function delayed(run, quiet) {
  const key = (flight, seen) => {
    const pair = `${flight[0]}>${flight[1]}`;
    const nth = seen.get(pair) ?? 0;
    seen.set(pair, nth + 1);
    return `${pair}#${nth}`;
  };
  const before = new Map();
  const seen = new Map();
  for (const flight of quiet.flights) before.set(key(flight, seen), flight[4]);
  seen.clear();
  return run.flights.map((flight) => Math.max(0, flight[4] - (before.get(key(flight, seen)) ?? flight[4])));
}

/** From which instant on each rank is later than in the quiet run, if it ever is. */
export function lateFrom(run, delays, late) {
  const from = run.finish_ps.map(() => Infinity);
  if (late !== undefined) from[late.rank] = late.at;
  run.flights.forEach((flight, nth) => {
    if (delays[nth] > 0) from[flight[1]] = Math.min(from[flight[1]], flight[4]);
  });
  return from;
}

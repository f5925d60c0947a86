// What a timeline says in words: under a point, or stretch by stretch as arrow keys walk over it.

import { look } from "#look";
import { time } from "#units";

export class Reading {
  constructor(place) {
    this.place = place;
  }

  /** What is under a point, in words. */
  at(x, y) {
    const { place } = this;
    const run = place.runs.find((one) => y >= one.top && y < one.top + one.ranks * place.pitch);
    if (!run || x < place.left || x > place.width - place.right) return null;
    const rank = Math.floor((y - run.top) / place.pitch);
    const at = ((x - place.left) / (place.width - place.left - place.right)) * place.length + run.begin;
    const lane = run.trace.lanes[rank];
    for (let nth = 0; nth < lane.length; nth += 3) if (lane[nth + 1] <= at && at < lane[nth + 2]) return stretch(run, rank, nth);
    return `${run.name(rank)} at ${time(at - run.begin)}${inside(run, rank, at)}`;
  }

  /**
   * Where a key leads from a place `{ run, rank, nth }` (the n-th stretch of a rank of a run; none yet: its first): left and
   * right along a rank, up and down to the stretch of another rank at the same instant. None for other keys.
   */
  moved(from, key) {
    const { runs } = this.place;
    const first = { run: 0, rank: 0, nth: 0 };
    const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
    if (!keys.includes(key)) return null;
    // The picture may have changed since.
    if (!from || !(runs[from.run]?.trace.lanes[from.rank]?.length > 3 * from.nth)) return runs[0].trace.lanes[0].length ? first : null;
    const { run, rank, nth } = from;
    const last = runs[run].trace.lanes[rank].length / 3 - 1;
    if (key === "ArrowUp" || key === "ArrowDown") return this.beside(from, key === "ArrowUp" ? -1 : 1);
    const next = { ArrowLeft: Math.max(0, nth - 1), ArrowRight: Math.min(last, nth + 1), Home: 0, End: last }[key];
    return { run, rank, nth: next };
  }

  /** The stretch of the next rank, or of the next run's first, at the same instant; at the edge the same again. */
  beside({ run, rank, nth }, by) {
    const { runs } = this.place;
    const since = runs[run].trace.lanes[rank][3 * nth + 1] - runs[run].begin;
    let next = { run, rank: rank + by };
    if (!runs[run].trace.lanes[next.rank]) {
      if (!runs[run + by]) return { run, rank, nth };
      next = { run: run + by, rank: by > 0 ? 0 : runs[run + by].ranks - 1 };
    }
    const lane = runs[next.run].trace.lanes[next.rank];
    if (!lane.length) return { run, rank, nth };
    let found = 0;
    while (3 * (found + 1) < lane.length && lane[3 * found + 2] - runs[next.run].begin <= since) found++;
    return { ...next, nth: found };
  }

  /** A place in words. */
  words({ run, rank, nth }) {
    const at = this.place.runs[run];
    const title = this.place.runs.length > 1 && at.title ? `${at.title}, ` : "";
    return `${title}${stretch(at, rank, 3 * nth)}`;
  }

  /** Frames a place on the canvas. */
  frame(context, { run, rank, nth }) {
    const { place } = this;
    const at = place.runs[run];
    const lane = at?.trace.lanes[rank];
    if (!(lane?.length > 3 * nth)) return;
    const [from, to] = [place.x(lane[3 * nth + 1] - at.begin), place.x(lane[3 * nth + 2] - at.begin)];
    context.strokeStyle = look().ink;
    context.lineWidth = 3;
    context.strokeRect(from - 2, at.top + rank * place.pitch, Math.max(to - from, 1) + 4, Math.max(place.pitch, 3));
    context.lineWidth = 1;
  }
}

function stretch(run, rank, at) {
  const lane = run.trace.lanes[rank];
  const [from, to] = [lane[at + 1] - run.begin, lane[at + 2] - run.begin];
  const doing = run.trace.activities[lane[at]];
  return `${run.name(rank)}: ${doing} from ${time(from)} to ${time(to)} (${time(to - from)})${inside(run, rank, lane[at + 1])}`;
}

/** In which call a rank is at an instant. */
function inside(run, rank, at) {
  const calls = run.trace.calls[rank];
  for (let nth = 0; nth < calls.length; nth += 3) {
    if (calls[nth + 1] <= at && at < calls[nth + 2]) return calls[nth] < 0 ? ", in the barrier" : `, in call ${calls[nth] + 1}`;
  }
  return "";
}

// The picture of what ranks did: a lane for each rank, time to the right, a colour for each call, hatching where a rank
// waits. Several runs share one time axis, one below the other.

import { hatch, letter, look, pen, ticks, tint, wide, write } from "#look";
import { Reading } from "#reading";
import { exits, extent } from "#trace";
import { time, unitFor, significant } from "#units";

/** More messages than that are a grey mass; so many of them, evenly chosen, are drawn. */
const MOST_ARROWS = 3000;
/** Thinner lanes than that, in px, have no arrows. */
const THINNEST_WITH_ARROWS = 2.5;

/**
 * Draws runs and returns a `Reading`, which tells in words what lies where.
 *
 * run: { trace, title, delays, lateFrom, columns: { heads, rows }, names, skew, begin }; options: { until, zero, unit },
 * where `until` is the instant up to which everything is drawn, counted from the begin, `zero` says in words what the begin is, and
 * `unit` is the axis' unit where the words beside the picture have one.
 */
export function timeline(canvas, runs, { until = Infinity, zero, unit } = {}) {
  const { context, width, height } = pen(canvas);
  const place = layout(context, width, height, runs);
  axis(context, place, zero, unit ?? unitFor(place.length));
  for (const run of place.runs) {
    title(context, place, run);
    names(context, place, run);
    lanes(context, place, run, until);
    within(context, place, run, () => arrows(context, place, run, until));
    samples(context, place, run, until);
    ends(context, place, run, until);
    columns(context, place, run);
  }
  if (Number.isFinite(until)) cursor(context, place, until);
  return new Reading(place);
}

function layout(context, width, height, runs) {
  const size = Math.min(letter(), Math.max(12, width / 26));
  const extents = runs.map((run) => extent(run.trace, run.begin));
  const length = Math.max(...extents.map(({ begin, end }) => end - begin));
  const all = runs.reduce((sum, run) => sum + run.trace.lanes.length, 0);
  const head = (run) => size * (run.title || run.columns || run.skew !== false ? 1.7 : 0.5);
  const bottom = size * 2.9;
  const free = height - bottom - runs.reduce((sum, run) => sum + head(run) + 4, 0);
  const pitch = Math.max(free / all, 0.2);
  const name = (run) => (rank) => run.names?.(rank) ?? `rank ${rank}`;
  const widest = runs.map((run) => wide(context, name(run)(run.trace.lanes.length - 1), Math.min(size, pitch)));
  const rooted = runs.map((run) => (run.names ? wide(context, run.names(0), Math.min(size, pitch)) : 0));
  const left = Math.max(24, ...widest, ...rooted) + 10;
  const columnWidths = runs.map((run) => (run.columns ? run.columns.heads.map((one, column) => Math.max(wide(context, one, size), ...run.columns.rows.map((row) => wide(context, row[column], size, 700))) + 14) : []));
  const right = Math.max(14, ...columnWidths.map((all) => all.reduce((a, b) => a + b, 6)));
  let top = 0;
  const placed = runs.map((run, nth) => {
    const from = top + head(run);
    top = from + pitch * run.trace.lanes.length + 4;
    return { ...run, top: from, begin: extents[nth].begin, ranks: run.trace.lanes.length, name: name(run), columnWidths: columnWidths[nth] };
  });
  const x = (since) => left + (since / length) * (width - left - right);
  return { width, height, size, pitch, left, right, length, x, bottom: top, runs: placed };
}

/** Draws what must not stick out of a run's lanes. */
function within(context, place, run, draw) {
  context.save();
  context.beginPath();
  context.rect(place.left, run.top - 2, place.width - place.left - place.right + 2, run.ranks * place.pitch + 4);
  context.clip();
  draw();
  context.restore();
}

function axis(context, place, zero, unit) {
  const room = place.width - place.left - place.right;
  const about = Math.max(2, Math.min(10, room / (place.size * 5)));
  context.strokeStyle = look().grid;
  context.beginPath();
  const marks = ticks(0, place.length / unit.ps, about);
  for (const mark of marks) {
    const x = Math.round(place.x(mark * unit.ps)) + 0.5;
    context.moveTo(x, place.runs[0].top - 3);
    context.lineTo(x, place.bottom + 3);
  }
  context.stroke();
  for (const mark of marks) {
    const x = place.x(mark * unit.ps);
    write(context, significant(mark, 6), x, place.bottom + place.size * 0.8, { size: place.size, align: "center", colour: look().faint, within: place.width - 2 });
  }
  const words = zero ? `${unit.symbol} after ${zero}` : `time, ${unit.symbol}`;
  write(context, words, place.left + room / 2, place.bottom + place.size * 2.1, { size: place.size, align: "center", colour: look().faint });
}

function title(context, place, run) {
  if (!run.title) return;
  const size = place.size * Math.min(1, (place.width - 8) / wide(context, run.title, place.size, 700));
  write(context, run.title, 4, run.top - place.size * 0.85, { size, weight: 700 });
}

function names(context, place, run) {
  const size = Math.min(place.size, place.pitch * 0.95);
  const every = size >= 9 ? 1 : Math.ceil((place.size * 1.2) / place.pitch);
  const shown = every > 1 ? place.size * 0.85 : size;
  for (let rank = 0; rank < run.ranks; rank += every) {
    const words = every > 1 ? String(rank) : run.name(rank);
    write(context, words, place.left - 8, middle(place, run, rank), { size: shown, align: "right" });
  }
}

const middle = (place, run, rank) => run.top + (rank + 0.5) * place.pitch;
const half = (place) => Math.max(place.pitch * (place.pitch > 6 ? 0.34 : 0.46), 0.3);

/** Which colour a call has; barriers of a method have none. */
function hue(number) {
  const { hues, faint } = look();
  return number < 0 ? faint : hues[number % hues.length];
}

function lanes(context, place, run, until) {
  const { trace } = run;
  const high = half(place);
  for (let rank = 0; rank < run.ranks; rank++) {
    const y = middle(place, run, rank);
    const calls = trace.calls[rank];
    // The stay in each call, pale.
    for (let at = 0; at < calls.length; at += 3) {
      const [from, to] = [calls[at + 1] - run.begin, Math.min(calls[at + 2] - run.begin, until)];
      if (to <= from) continue;
      context.fillStyle = tint(hue(calls[at]), 0.1);
      context.fillRect(place.x(from), y - high, place.x(to) - place.x(from), high * 2);
    }
    const lane = trace.lanes[rank];
    let call = 0;
    for (let at = 0; at < lane.length; at += 3) {
      while (call + 3 < calls.length && calls[call + 2] <= lane[at + 1]) call += 3;
      const [from, to] = [lane[at + 1] - run.begin, Math.min(lane[at + 2] - run.begin, until)];
      if (to <= from) continue;
      const is_late = run.lateFrom && lane[at + 1] >= run.lateFrom[rank];
      const colour = is_late ? look().late : hue(calls.length ? calls[call] : 0);
      bar(context, trace.activities[lane[at]], colour, place.x(from), y - high, place.x(to) - place.x(from), high * 2);
    }
    if (place.pitch > 14) numbers(context, place, run, rank, until);
  }
}

/** A stretch of one activity. */
export function bar(context, activity, colour, x, y, width, height) {
  const style = { sending: 0.95, receiving: 0.5, computing: 0.75, gap: 0.22, noise: 1, "copy-in": 0.95, "copy-out": 0.5, notification: 1, leaving: 0.22 }[activity];
  if (activity === "waiting") {
    context.fillStyle = height > 5 ? hatch(context, colour) : tint(colour, 0.3);
  } else if (activity === "notification") context.fillStyle = look().hues[1];
  else context.fillStyle = activity === "noise" ? look().late : tint(colour, style);
  context.fillRect(x, y, Math.max(width, 0.4), height);
  if (activity === "noise" && height > 5) {
    context.strokeStyle = look().paper;
    context.beginPath();
    for (let at = x + 4; at < x + width; at += 6) {
      context.moveTo(at, y + 2);
      context.lineTo(at, y + height - 2);
    }
    context.stroke();
  }
}

/** The number of each call, at its begin. */
function numbers(context, place, run, rank, until) {
  const calls = run.trace.calls[rank];
  const many = run.trace.calls.some((one) => one.length > 3);
  if (!many) return;
  const size = Math.min(place.size, place.pitch * 0.55);
  for (let at = 0; at < calls.length; at += 3) {
    const [from, to] = [calls[at + 1] - run.begin, calls[at + 2] - run.begin];
    if (from > until) continue;
    const words = calls[at] < 0 ? "barrier" : String(calls[at] + 1);
    const room = place.x(to) - place.x(from) - 4;
    const needed = wide(context, words, size, 700);
    if (needed > room) continue;
    const x = place.x(from) + 3;
    context.fillStyle = tint(look().paper, 0.85);
    context.fillRect(x - 2, middle(place, run, rank) - size * 0.6, needed + 4, size * 1.2);
    write(context, words, x, middle(place, run, rank), { size, weight: 700, colour: hue(calls[at]) });
  }
}

function arrows(context, place, run, until) {
  if (place.pitch < THINNEST_WITH_ARROWS) return;
  const { flights } = run.trace;
  const every = Math.max(1, Math.ceil(flights.length / MOST_ARROWS));
  const { ink, late } = look();
  // A thicket of arrows must not hide the bars.
  const thick = flights.length > 400 ? 0.35 : 1;
  const plain = (place.pitch > 20 ? 0.6 : 0.35) * thick;
  for (const wanted of [false, true]) {
    context.strokeStyle = context.fillStyle = wanted ? late : tint(ink, plain);
    context.lineWidth = wanted ? 2 : 1;
    context.beginPath();
    const tips = [];
    for (let nth = 0; nth < flights.length; nth += every) {
      if ((run.delays?.[nth] > 0) !== wanted) continue;
      const [from, to, , departed, arrived] = flights[nth];
      if (departed - run.begin > until) continue;
      const down = to > from ? 1 : -1;
      const high = half(place);
      const start = [place.x(departed - run.begin), middle(place, run, from) + down * high];
      const end = [place.x(arrived - run.begin), middle(place, run, to) - down * high];
      const share = Math.min(1, (until - (departed - run.begin)) / Math.max(1, arrived - departed));
      const tip = [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share];
      context.moveTo(...start);
      context.lineTo(...tip);
      if (share === 1) tips.push([start, tip]);
      else dot(context, tip);
    }
    context.stroke();
    if (place.pitch > 12 && flights.length <= 400) {
      context.beginPath();
      tips.forEach(([start, tip]) => head(context, start, tip));
      context.fill();
    }
  }
  context.lineWidth = 1;
}

function dot(context, [x, y]) {
  context.moveTo(x + 4, y);
  context.arc(x, y, 4, 0, 7);
}

function head(context, [x0, y0], [x, y]) {
  const length = Math.hypot(x - x0, y - y0) || 1;
  const [ux, uy] = [(x - x0) / length, (y - y0) / length];
  context.moveTo(x, y);
  context.lineTo(x - 8 * ux - 3.5 * uy, y - 8 * uy + 3.5 * ux);
  context.lineTo(x - 8 * ux + 3.5 * uy, y - 8 * uy - 3.5 * ux);
}

/** What a method times: from the first reading of the clock to the second. */
function samples(context, place, run, until) {
  if (place.pitch < 10) return;
  context.strokeStyle = look().ink;
  context.lineWidth = 2;
  context.beginPath();
  run.trace.samples.forEach((samples, rank) => {
    const y = middle(place, run, rank) - half(place) - 2.5;
    for (let at = 0; at < samples.length; at += 4) {
      const [from, to] = [samples[at + 1] - run.begin, samples[at + 2] - run.begin];
      if (from > until) continue;
      const [x0, x1] = [place.x(from), place.x(Math.min(to, until))];
      context.moveTo(x0, y + 5);
      context.lineTo(x0, y);
      context.lineTo(x1, y);
      if (to <= until) context.lineTo(x1, y + 5);
    }
  });
  context.stroke();
  context.lineWidth = 1;
}

/** Entry and exit of each rank, and the bracket of the exit skew. */
function ends(context, place, run, until) {
  const { trace } = run;
  if (run.skew === false) return;
  if (place.pitch > 5) {
    context.strokeStyle = look().ink;
    context.lineWidth = 2;
    context.beginPath();
    for (const times of [trace.entry_ps, trace.finish_ps]) {
      times.forEach((at, rank) => {
        if (at - run.begin > until) return;
        const x = place.x(at - run.begin);
        context.moveTo(x, middle(place, run, rank) - place.pitch * 0.46);
        context.lineTo(x, middle(place, run, rank) + place.pitch * 0.46);
      });
    }
    context.stroke();
    context.lineWidth = 1;
  }
  const { first, last, skew } = exits(trace.finish_ps);
  if (last - run.begin > until) return;
  const y = run.top - place.size * 0.3;
  const [from, to] = [place.x(first - run.begin), place.x(last - run.begin)];
  context.fillStyle = look().ink;
  context.fillRect(from, y - 1.5, Math.max(to - from, 2), 3);
  const words = skew === 0 ? "no exit skew" : `exit skew ${time(skew)}`;
  const most = place.width - place.right - 2;
  const needed = wide(context, words, place.size, 700);
  write(context, words, Math.min((from + to) / 2 + needed / 2, most), y - place.size * 0.75, { size: place.size, weight: 700, align: "right" });
}

function columns(context, place, run) {
  if (!run.columns) return;
  let x = place.width - place.right + 6;
  run.columns.heads.forEach((words, column) => {
    x += run.columnWidths[column];
    write(context, words, x - 6, run.top - place.size * 0.85, { size: place.size, align: "right", colour: look().faint });
    if (place.pitch < place.size * 0.8) return;
    run.columns.rows.forEach((row, rank) => {
      const told = run.columns.told === rank;
      write(context, row[column], x - 6, middle(place, run, rank), { size: Math.min(place.size, place.pitch), align: "right", weight: told ? 700 : 400 });
    });
  });
}

function cursor(context, place, until) {
  const x = place.x(Math.min(until, place.length));
  context.strokeStyle = look().late;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, place.runs[0].top - 3);
  context.lineTo(x, place.bottom + 3);
  context.stroke();
  context.lineWidth = 1;
}

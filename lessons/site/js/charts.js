// Charts of numbers: bars, curves, dots in rows, steps from one number to another.

import { hatch, letter, look, pen, ticks, tint, wide, write } from "#look";
import { signed, significant } from "#units";

/** So much of a curve, in px, is seen where another one lies on it. */
const TURN = 14;

const sized = (width) => Math.min(letter(), Math.max(12, width / 26));

/**
 * Bars from the left, one below the other. groups: [{ name, bars: [{ value, words, hue, hatched, name }] }]; `mark`: a
 * value with a line through all bars and its name.
 */
export function bars(canvas, { groups, unit, mark, most }) {
  const { context, width, height } = pen(canvas);
  const size = sized(width);
  const all = groups.flatMap((group) => group.bars);
  const low = Math.min(0, ...all.map((bar) => bar.value).filter(Number.isFinite));
  const top = Math.max(most ?? 0, mark?.value ?? 0, ...all.map((bar) => bar.value).filter(Number.isFinite)) || 1;
  const names = Math.max(...groups.map((group) => wide(context, group.name, size)), 0) + 14;
  // Names that would take too much of a narrow picture stand above their bars.
  const above = names > width * 0.42;
  const left = above ? 10 : names;
  const words = Math.max(...all.map((bar) => wide(context, bar.words ?? "", size)), 0) + 14;
  const right = Math.min(words, width * 0.35);
  const head = mark ? size * 1.6 : 4;
  const bottom = size * 2.8;
  const x = (value) => left + ((value - low) / (top - low)) * (width - left - right);
  const pitch = (height - head - bottom) / Math.max(groups.length, 1);
  grid(context, { size, x, from: low, to: top, top: head, bottom: height - bottom, width: width - left - right });
  write(context, unit, left + (width - left - right) / 2, height - size * 0.8, { size, align: "center", colour: look().faint });
  groups.forEach((group, nth) => {
    const letters = Math.min(size, pitch * (above ? 0.45 : 0.9));
    const y = head + (nth + (above ? 0.68 : 0.5)) * pitch;
    const thick = pitch * (above ? 0.5 : 0.76);
    if (letters >= 8 && above) write(context, fitted(context, group.name, width - left, letters), left, head + (nth + 0.22) * pitch, { size: letters });
    else if (letters >= 8) write(context, group.name, left - 8, y, { size: letters, align: "right" });
    const high = thick / group.bars.length;
    group.bars.forEach((bar, place) => {
      const from = y - thick / 2 + place * high;
      const colour = look().hues[bar.hue ?? place];
      const [begin, end] = [x(Math.min(0, bar.value)), x(Math.max(0, bar.value))];
      context.fillStyle = bar.hatched ? hatch(context, colour) : colour;
      if (Number.isFinite(bar.value)) context.fillRect(begin, from, Math.max(end - begin, 1), Math.max(high - 1.5, 1));
      if (bar.hatched) {
        context.strokeStyle = colour;
        context.strokeRect(begin, from, Math.max(end - begin, 1), Math.max(high - 1.5, 1));
      }
      const small = Math.min(size, high * 1.1);
      if (bar.words && small >= 8) write(context, bar.words, Math.max(end, begin) + 6, from + high / 2, { size: small });
    });
  });
  if (mark) line(context, x(mark.value), head, height - bottom, mark.name, size, width);
}

function fitted(context, words, room, size) {
  let text = words;
  while (text.length > 4 && wide(context, text, size) > room) text = `${text.slice(0, -2)}…`;
  return text;
}

function grid(context, { size, x, from, to, top, bottom, width }) {
  const marks = ticks(from, to, Math.max(2, Math.min(8, width / (size * 4.5))));
  context.strokeStyle = look().grid;
  context.beginPath();
  for (const value of marks) {
    context.moveTo(Math.round(x(value)) + 0.5, top);
    context.lineTo(Math.round(x(value)) + 0.5, bottom);
  }
  context.stroke();
  for (const value of marks) {
    write(context, significant(value, 6), x(value), bottom + size * 0.8, { size, align: "center", colour: look().faint, within: context.canvas.clientWidth - 2 });
  }
}

function line(context, x, top, bottom, name, size, width) {
  context.strokeStyle = look().ink;
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(x, top - 2);
  context.lineTo(x, bottom);
  context.stroke();
  context.setLineDash([]);
  context.lineWidth = 1;
  const room = wide(context, name, size, 700) / 2;
  write(context, name, Math.min(Math.max(x, room + 2), width - room - 2), top - size * 0.75, { size, weight: 700, align: "center" });
}

/**
 * Curves over an axis. curves: [{ name, points: [[x, y]…], hue, dashed, dots }]; `now` marks a place on the x axis; x is
 * logarithmic to base 2 where `log` is set, y to base 10 where `logY` is.
 */
export function curves(canvas, { curves: all, xName, yName, log, logY, now, xWords }) {
  const { context, width, height } = pen(canvas);
  const size = sized(width);
  const xs = all.flatMap((curve) => curve.points.map(([x]) => x));
  const ys = all.flatMap((curve) => curve.points.map(([, y]) => y)).filter((y) => Number.isFinite(y) && (!logY || y > 0));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const least = logY ? 10 ** Math.floor(Math.log10(Math.min(...ys) || 1)) : 0;
  const most = logY ? 10 ** Math.ceil(Math.log10(Math.max(...ys) || 1)) : Math.max(...ys, 1e-12) * 1.05;
  const scaleY = logY ? Math.log10 : (value) => value;
  const legend = keyed(context, all, { left: 4, size, right: width - size });
  const [bottom, top] = [height - size * 3, size * 1.7 + (legend.at(-1).y + 1) * size * 1.35];
  const yMarks = logY ? decades(least, most) : ticks(0, most, Math.max(2, (bottom - top) / (size * 2.5)));
  const left = Math.max(...yMarks.map((mark) => wide(context, significant(mark), size))) + 14;
  const right = width - size * 1.8;
  const scale = log ? Math.log2 : (value) => value;
  const x = (value) => left + ((scale(value) - scale(low)) / (scale(high) - scale(low) || 1)) * (right - left);
  const y = (value) => bottom - ((scaleY(value) - scaleY(least || (logY ? 1 : 0))) / (scaleY(most) - scaleY(least || (logY ? 1 : 0)) || 1)) * (bottom - top);
  const widest = Math.max(...[low, high].map((mark) => wide(context, xWords ? xWords(mark) : significant(mark, 6), size)), size * 1.6);
  const xMarks = log ? powers(low, high, (right - left) / (widest * 1.9)) : ticks(low, high, (right - left) / (size * 3.5));
  context.strokeStyle = look().grid;
  context.beginPath();
  for (const mark of yMarks) {
    context.moveTo(left, Math.round(y(mark)) + 0.5);
    context.lineTo(right, Math.round(y(mark)) + 0.5);
  }
  context.stroke();
  for (const mark of yMarks) write(context, significant(mark), left - 6, y(mark), { size, align: "right", colour: look().faint });
  for (const mark of xMarks) {
    write(context, xWords ? xWords(mark) : significant(mark, 6), x(mark), bottom + size * 0.9, { size, align: "center", colour: look().faint, within: width - 2 });
  }
  write(context, xName, (left + right) / 2, height - size * 0.7, { size, align: "center", colour: look().faint });
  write(context, yName, 4, size * 0.75, { size, colour: look().faint });
  if (now !== undefined && now >= low && now <= high) {
    context.fillStyle = tint(look().ink, 0.12);
    context.fillRect(x(now) - 5, top, 10, bottom - top);
    write(context, "chosen", x(now), top + size * 0.6, { size: size * 0.85, align: "center", colour: look().faint, within: width - 2 });
  }
  const lines = all.map((curve) => curve.points.map(([at, value]) => (Number.isFinite(value) && (!logY || value > 0) ? [x(at), y(value)] : null)));
  for (const nth of all.keys()) stroke(context, all, nth, lines);
  keys(context, all, legend, size);
}

/** A curve through its places on the canvas, null where it has none. Curves that lie on each other take turns, so that each is seen. */
function stroke(context, all, nth, lines) {
  const curve = all[nth];
  const line = lines[nth];
  context.strokeStyle = context.fillStyle = look().hues[curve.hue ?? nth];
  context.lineWidth = 3;
  let length = 0;
  for (let at = 1; at < line.length && !curve.dots; at++) {
    const [from, to] = [line[at - 1], line[at]];
    if (!from || !to) continue;
    const { turn, of } = turns(all, nth, lines, [at - 1, at]);
    context.setLineDash(curve.dashed ? [8, 5] : of > 1 ? [TURN * (of - turn), TURN * turn] : []);
    context.lineDashOffset = curve.dashed ? length : length - TURN * turn;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    length += Math.hypot(to[0] - from[0], to[1] - from[1]);
  }
  context.setLineDash([]);
  context.lineWidth = 1;
  if (curve.dashed) return;
  for (const [at, place] of line.entries()) {
    const { turn, of } = turns(all, nth, lines, [at]);
    if (place && at % of === turn) mark(context, nth, ...place, curve.dots ? 5 : 3.5);
  }
}

/** Which of how many curves that lie on each other at these points this one is. */
function turns(all, nth, lines, points) {
  const near = (one, other) => one && other && Math.hypot(one[0] - other[0], one[1] - other[1]) < 4;
  const plain = (other) => !all[other].dashed && !all[other].dots;
  const together = [...all.keys()].filter((other) => other === nth || (plain(nth) && plain(other) && points.every((at) => near(lines[nth][at], lines[other][at]))));
  return { turn: together.indexOf(nth), of: together.length };
}

/** Each curve has marks of its own shape beside its colour. */
function mark(context, nth, x, y, size) {
  context.beginPath();
  if (nth % 4 === 0) context.arc(x, y, size, 0, 7);
  else if (nth % 4 === 1) context.rect(x - size, y - size, 2 * size, 2 * size);
  else {
    const turn = nth % 4 === 2 ? -1 : 1;
    context.moveTo(x, y + turn * size * 1.3);
    context.lineTo(x + size * 1.2, y - turn * size);
    context.lineTo(x - size * 1.2, y - turn * size);
  }
  context.fill();
}

/** Where the name of each curve stands: from the left, in as many lines as it takes, above the curves. */
function keyed(context, all, { left, size, right }) {
  let [x, y] = [left, 0];
  return all.map((curve) => {
    const room = wide(context, curve.name, size) + 42;
    if (x + room > right && x > left) [x, y] = [left, y + 1];
    const place = { x, y };
    x += room;
    return place;
  });
}

function keys(context, all, places, size) {
  for (const [nth, curve] of all.entries()) {
    const { x } = places[nth];
    const y = size * 2 + places[nth].y * size * 1.35;
    context.fillStyle = look().hues[curve.hue ?? nth];
    context.fillRect(x, y - 2, 22, 4);
    if (!curve.dashed) mark(context, nth, x + 11, y, 4.5);
    write(context, curve.name, x + 28, y, { size });
  }
}

function decades(from, to) {
  const all = [];
  for (let value = from; value <= to * 1.0001; value *= 10) all.push(value);
  return all;
}

function powers(from, to, about) {
  const steps = Math.max(1, Math.ceil((Math.log2(to) - Math.log2(from)) / Math.max(2, about)));
  const all = [];
  for (let power = Math.ceil(Math.log2(from)); 2 ** power <= to; power += steps) all.push(2 ** power);
  return all;
}

/** Rows of dots on one axis: when each rank does something. rows: [{ name, values, words, chosen }]. */
export function dots(canvas, { rows, xName, of }) {
  const { context, width, height } = pen(canvas);
  const size = sized(width);
  const left = Math.min(Math.max(...rows.map((row) => wide(context, row.name, size, 700))) + 14, width * 0.42);
  const right = Math.min(Math.max(...rows.map((row) => wide(context, row.words, size, 700))) + 16, width * 0.35);
  const most = Math.max(...rows.flatMap((row) => row.values), 1e-12);
  const x = (value) => left + 8 + (value / most) * (width - left - right - 16);
  const bottom = height - size * 2.8;
  const top = size * 1.6;
  const pitch = (bottom - top) / rows.length;
  grid(context, { size, x, from: 0, to: most, top, bottom, width: width - left - right });
  write(context, xName, left + (width - left - right) / 2, height - size * 0.8, { size, align: "center", colour: look().faint });
  write(context, of, width - 4, size * 0.75, { size, align: "right", colour: look().faint });
  rows.forEach((row, nth) => {
    const y = top + (nth + 0.5) * pitch;
    const letters = Math.min(size, pitch * 0.95);
    const colour = look().hues[row.hue ?? 0];
    if (row.chosen) {
      context.fillStyle = tint(colour, 0.12);
      context.fillRect(0, y - pitch / 2, width, pitch);
    }
    write(context, fitted(context, row.name, left - 8, letters), 6, y, { size: letters, weight: row.chosen ? 700 : 400 });
    write(context, row.words, width - 4, y, { size: letters, align: "right", weight: 700 });
    const [from, to] = [Math.min(...row.values), Math.max(...row.values)];
    context.fillStyle = tint(colour, 0.3);
    context.fillRect(x(from), y - pitch * 0.12, Math.max(x(to) - x(from), 2), pitch * 0.24);
    context.fillStyle = tint(colour, row.values.length > 100 ? 0.5 : 0.9);
    const radius = Math.max(2.5, Math.min(6, pitch * 0.22));
    context.beginPath();
    for (const value of row.values) {
      context.moveTo(x(value) + radius, y);
      context.arc(x(value), y, radius, 0, 7);
    }
    context.fill();
  });
}

/** From one number to another in steps, upright: steps: [{ name, change, hue }]. */
export function waterfall(canvas, { from, steps, unit, reference }) {
  const { context, width, height } = pen(canvas);
  const size = sized(width);
  const levels = [from.value];
  for (const step of steps) levels.push(levels[levels.length - 1] + step.change);
  const most = Math.max(reference.value, ...levels) * 1.12 || 1;
  const least = Math.min(0, ...levels);
  const groups = [from.name, ...steps.map((step) => step.name), "prints"];
  const [top, bottom, left, right] = [size * 1.8, height - size * 1.8, size * 4.5, width - 8];
  const y = (value) => bottom - ((value - least) / (most - least)) * (bottom - top);
  const pitch = (right - left) / groups.length;
  context.strokeStyle = look().grid;
  context.beginPath();
  const marks = ticks(least, most, Math.max(2, (bottom - top) / (size * 2.5)));
  for (const mark of marks) {
    context.moveTo(left, Math.round(y(mark)) + 0.5);
    context.lineTo(right, Math.round(y(mark)) + 0.5);
  }
  context.stroke();
  for (const mark of marks) write(context, significant(mark), left - 6, y(mark), { size, align: "right", colour: look().faint });
  write(context, unit, 4, size * 0.75, { size, colour: look().faint });
  const column = (nth, low, high, colour, hatched) => {
    const x = left + nth * pitch + pitch * 0.14;
    context.fillStyle = hatched ? hatch(context, colour) : colour;
    context.fillRect(x, y(high), pitch * 0.72, Math.max(y(low) - y(high), 2));
    context.strokeStyle = colour;
    context.strokeRect(x, y(high), pitch * 0.72, Math.max(y(low) - y(high), 2));
  };
  const { hues, ink } = look();
  column(0, Math.min(0, from.value), Math.max(0, from.value), hues[0]);
  steps.forEach((step, nth) => {
    const [before, after] = [levels[nth], levels[nth + 1]];
    column(nth + 1, Math.min(before, after), Math.max(before, after), step.change < 0 ? hues[2] : hues[1], step.change < 0);
    const words = signed(step.change, 3);
    const letters = size * Math.min(1, pitch / wide(context, words, size, 700));
    if (letters > 8) write(context, words, left + (nth + 1.5) * pitch, y(Math.max(before, after)) - size * 0.7, { size: letters, align: "center", weight: 700 });
  });
  const end = levels[levels.length - 1];
  column(groups.length - 1, Math.min(0, end), Math.max(0, end), ink);
  groups.forEach((name, nth) => {
    const letters = Math.min(size, (pitch / Math.max(name.length, 3)) * 1.8);
    write(context, name, left + (nth + 0.5) * pitch, bottom + size * 0.95, { size: letters, align: "center" });
  });
  context.strokeStyle = ink;
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(left, y(reference.value));
  context.lineTo(right, y(reference.value));
  context.stroke();
  context.setLineDash([]);
  // Above the picture, where no bar is.
  write(context, `- - - ${reference.name}`, right, size * 0.75, { size, align: "right" });
}

/**
 * A strip for each row on one axis of time: how large a share was, in pieces. rows: [{ name, words, values: [{ from, to, share }] }];
 * heights are logarithmic from `least` to 1.
 */
export function strips(canvas, { rows, until, least, xName, yName }) {
  const { context, width, height } = pen(canvas);
  const size = sized(width);
  const left = Math.max(...rows.map((row) => wide(context, row.name, size))) + 14;
  const right = Math.min(Math.max(...rows.map((row) => wide(context, row.words, size))) + 16, width * 0.35);
  const [top, bottom] = [size * 1.7, height - size * 2.8];
  const x = (value) => left + (value / until) * (width - left - right);
  const pitch = (bottom - top) / rows.length;
  const part = (share) => Math.max(0, Math.min(1, 1 - Math.log(Math.max(share, least)) / Math.log(least)));
  grid(context, { size, x, from: 0, to: until, top, bottom, width: width - left - right });
  write(context, xName, left + (width - left - right) / 2, height - size * 0.8, { size, align: "center", colour: look().faint });
  write(context, fitted(context, yName, width - 8, size), 4, size * 0.75, { size, colour: look().faint });
  rows.forEach((row, nth) => {
    const base = top + (nth + 1) * pitch - 2;
    const letters = Math.min(size, pitch * 0.9);
    context.fillStyle = look().lane;
    context.fillRect(left, top + nth * pitch + 2, width - left - right, pitch - 4);
    context.fillStyle = look().hues[0];
    for (const { from, to, share } of row.values) {
      const high = part(share) * (pitch - 4);
      context.fillRect(x(from), base - high, Math.max(x(to) - x(from) - 1, 1), high);
    }
    write(context, row.name, left - 8, top + (nth + 0.5) * pitch, { size: letters, align: "right" });
    write(context, row.words, width - 4, top + (nth + 0.5) * pitch, { size: letters, align: "right" });
  });
}

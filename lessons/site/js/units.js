// Times are integers of picoseconds everywhere; these turn them into words.

const UNITS = [
  ["ps", 1],
  ["ns", 1e3],
  ["µs", 1e6],
  ["ms", 1e9],
  ["s", 1e12],
];

/** Of pictures beside numbers that are all told in µs. */
export const MICROSECONDS = { symbol: "µs", ps: 1e6 };

/** The unit in which a time of so many ps is best read. */
export function unitFor(ps) {
  const size = Math.abs(ps);
  let best = UNITS[1];
  for (const unit of UNITS.slice(1)) if (size >= unit[1]) best = unit;
  return { symbol: best[0], ps: best[1] };
}

/** A number with so many significant digits, without zeros that say nothing. */
export function significant(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(places, 12));
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** The same with its sign. */
export const signed = (value, digits) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${significant(Math.abs(value), digits)}`;

/** `12.5 µs`. */
export function time(ps, digits = 4) {
  if (ps === 0) return "0 µs";
  const unit = unitFor(ps);
  return `${significant(ps / unit.ps, digits)} ${unit.symbol}`;
}

/** The same words with no break between a number and its unit. */
export const tied = (words) => words.replace(/(\d) (?=(?:[pnµm]?s|[KM]iB|B|%|ppm|kHz)(?![\p{L}\d]))/gu, "$1\u00a0");

/** `1 KiB`, `3 B`. */
export function bytes(count) {
  if (count >= 1 << 20 && count % (1 << 20) === 0) return `${count / (1 << 20)} MiB`;
  if (count >= 1024 && count % 1024 === 0) return `${count / 1024} KiB`;
  return `${count} B`;
}

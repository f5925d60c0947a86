// Colours and hatching of pictures: told apart on a projector, in print and by those who do not see all colours (the palette
// of Okabe and Ito), light or dark.

const LIGHT = {
  paper: "#ffffff", ink: "#16191d", faint: "#4a525c", grid: "#d5dae0", lane: "#f1f3f6", late: "#c0392b",
  hues: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#806600", "#56b4e9"],
};
const DARK = {
  paper: "#14171b", ink: "#f4f6f8", faint: "#b4bcc6", grid: "#39424d", lane: "#1f242b", late: "#ff7b6b",
  hues: ["#56b4e9", "#ff9d4d", "#2fcf9f", "#e8a5cc", "#e6c84c", "#8ab8ff"],
};

/** The colours that hold now. */
export function look() {
  return document.documentElement.dataset.theme === "dark" ? DARK : LIGHT;
}

/** Size of letters on a canvas, in px: that of the page, which grows with the room. */
export function letter() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** A colour, more or less of it. */
export function tint(colour, alpha) {
  return `${colour}${Math.round(alpha * 255).toString(16).padStart(2, "0")}`;
}

const patterns = new Map();

/** Diagonal hatching of a colour: what waits. */
export function hatch(context, colour) {
  const key = `${colour} ${context.getTransform().a}`;
  if (!patterns.has(key)) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (const shift of [-8, 0, 8]) {
      pen.moveTo(shift - 1, 9);
      pen.lineTo(shift + 9, -1);
    }
    pen.stroke();
    patterns.set(key, context.createPattern(tile, "repeat"));
  }
  return patterns.get(key);
}

/** A canvas ready to be drawn on, in units of CSS px; whatever it showed is gone. */
export function pen(canvas) {
  const density = Math.min(window.devicePixelRatio || 1, 3);
  const { clientWidth: width, clientHeight: height } = canvas;
  const [wide, high] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const context = canvas.getContext("2d");
  context.setTransform(density, 0, 0, density, 0, 0);
  context.fillStyle = look().paper;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.lineWidth = 1;
  return { context, width, height };
}

/** Writes text; `weight` is 400 or 700. Centred words stay between 0 and `within`, where that is given. */
export function write(context, words, x, y, { size = letter(), colour = look().ink, align = "left", weight = 400, within = Infinity } = {}) {
  if (within < Infinity) x = Math.min(Math.max(x, wide(context, words, size, weight) / 2), within - wide(context, words, size, weight) / 2);
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.fillStyle = colour;
  context.textAlign = align;
  context.fillText(words, x, y);
}

/** How wide words are. */
export function wide(context, words, size = letter(), weight = 400) {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  return context.measureText(words).width;
}

/** Round values from 0 or `from` to `to`, about so many. */
export function ticks(from, to, about) {
  const rough = (to - from) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999) ?? power;
  const all = [];
  for (let nth = Math.ceil(from / step - 1e-9); nth * step <= to + step * 1e-9; nth++) all.push(nth * step);
  return all;
}

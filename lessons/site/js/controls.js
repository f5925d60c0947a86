// Sliders, choices and switches of a lesson, from their descriptions.
//
// { key, kind: "range", label, min, max, step | values | log, words, usual }, { key, kind: "choice", label, options:
// [[name, words, title]…], usual }, { key, kind: "switch", label, seen, usual }; `seen` is the address of a lesson that shows
// what is switched. `changes(settings)` says what else follows.

import { tied } from "#units";
import { say } from "#words";

const STEPS = 400;
/** A label and a name of so many letters together do not fit beside each other. */
const LONG = 36;

/** Positions of a slider and the values that they stand for. */
function scale(control) {
  if (control.values) {
    const nearest = (value) => control.values.reduce((best, one, nth) => (Math.abs(one - value) < Math.abs(control.values[best] - value) ? nth : best), 0);
    return { min: 0, max: control.values.length - 1, step: 1, at: nearest, value: (place) => control.values[place] };
  }
  if (control.log) {
    const ratio = control.max / control.least;
    const at = (value) => (value < control.least ? 0 : 1 + Math.round((Math.log(value / control.least) / Math.log(ratio)) * (STEPS - 1)));
    const value = (place) => (place === 0 ? control.min : Number((control.least * ratio ** ((place - 1) / (STEPS - 1))).toPrecision(3)));
    return { min: 0, max: STEPS, step: 1, at, value };
  }
  return { min: control.min, max: control.max, step: control.step ?? 1, at: (value) => value, value: (place) => place };
}

/** Builds the controls into an element; `changed(key, value)` is called at every move. Returns a function that shows settings. */
export function controls(into, all, changed) {
  into.replaceChildren();
  const shows = all.map((control) => built(into, control, changed));
  return (settings) => shows.forEach((show) => show(settings));
}

function built(into, control, changed) {
  const row = document.createElement("div");
  row.className = `control ${control.kind}`;
  const label = document.createElement("label");
  label.textContent = tied(control.label);
  label.htmlFor = `set-${control.key}`;
  row.append(label);
  into.append(row);
  const make = { range: slider, choice, switch: toggle }[control.kind];
  return make(row, control, (value) => changed(control, value));
}

function slider(row, control, changed) {
  const { min, max, step, at, value } = scale(control);
  const input = document.createElement("input");
  Object.assign(input, { type: "range", id: `set-${control.key}`, min, max, step });
  const output = document.createElement("output");
  output.htmlFor = input.id;
  row.append(input, output);
  input.addEventListener("input", () => changed(value(Number(input.value))));
  const words = control.words ?? String;
  return (settings) => {
    const most = control.most?.(settings);
    if (most !== undefined) input.max = control.values ? control.values.filter((one) => one <= most).length - 1 : most;
    input.value = at(settings[control.key]);
    if (say(output, tied(words(settings[control.key])))) input.setAttribute("aria-valuetext", output.textContent);
    row.hidden = control.only ? !control.only(settings) : false;
  };
}

function choice(row, control, changed) {
  const select = document.createElement("select");
  // Names that are cut beside their label stand below it.
  row.classList.toggle("long", control.options.some(([, words]) => control.label.length + words.length >= LONG));
  select.id = `set-${control.key}`;
  for (const [name, words, title] of control.options) {
    const option = new Option(tied(words), name);
    if (title) option.title = title;
    select.append(option);
  }
  row.append(select);
  const source = document.createElement("small");
  row.append(source);
  select.addEventListener("change", () => changed(select.value));
  return (settings) => {
    select.value = settings[control.key];
    say(source, tied(control.options.find(([name]) => name === select.value)?.[2] ?? ""));
    row.hidden = control.only ? !control.only(settings) : false;
  };
}

function toggle(row, control, changed) {
  const input = document.createElement("input");
  Object.assign(input, { type: "checkbox", id: `set-${control.key}` });
  row.prepend(input);
  if (control.seen) {
    const link = Object.assign(document.createElement("a"), { href: `#${control.seen}`, textContent: "→", title: "the lesson that shows it" });
    link.setAttribute("aria-label", `the lesson that shows ${control.label}`);
    const words = document.createElement("span");
    words.append(row.querySelector("label"), "\u00a0", link);
    row.append(words);
  }
  input.addEventListener("change", () => changed(input.checked));
  return (settings) => {
    input.checked = settings[control.key];
    row.hidden = control.only ? !control.only(settings) : false;
  };
}

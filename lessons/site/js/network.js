// Networks to choose from, each with its source, and sliders for their parameters.

import { significant } from "#units";

/** Value of a parameter as written, in ns or ns/B. */
function inNs(text) {
  const [, number, unit] = /^([\d.]+)(ps|ns|us|ms)/.exec(text);
  return Number(number) * { ps: 1e-3, ns: 1, us: 1e3, ms: 1e6 }[unit];
}

/** `L=6us,o=2us` as `{ L: 6000, o: 2000 }`. */
export function parameters(set) {
  const all = {};
  for (const pair of set.split(",")) {
    const [key, value] = pair.split("=");
    all[key] = inNs(value);
  }
  return all;
}

/** The networks that come with the simulator. */
export const networks = JSON.parse(globalThis.document?.getElementById("networks")?.textContent ?? "[]");

const time = (ns) => (ns >= 1e6 ? `${significant(ns / 1e6)} ms` : ns >= 1e3 ? `${significant(ns / 1e3)} µs` : `${significant(ns)} ns`);

/** A message takes α, and its sender is busy meanwhile. */
const BUSY = ["emulated", "a message takes α, its sender is busy", "Hockney with busy senders; receiving takes nothing"];
/** A message takes α, and its sender goes on at once, as where overheads are small beside the latency. */
export const EAGER = ["threads", "a message takes α, its sender goes on", "Hockney with eager senders: LogGP with L = α, o = g = 0. Threads emulate it in Measure it here, with α = 100 µs"];
const MESSAGES = [BUSY[0], EAGER[0]];
/** What threads of this machine emulate when they are measured: α in ns. */
export const THREADS = { net: EAGER[0], alpha: 100_000 };

/** Controls of a network: which one, and its parameters; those of `keys` only; with others by the time of a message, unless they make no sense. */
export function networkControls(usual, keys = ["L", "o", "g", "G"], others = [BUSY]) {
  const of = parameters(networks.find((network) => network.name === usual)?.set ?? "L=2.5us,o=1.5us,g=1us,G=6ns/B");
  const known = networks.map((network) => [network.name, `${network.year}  ${network.words}`, network.source]);
  const range = { kind: "range", log: true, min: 0, group: "network" };
  const all = {
    L: { ...range, key: "L", label: "latency L", least: 10, max: 1e6, words: time, usual: of.L },
    o: { ...range, key: "o", label: "overhead o", least: 10, max: 1e6, words: time, usual: of.o },
    g: { ...range, key: "g", label: "gap g", least: 1, max: 1e6, words: time, usual: of.g },
    G: { ...range, key: "G", label: "gap per byte G", least: 0.01, max: 1e3, words: (ns) => `${significant(ns)} ns/B`, usual: of.G },
  };
  const options = [...known, ...others, ["own", "as the sliders say", ""]];
  return [
    { key: "net", kind: "choice", label: "network", options, usual, group: "network", changes: chosen, settles: settled },
    { ...range, key: "alpha", label: "time of a message α", least: 10, max: 1e6, words: time, usual: THREADS.alpha, only: (settings) => MESSAGES.includes(settings.net) },
    ...keys.map((key) => ({ ...all[key], changes: moved, only: (settings) => !MESSAGES.includes(settings.net) })),
  ];
}

/** A network was chosen: its sliders follow. */
function chosen(settings) {
  const network = networks.find((one) => one.name === settings.net);
  if (!network) return settings;
  const published = parameters(network.set);
  const known = Object.keys(published).filter((key) => key in settings);
  return { ...settings, ...Object.fromEntries(known.map((key) => [key, published[key]])) };
}

/** Settings of an address, which names some: a network has its own parameters; with another one beside it, it is one's own. */
function settled(settings, named) {
  const published = chosen(settings);
  const others = Object.keys(settings).filter((key) => named.includes(key) && settings[key] !== published[key]);
  if (others.length === 0) return published;
  return { ...published, ...Object.fromEntries(others.map((key) => [key, settings[key]])), net: "own" };
}

/** A slider was moved: the network is one's own. */
const moved = (settings) => ({ ...settings, net: "own" });

/** The network in the words of a question. */
export function net(settings) {
  if (MESSAGES.includes(settings.net)) return { set: `alpha=${settings.alpha / 1e3}us,beta=1ns/B`, send_rule: settings.net === EAGER[0] ? "eager" : "busy" };
  if (settings.net !== "own") return { set: settings.net };
  const given = ["L", "o", "g", "G"].filter((key) => key in settings);
  return { set: given.map((key) => `${key}=${settings[key]}ns${key === "G" ? "/B" : ""}`).join(",") };
}

/** The parameters of LogGP as numbers, in ps and ps per byte; null where it is another model. */
export function inPs(settings) {
  if (settings.net === BUSY[0]) return null;
  if (settings.net === EAGER[0]) return { L: settings.alpha * 1e3, o: 0, g: 0, G: 1e3 };
  const named = networks.find((one) => one.name === settings.net);
  const ns = named ? parameters(named.set) : settings;
  return Object.fromEntries(["L", "o", "g", "G"].map((key) => [key, (ns[key] ?? 0) * 1e3]));
}

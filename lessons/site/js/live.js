// Measured here: real ranks of this machine make the same calls, and their times stand beside the simulated ones; or they
// record what takes their CPUs, and what they lose is drawn while it happens.

import { strips } from "#charts";
import { significant, time } from "#units";

const at = (id) => document.getElementById(id);

export class Live {
  constructor(into, page) {
    Object.assign(this, { into, page, samples: [], looks: [], running: null });
  }

  /** Which worlds the server has; without a server there is nothing to measure with. */
  offer() {
    this.worlds = JSON.parse(at("server").textContent || "[]");
  }

  begin(lesson) {
    this.stop();
    this.lesson = lesson;
    [this.samples, this.looks] = [[], []];
    const { measure, watch } = lesson;
    this.into.hidden = !(measure ?? watch) || !this.worlds?.length;
    if (this.into.hidden) return;
    const title = Object.assign(document.createElement("h2"), { textContent: measure ? "Measure it here" : "Watch it here" });
    this.words = Object.assign(document.createElement("p"), { textContent: (measure ?? watch).about });
    const buttons = this.worlds.map(({ world, words }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${measure ? "measure" : "watch"} on ${words}` });
      button.dataset.world = world;
      button.addEventListener("click", () => (measure ? this.measure(world) : this.watch(world)));
      return button;
    });
    this.status = document.createElement("p");
    this.status.setAttribute("aria-live", "polite");
    this.canvas = Object.assign(document.createElement("canvas"), { hidden: true });
    this.canvas.setAttribute("role", "img");
    this.into.replaceChildren(title, this.words, ...buttons, this.status, this.canvas);
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  /** Asks the server to measure, and shows every number as it comes. */
  async measure(world) {
    const page = this.page();
    page.cover(false);
    const job = { world, ...this.lesson.measure.job(page.settings) };
    if (job.settings) page.set({ ...page.settings, ...job.settings(world) });
    delete job.settings;
    this.samples = [];
    if ((await this.ask("measure", job)) && world !== "threads") this.fit();
  }

  /** Asks the server to record what takes the CPUs, and draws what ranks lose as it comes. */
  async watch(world) {
    this.looks = [];
    await this.ask("watch", { world });
  }

  /** One question that is answered bit by bit; whether the answer came to its end. */
  async ask(what, job) {
    this.stop();
    const running = (this.running = new AbortController());
    this.status.textContent = "ranks are starting …";
    let whole = false;
    try {
      const base = at("server").dataset.base;
      const reply = await fetch(`${base}${what}`, { method: "POST", body: JSON.stringify(job), signal: running.signal });
      if (!reply.ok) throw new Error(await reply.text());
      for await (const event of events(reply.body)) this.heard(event);
      whole = true;
    } catch (error) {
      if (error.name !== "AbortError") this.status.textContent = error.message;
    }
    if (this.running === running) this.running = null;
    return whole;
  }

  /** One number of an unknown network is fitted to what was measured; the rest of the prediction can then be compared. */
  fit() {
    const page = this.page();
    const fitted = this.samples.length && this.lesson.measure.fit?.(this.samples, page.settings, page.answers);
    if (!fitted) return;
    page.set({ ...page.settings, ...fitted.settings });
    this.status.textContent += `. ${fitted.words}`;
  }

  heard(event) {
    if (event.sample) {
      this.samples.push(event.sample);
      this.status.textContent = `${this.samples.length} measured: ${event.sample.words}`;
      this.page().draw();
    } else if (event.look) {
      this.looks.push(event.look);
      this.status.textContent = `recording: ${event.look.at_s.toFixed(0)} s of ${event.look.until_s} s`;
      this.draw();
    } else if (event.done) this.status.textContent = event.done;
  }

  /** What ranks lose, look by look, if that was looked at. */
  draw() {
    if (!this.looks.length) return;
    const { ranks, until_s } = this.looks.at(-1);
    this.canvas.hidden = false;
    this.canvas.style.setProperty("--rows", Math.min(4 + 2 * ranks.length, 24));
    this.canvas.setAttribute("aria-label", `Share of its CPU that each rank lost, a fifth of a second after the other: ${ranks.map((of) => `rank ${of.rank} now ${percent(of.share)}`).join(", ")}`);
    const rows = ranks.map((of, nth) => ({
      name: `rank ${of.rank}`,
      words: `longest ${time(of.longest_us * 1e6, 3)}`,
      values: this.looks.map(({ at_s, took_s, ranks: all }) => ({ from: at_s - took_s, to: at_s, share: all[nth]?.share ?? 0 })),
    }));
    strips(this.canvas, { rows, until: until_s, least: 1e-4, xName: "time, s", yName: "share of the CPU that is lost, from 0.01 % to all" });
  }
}

const percent = (share) => `${significant(share * 100, 3)} %`;

/** Server-sent events of a stream, each a JSON object. */
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice(6));
  }
}

/** Measured numbers of one kind, from all launches so far. */
export const of = (samples, wanted) => samples.filter((sample) => Object.entries(wanted).every(([key, value]) => sample[key] === value));

/** The median of each rank, in µs. */
export function byRank(samples) {
  const ranks = [...new Set(samples.map((one) => one.rank))];
  return ranks.map((rank) => median(of(samples, { rank }).map((one) => one.us)));
}

/** The middle one; of an even number the mean of the two in the middle, as commands take it. */
export function median(values) {
  const all = [...values].sort((a, b) => a - b);
  const half = all.length / 2;
  return all.length ? (all[Math.ceil(half) - 1] + all[Math.floor(half)]) / 2 : NaN;
}

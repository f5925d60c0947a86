// Measured here: real ranks of this machine make the same calls, and their times stand beside the simulated ones.

const at = (id) => document.getElementById(id);

export class Live {
  constructor(into, page) {
    Object.assign(this, { into, page, samples: [], running: null });
  }

  /** Which worlds the server has; without a server there is nothing to measure with. */
  offer() {
    this.worlds = JSON.parse(at("server").textContent || "[]");
  }

  begin(lesson) {
    this.stop();
    this.lesson = lesson;
    this.samples = [];
    this.into.hidden = !lesson.measure || !this.worlds?.length;
    if (this.into.hidden) return;
    const title = Object.assign(document.createElement("h2"), { textContent: "Measure it here" });
    this.words = Object.assign(document.createElement("p"), { textContent: lesson.measure.about });
    const buttons = this.worlds.map(({ world, words }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `measure on ${words}` });
      button.dataset.world = world;
      button.addEventListener("click", () => this.measure(world));
      return button;
    });
    this.status = document.createElement("p");
    this.status.setAttribute("aria-live", "polite");
    this.into.replaceChildren(title, this.words, ...buttons, this.status);
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  /** Asks the server to measure, and shows every number as it comes. */
  async measure(world) {
    this.stop();
    const page = this.page();
    page.cover(false);
    const job = { world, ...this.lesson.measure.job(page.settings) };
    if (job.settings) page.set({ ...page.settings, ...job.settings(world) });
    delete job.settings;
    const running = (this.running = new AbortController());
    this.samples = [];
    this.status.textContent = "ranks are starting …";
    try {
      const base = at("server").dataset.base;
      const reply = await fetch(`${base}measure`, { method: "POST", body: JSON.stringify(job), signal: running.signal });
      if (!reply.ok) throw new Error(await reply.text());
      for await (const event of events(reply.body)) this.heard(event);
      if (world !== "threads") this.fit();
    } catch (error) {
      if (error.name !== "AbortError") this.status.textContent = error.message;
    }
    if (this.running === running) this.running = null;
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
    } else if (event.done) this.status.textContent = event.done;
  }
}

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

// Time as something to walk through: message by message, or played.

import { time } from "#units";
import { say } from "#words";

/** Seconds that a whole run takes when it is played. */
const PLAYED_S = 8;

/** The bar with the buttons; `changed(until)` is called with an instant, or with Infinity for the whole picture. */
export class Steps {
  constructor(into, changed) {
    Object.assign(this, { into, changed, until: Infinity, length: 0, events: [], playing: null });
    this.back = this.button("◀", "one message back (comma)", () => this.step(-1));
    this.play = this.button("▶ play", "play (space)", () => this.toggle());
    this.forth = this.button("▶▏", "one message on (full stop)", () => this.step(1));
    this.slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1000, value: 1000 });
    this.slider.setAttribute("aria-label", "instant");
    this.slider.addEventListener("input", () => this.moveTo((this.slider.value / 1000) * this.length));
    this.words = document.createElement("output");
    into.replaceChildren(this.back, this.play, this.forth, this.slider, this.words);
  }

  button(words, title, act) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: words, title });
    button.setAttribute("aria-label", title);
    button.addEventListener("click", act);
    return button;
  }

  /** A new picture: when its messages leave and arrive, counted from its begin. */
  show(events, length) {
    this.events = [...new Set(events)].sort((a, b) => a - b);
    this.length = length;
    if (this.until > length) this.until = Infinity;
    this.into.hidden = events.length === 0;
    this.tell();
  }

  moveTo(until) {
    this.until = until >= this.length ? Infinity : Math.max(0, until);
    this.tell();
    this.changed(this.until);
  }

  step(by) {
    this.stop();
    const now = this.until === Infinity ? this.length : this.until;
    const next = by > 0 ? this.events.find((at) => at > now) ?? this.length : this.events.findLast((at) => at < now) ?? 0;
    if (by > 0 && this.until === Infinity) this.moveTo(this.events[0] ?? 0);
    else this.moveTo(next);
  }

  toggle() {
    if (this.playing) return this.stop();
    let from = this.until === Infinity ? 0 : this.until;
    let last = null;
    const frame = (now) => {
      if (last !== null) from += ((now - last) / 1000 / PLAYED_S) * this.length;
      last = now;
      this.moveTo(from);
      if (from >= this.length) return this.stop();
      this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
    this.play.textContent = "❚❚ pause";
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = null;
    this.play.textContent = "▶ play";
  }

  tell() {
    const all = this.until === Infinity;
    this.slider.value = all ? 1000 : (this.until / this.length) * 1000;
    say(this.words, all ? "all" : time(this.until));
  }
}

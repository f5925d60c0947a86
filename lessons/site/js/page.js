// The page of a lesson: what is asked, guessed, set, seen and read.

import { read, write, fitting } from "#address";
import { controls } from "#controls";
import { Exercise } from "#exercise";
import { Live } from "#live";
import { look } from "#look";
import { Newest, atServer, inPage, unpacked } from "#simulator";
import { Steps } from "#steps";
import { tied } from "#units";
import { say } from "#words";

const at = (id) => document.getElementById(id);

/** The address follows settings that rest: writing it takes a browser longer than a picture takes. */
const RESTING_MS = 200;

/** Puts a text into an element in which lines end between words only, not behind a hyphen inside one, where a word fits a line. */
function whole(element, text) {
  if (element.textContent === text) return;
  const word = (part) => Object.assign(document.createElement("span"), { className: "word", textContent: part });
  element.replaceChildren(...text.split(/([ \n])/).map((part) => (/^[ \n]?$/.test(part) ? part : word(part))));
}

/** A row for a number, its name and a note. */
function row(table) {
  const row = table.insertRow();
  row.append(Object.assign(document.createElement("th"), { scope: "row" }), document.createElement("td"), document.createElement("td"));
  return row;
}

/** Runs the page with these lessons. */
export class Page {
  constructor(lessons) {
    this.lessons = lessons;
    this.show = null;
    this.settings = {};
    this.steps = new Steps(at("steps"), () => this.draw());
    this.exercise = new Exercise(at("exercise"), () => this.simulator);
    this.live = new Live(at("live"), () => this);
    for (const lesson of lessons) at("lesson").append(new Option(lesson.title, lesson.id));
    at("lesson").hidden = lessons.length < 2;
    at("lesson").addEventListener("change", () => this.open(at("lesson").value, {}));
    window.addEventListener("hashchange", () => this.fromAddress());
    window.addEventListener("pagehide", () => this.lesson && this.address());
    this.buttons();
    new ResizeObserver(() => this.redraw()).observe(at("pictures"));
  }

  /** Starts the simulator and shows what the address says. */
  async start() {
    const code = at("simulator");
    try {
      if (code?.textContent.trim()) this.simulator = await inPage(await unpacked(code.textContent));
      else this.simulator = atServer(at("server").dataset.base);
    } catch (error) {
      return this.failed(new Error(`the simulator does not start in this browser: ${error.message}`));
    }
    at("where").textContent = `simulated ${this.simulator.where}`;
    this.newest = new Newest(this.simulator, (about, answers, error) => this.answered(about, answers, error));
    this.live.offer();
    this.fromAddress();
  }

  fromAddress() {
    this.hash = location.hash;
    const { lesson, settings } = read(this.hash);
    this.open(lesson, settings);
  }

  open(id, texts) {
    const lesson = this.lessons.find((one) => one.id === id) ?? this.lessons[0];
    const { settings, notes } = fitting(lesson.controls, texts);
    const fitted = lesson.fits?.(settings) ?? settings;
    for (const key of Object.keys(texts)) if (fitted[key] !== settings[key]) notes.push(`${key}=${texts[key]} does not go with the other settings: ${fitted[key]} is used instead`);
    if (id && lesson.id !== id) notes.unshift(`there is no lesson ${id} in this page`);
    if (lesson !== this.lesson) {
      this.begin(lesson);
      // Who comes with settings knows what they want to see; others guess first.
      this.cover(Object.keys(texts).length === 0);
    }
    this.set(settings);
    this.changed(notes);
  }

  /** Says what of an address could not be taken as it is. */
  changed(notes) {
    at("address").hidden = notes.length === 0;
    at("address").textContent = notes.length ? `From the address: ${notes.join("; ")}.` : "";
  }

  /** Another lesson: its words and controls. */
  begin(lesson) {
    this.lesson = lesson;
    this.steps.stop();
    this.steps.until = Infinity;
    // A telephone has room for one, and for the sliders below it.
    this.only = window.innerWidth < 740 || document.body.classList.contains("room") ? 0 : undefined;
    at("one").setAttribute("aria-pressed", this.only !== undefined);
    document.title = `${lesson.title} – Parallax`;
    at("lesson").value = lesson.id;
    at("title").textContent = lesson.title;
    at("question").textContent = tied(lesson.question);
    at("note").innerHTML = tied(lesson.note);
    at("try").replaceChildren(...lesson.next.map((words) => Object.assign(document.createElement("li"), { textContent: tied(words) })));
    this.guess(lesson.guess);
    this.exercise.begin(lesson.exercise);
    this.live.begin(lesson);
    this.pictures = [];
    at("pictures").replaceChildren();
    this.show = controls(at("controls"), lesson.controls, (control, value) => {
      const next = { ...this.settings, [control.key]: value };
      this.cover(false);
      this.changed([]);
      this.set(control.changes ? control.changes(next) : next);
    });
    // Lessons that are not in this page are in files beside it.
    for (const link of at("controls").querySelectorAll("a[href^='#']")) {
      const hash = link.getAttribute("href");
      const { lesson: id } = read(hash);
      if (!this.lessons.some((one) => one.id === id)) link.href = `${id}.html${hash}`;
    }
  }

  guess({ asks, options, right, because }) {
    at("guess-asks").textContent = tied(asks);
    at("guess-answer").textContent = "";
    document.body.classList.add("unguessed");
    const made = options.map((words, nth) => {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "radio", name: "guess", value: nth });
      input.addEventListener("change", () => {
        this.cover(false);
        document.body.classList.remove("unguessed");
        at("guess-answer").textContent = tied(`${nth === right ? "Right." : `No, the answer is: ${options[right]}.`} ${because}`);
      });
      label.append(input, tied(words));
      return label;
    });
    at("guess-options").replaceChildren(...made);
  }

  /** The picture gives the guess away: it is covered until a guess is made, or nobody wants to. */
  cover(covered) {
    document.body.classList.toggle("guessing", covered);
  }

  /** Other settings: asked at once, shown when the answer is there. */
  set(settings) {
    const asked = performance.now();
    this.settings = this.lesson.fits?.(settings) ?? settings;
    const slow = this.lesson.slow?.(this.settings) ?? [];
    this.newest.ask(this.lesson.ask(this.settings), { lesson: this.lesson, settings: this.settings, slow, asked });
    this.show(this.settings);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.address(), RESTING_MS);
  }

  /** Writes the settings into the address. */
  address() {
    clearTimeout(this.resting);
    // Another address was given since, and is about to be read.
    if (location.hash !== this.hash) return;
    const usual = Object.fromEntries(this.lesson.controls.map((control) => [control.key, control.usual]));
    const address = write(this.lesson.id, this.settings, usual);
    if (address !== location.hash) history.replaceState(null, "", address);
    this.hash = location.hash;
  }

  answered(about, answers, error) {
    if (about.lesson !== this.lesson) return;
    this.failed(error);
    if (error) return;
    this.shown = this.lesson.show(about.settings, answers);
    this.answers = answers;
    this.frames(this.shown.pictures);
    const walk = this.shown.walk;
    this.steps.show(walk?.events ?? [], walk?.length ?? 0);
    // Before the words: behind them, a picture that asks for its size has to wait until the page is laid out anew.
    this.draw();
    this.tell();
    document.documentElement.dataset.whole = about.slow.every((name) => answers[name] !== undefined);
    // For tests and for those who want to know: from the moved slider to the picture.
    document.documentElement.dataset.took = (performance.now() - about.asked).toFixed(1);
    document.documentElement.dataset.shown = JSON.stringify(about.settings);
  }

  /** What the numbers say, and the commands that give them, a line for each run. */
  tell() {
    say(at("sentence"), tied(this.shown.sentence));
    const table = at("numbers");
    while (table.rows.length > this.shown.numbers.length) table.deleteRow(-1);
    this.shown.numbers.forEach(([name, value, note], nth) => {
      const { cells } = table.rows[nth] ?? row(table);
      [name, String(value), note ?? ""].forEach((words, place) => say(cells[place], tied(words)));
    });
    const runs = this.shown.runs.filter(Boolean);
    whole(at("command"), [...new Set(runs.map((run) => run.command))].join("\n"));
    this.scenario = runs[0].scenario ?? null;
    at("scenario").hidden = !this.scenario;
    at("legend").hidden = !this.shown.walk;
    for (const item of at("legend").children) item.hidden = !this.shown.walk?.kinds.has(item.dataset.kind);
  }

  /** A canvas for each picture; those that are there are kept. */
  frames(pictures) {
    const room = at("pictures");
    if (this.pictures.length !== pictures.length) {
      this.pictures = pictures.map((_, nth) => {
        const canvas = document.createElement("canvas");
        canvas.setAttribute("role", "img");
        canvas.addEventListener("pointermove", (event) => this.point(nth, event));
        canvas.addEventListener("pointerleave", () => this.status(""));
        canvas.addEventListener("keydown", (event) => this.walk(nth, event));
        canvas.addEventListener("blur", () => this.leave(nth));
        return { canvas };
      });
      room.replaceChildren(...this.pictures.map((picture) => picture.canvas));
    }
    pictures.forEach((picture, nth) => {
      const { canvas } = this.pictures[nth];
      canvas.setAttribute("aria-label", tied(picture.label));
      if (canvas.style.flexGrow !== String(picture.rows)) {
        canvas.style.setProperty("--rows", picture.rows);
        canvas.style.flexGrow = picture.rows;
      }
      canvas.hidden = this.only !== undefined && this.only % pictures.length !== nth;
    });
    at("one").hidden = pictures.length < 2;
  }

  /** One picture after the other alone, then all again. */
  alone() {
    const next = this.only === undefined ? 0 : this.only + 1;
    this.only = next < this.shown.pictures.length ? next : undefined;
    at("one").setAttribute("aria-pressed", this.only !== undefined);
    this.frames(this.shown.pictures);
    this.draw();
  }

  /** Everything again, with what does not change when a slider moves. */
  redraw() {
    this.live.draw();
    this.draw();
  }

  draw() {
    if (!this.shown) return;
    this.shown.pictures.forEach((picture, nth) => {
      const frame = this.pictures[nth];
      if (!frame || frame.canvas.clientWidth === 0) return;
      frame.drawn = picture.draw(frame.canvas, { until: this.steps.until, live: this.live.samples });
      this.reachable(frame);
      if (frame.place) frame.drawn?.frame(frame.canvas.getContext("2d"), frame.place);
    });
  }

  /** A picture that tells what lies where can be walked over with arrow keys; others are looked at. */
  reachable({ canvas, drawn }) {
    const role = drawn ? "application" : "img";
    if (canvas.getAttribute("role") === role) return;
    canvas.setAttribute("role", role);
    for (const [name, value] of [["tabindex", "0"], ["aria-describedby", "walks"]]) {
      if (drawn) canvas.setAttribute(name, value);
      else canvas.removeAttribute(name);
    }
  }

  /** Arrow keys on a picture: to the next stretch of a rank, or to another rank; what is there is said. */
  walk(nth, event) {
    const frame = this.pictures[nth];
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : frame.drawn?.moved(frame.place, event.key);
    if (!next) return;
    event.preventDefault();
    frame.place = next;
    this.draw();
    this.status(frame.drawn.words(next));
    at("told").textContent = at("status").textContent;
  }

  leave(nth) {
    delete this.pictures[nth].place;
    this.status("");
    this.draw();
  }

  point(nth, event) {
    const words = this.pictures[nth].drawn?.at?.(event.offsetX, event.offsetY);
    this.status(words ?? "");
  }

  status(words) {
    at("status").textContent = tied(words);
  }

  failed(error) {
    // What stands there is the answer to another question then.
    document.body.classList.toggle("stale", Boolean(error));
    at("failed").hidden = !error;
    at("failed").textContent = error?.message ?? "";
  }

  buttons() {
    const copy = (button, words) => {
      navigator.clipboard.writeText(words()).then(
        () => this.status(`copied: ${words().split("\n").join(" and ")}`),
        () => this.status("this browser does not let pages copy: mark the text and copy it by hand"),
      );
    };
    at("copy").addEventListener("click", (event) => copy(event.target, () => at("command").textContent));
    at("link").addEventListener("click", (event) => copy(event.target, () => (this.address(), location.href)));
    at("scenario").addEventListener("click", () => this.scenarioFile());
    at("theme").addEventListener("click", () => this.theme());
    at("room").addEventListener("click", () => this.room());
    at("uncover").querySelector("button").addEventListener("click", () => this.cover(false));
    at("untried").querySelector("button").addEventListener("click", () => document.body.classList.remove("unguessed"));
    at("one").addEventListener("click", () => this.alone());
    document.addEventListener("keydown", (event) => this.key(event));
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme(dark ? "dark" : "light");
    let before;
    window.addEventListener("beforeprint", () => ((before = document.documentElement.dataset.theme), this.theme("light")));
    window.addEventListener("afterprint", () => this.theme(before));
  }

  /** The same calls as a file for `parallax run`. */
  scenarioFile() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.scenario], { type: "text/plain" }));
    link.download = `${this.lesson.id}.toml`;
    link.click();
    this.status(`${link.download}: parallax run ${link.download}`);
  }

  theme(name) {
    const root = document.documentElement;
    root.dataset.theme = name ?? (root.dataset.theme === "dark" ? "light" : "dark");
    // The legend has the colours of the picture.
    root.style.setProperty("--hue", look().hues[0]);
    this.redraw();
  }

  /** For a lecture hall: larger letters, and the picture fills the screen. */
  room() {
    const on = document.body.classList.toggle("room");
    at("room").setAttribute("aria-pressed", on);
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
    document.documentElement.classList.toggle("room", on);
    this.only = on ? 0 : undefined;
    at("one").setAttribute("aria-pressed", on);
    this.frames(this.shown.pictures);
    at("bench").scrollIntoView();
    this.draw();
  }

  /** The next or the previous lesson: in this page, or in the file beside it. */
  turn(by) {
    const next = this.lessons[this.lessons.indexOf(this.lesson) + by];
    if (next) {
      this.open(next.id, {});
      window.scrollTo(0, 0);
    }
    else if (this.lessons.length === 1) document.querySelector(by > 0 ? "a[rel=next]" : "a[rel=prev]")?.click();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches("input[type=text], input[type=number], select, textarea");
    if (inField) return;
    const acts = { f: () => this.room(), v: () => this.alone(), d: () => this.theme(), n: () => this.turn(1), p: () => this.turn(-1), c: () => at("copy").click(), ".": () => this.steps.step(1), ",": () => this.steps.step(-1) };
    if (event.key === " " && !event.target.matches("button, input, summary")) acts[" "] = () => this.steps.toggle();
    if (event.key === "Escape" && document.body.classList.contains("room")) acts.Escape = () => this.room();
    const act = acts[event.key.toLowerCase()] ?? acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

// The simulator behind one function: a question (JSON) in, an answer (JSON) out. It runs as WebAssembly in a worker of the
// page, or is asked over the local server that sent the page.

// Runs in the worker, so it may use nothing from outside.
const WORKER = `
let module, simulator;
async function start() { simulator = (await WebAssembly.instantiate(module, {})).exports; }
const text = new TextDecoder(), bytes = new TextEncoder();
function taken(packed, give) {
  const at = Number(packed >> 32n), length = Number(packed & 0xffffffffn);
  const words = text.decode(new Uint8Array(simulator.memory.buffer, at, length));
  if (give) simulator.give_back(at, length);
  return words;
}
function ask(question) {
  const written = bytes.encode(question), at = simulator.room(written.length);
  new Uint8Array(simulator.memory.buffer, at, written.length).set(written);
  return taken(simulator.answer(at, written.length), true);
}
onmessage = async (event) => {
  const { id, question, code } = event.data;
  try {
    if (code) { module = await WebAssembly.compile(code); await start(); postMessage({ id, answer: "" }); return; }
    postMessage({ id, answer: ask(question) });
  } catch (error) {
    let words = String(error);
    // A module that has panicked says why, and begins anew.
    try { words = taken(simulator.last_words(), false) || words; } catch {}
    await start();
    postMessage({ id, failed: words });
  }
};`;

/** What came of a question: parsed, or an error whose message is one sentence. */
function parsed(answer) {
  const first = answer[0];
  if (first !== "{" && first !== "[") throw new Error(answer);
  return JSON.parse(answer);
}

/** The simulator as WebAssembly, from its bytes. */
export async function inWorker(code) {
  const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  const waiting = new Map();
  let next = 0;
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failed === undefined) resolve(data.answer);
    else reject(new Error(`the simulator failed: ${data.failed}`));
  };
  const send = (message) =>
    new Promise((resolve, reject) => {
      waiting.set(++next, { resolve, reject });
      worker.postMessage({ id: next, ...message });
    });
  await send({ code });
  return { where: "in this page", ask: async (question) => parsed(await send({ question: JSON.stringify(question) })) };
}

/** The simulator of the server that sent this page. */
export function atServer(base) {
  const ask = async (question) => {
    let reply;
    try {
      reply = await fetch(`${base}ask`, { method: "POST", body: JSON.stringify(question) });
    } catch {
      throw new Error("the server of this page is gone: start parallax lesson again");
    }
    return parsed(await reply.text());
  };
  return { where: "by the server of this page", ask };
}

/** Bytes from base64 of what gzip made of them. */
export async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** So many answers are remembered. */
const REMEMBERED = 3000;

/** A simulator that remembers: what a slider does not change is not simulated again. Takes named questions, or lists of them. */
export class Remembering {
  constructor(simulator) {
    Object.assign(this, { simulator, known: new Map() });
  }

  /** Answers under the names of their questions; the first refusal as an error. */
  async ask(questions) {
    const lists = Object.entries(questions).map(([name, one]) => [name, [one].flat().map((question) => JSON.stringify(question))]);
    const missing = [...new Set(lists.flatMap(([, keys]) => keys))].filter((key) => !this.known.has(key));
    if (missing.length) {
      const found = await this.simulator.ask(missing.map((key) => JSON.parse(key)));
      const refused = found.find((answer) => answer.refused !== undefined);
      if (refused) throw new Error(refused.refused);
      if (this.known.size > REMEMBERED) this.known.clear();
      missing.forEach((key, nth) => this.known.set(key, found[nth]));
    }
    const answer = (name, keys) => (Array.isArray(questions[name]) ? keys.map((key) => this.known.get(key)) : this.known.get(keys[0]));
    return Object.fromEntries(lists.map(([name, keys]) => [name, answer(name, keys)]));
  }
}

/**
 * Asks one question after the other: while one is under way only the newest of the others waits, so that a dragged slider
 * never queues up. `then` gets the settings of the question with its answer, or the error.
 */
export class Newest {
  constructor(simulator, then) {
    Object.assign(this, { simulator, then, busy: false, waiting: null });
  }
  ask(question, about) {
    this.waiting = { question, about };
    if (!this.busy) this.next();
  }
  /** What is slow comes behind what is not, unless something newer waits by then. */
  async answer(question, about) {
    const slow = Object.keys(question).filter((name) => about.lesson.slow?.includes(name));
    const fast = Object.fromEntries(Object.entries(question).filter(([name]) => !slow.includes(name)));
    if (slow.length) this.then(about, await this.simulator.ask(fast), null);
    if (!slow.length || !this.waiting) this.then(about, await this.simulator.ask(question), null);
  }
  async next() {
    this.busy = true;
    while (this.waiting) {
      const { question, about } = this.waiting;
      this.waiting = null;
      try {
        await this.answer(question, about);
      } catch (error) {
        this.then(about, null, error);
      }
    }
    this.busy = false;
  }
}

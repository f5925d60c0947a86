// The simulator behind one function: a question (JSON) in, an answer (JSON) out. It runs as WebAssembly in the page and in workers
// of it, or is asked over the local server that sent the page.

import { Shares } from "#shares";

/** A simulator of its own: takes a question's text, returns the answer's. Workers have it, too, so it may use nothing from outside. */
async function instance(module) {
  const text = new TextDecoder();
  const bytes = new TextEncoder();
  let simulator;
  const start = async () => {
    simulator = (await WebAssembly.instantiate(module, {})).exports;
  };
  const taken = (packed, give) => {
    const at = Number(packed >> 32n);
    const length = Number(packed & 0xffffffffn);
    const words = text.decode(new Uint8Array(simulator.memory.buffer, at, length));
    if (give) simulator.give_back(at, length);
    return words;
  };
  await start();
  return async (question) => {
    const written = bytes.encode(question);
    try {
      const at = simulator.room(written.length);
      new Uint8Array(simulator.memory.buffer, at, written.length).set(written);
      return taken(simulator.answer(at, written.length), true);
    } catch (error) {
      let words = String(error);
      // A module that has panicked says why, and begins anew.
      try {
        words = taken(simulator.last_words(), false) || words;
      } catch {}
      await start();
      throw new Error(`the simulator failed: ${words}`);
    }
  };
}

// The first message holds the module, the others questions.
const WORKER = `
${instance}
let ask;
onmessage = async ({ data: { id, question, module } }) => {
  try {
    if (module) ask = await instance(module);
    postMessage({ id, answer: module ? "" : await ask(question) });
  } catch (error) {
    postMessage({ id, failed: error.message });
  }
};`;

/** What came of a question: parsed, or an error whose message is one sentence. */
function parsed(answer) {
  const first = answer[0];
  if (first !== "{" && first !== "[") throw new Error(answer);
  return JSON.parse(answer);
}

/** One worker with a simulator in it; answers are texts. */
async function worker(module) {
  const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  const waiting = new Map();
  let next = 0;
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failed === undefined) resolve(data.answer);
    else reject(new Error(data.failed));
  };
  const send = (message) =>
    new Promise((resolve, reject) => {
      waiting.set(++next, { resolve, reject });
      worker.postMessage({ id: next, ...message });
    });
  await send({ module });
  return (question) => send({ question });
}

/** The simulator as WebAssembly, from its bytes. What takes long is asked of a worker of its own, so that nothing else waits for it. */
export async function inPage(code) {
  const module = await WebAssembly.compile(code);
  const asked = (answer) => async (question) => parsed(await answer(JSON.stringify(question)));
  const here = asked(await instance(module));
  const shares = new Shares(here);
  // The first picture does not wait for workers, and all goes on without them.
  for (let nth = 0; nth < 2; nth++) worker(module).then((answer) => shares.workers.push(asked(answer)), () => {});
  let behind;
  return {
    where: "in this page",
    shares,
    ask: (question) => (Array.isArray(question) ? shares.ask(question) : here(question)),
    askBehind: async (question) => (await (behind ??= worker(module).then(asked)))(question),
  };
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
  return { where: "by the server of this page", ask, askBehind: ask };
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

  /** Whether the answer to a question, or to all of a list, is remembered. */
  knows(questions) {
    return [questions].flat().every((question) => this.known.has(JSON.stringify(question)));
  }

  /** Answers under the names of their questions; the first refusal as an error. */
  async ask(questions, behind = false) {
    const lists = Object.entries(questions).map(([name, one]) => [name, [one].flat().map((question) => JSON.stringify(question))]);
    const now = new Map();
    const missing = [...new Set(lists.flatMap(([, keys]) => keys))].filter((key) => !this.known.has(key));
    if (missing.length) {
      const wanted = missing.map((key) => JSON.parse(key));
      const found = await (behind ? this.simulator.askBehind(wanted) : this.simulator.ask(wanted));
      const refused = found.find((answer) => answer.refused !== undefined);
      if (refused) throw new Error(refused.refused);
      missing.forEach((key, nth) => now.set(key, found[nth]));
    }
    // Those of this question are kept, whatever is forgotten.
    for (const key of lists.flatMap(([, keys]) => keys)) if (!now.has(key)) now.set(key, this.known.get(key));
    if (this.known.size > REMEMBERED) this.known.clear();
    now.forEach((answer, key) => this.known.set(key, answer));
    const answer = (name, keys) => (Array.isArray(questions[name]) ? keys.map((key) => now.get(key)) : now.get(keys[0]));
    return Object.fromEntries(lists.map(([name, keys]) => [name, answer(name, keys)]));
  }
}

/** Does one thing after the other: while one is under way only the newest of the others waits. */
class Latest {
  constructor(work) {
    Object.assign(this, { work, busy: false, waiting: null });
  }
  async give(one) {
    this.waiting = one;
    if (this.busy) return;
    this.busy = true;
    while (this.waiting) {
      const now = this.waiting;
      this.waiting = null;
      await this.work(now);
    }
    this.busy = false;
  }
}

/**
 * Asks only the newest questions, so that a dragged slider never queues up. `then` gets what they are about with the answers,
 * or the error: first without the answers that take long, then with all of them, unless something newer is asked by then.
 */
export class Newest {
  constructor(simulator, then) {
    Object.assign(this, { simulator: new Remembering(simulator), then, last: null });
    const safely = (work) => async (one) => {
      try {
        await work(one);
      } catch (error) {
        if (one.about === this.last) this.then(one.about, null, error);
      }
    };
    this.ahead = new Latest(safely((one) => this.askQuick(one)));
    this.behind = new Latest(safely((one) => this.askAll(one)));
  }
  ask(questions, about) {
    this.last = about;
    this.ahead.give({ questions, about });
  }
  async askQuick({ questions, about }) {
    // All that is slow comes together: a lesson need not know which part of it is there.
    const slow = about.slow.every((name) => this.simulator.knows(questions[name])) ? [] : about.slow;
    const quick = Object.entries(questions).filter(([name]) => !slow.includes(name));
    this.then(about, await this.simulator.ask(Object.fromEntries(quick)), null);
    if (slow.length) this.behind.give({ questions, about });
  }
  async askAll({ questions, about }) {
    if (about !== this.last) return;
    const answers = await this.simulator.ask(questions, true);
    if (about === this.last) this.then(about, answers, null);
  }
}

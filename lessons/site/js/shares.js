// Simulators that share the work: a list of questions is divided over them, and a question about many errors in two.

/** A question about so many errors is divided: each is a run of its own. */
const MANY = 4;

/** About how long a question takes. */
const cost = ({ errors, steps, ranks = 8, calls = 1, samples = 10, method }) =>
  ranks * calls * (method || errors?.length ? samples : 1) * (steps ? steps[1] - steps[0] + 1 : (errors?.length ?? 0) + 1);

/** A question, or its two halves. */
function parts(question) {
  const all = question.errors?.length ?? 0;
  if (all < MANY || question.steps) return [question];
  const half = all >> 1;
  return [{ ...question, steps: [0, half] }, { ...question, steps: [half + 1, all] }];
}

/** The answer to a question, of the answers to its parts. */
function joined([first, second]) {
  if (!second || first.refused !== undefined) return first;
  if (second.refused !== undefined) return second;
  const [next, ...rest] = second.errors;
  const change_us = next.reported_us - first.errors.at(-1).reported_us;
  return { ...first, errors: [...first.errors, { ...next, change_us }, ...rest] };
}

/** So long the page may answer alone, before it draws in the same frame; and so long it may be busy with its share. */
const ALONE_MS = 8;
const SHARE_MS = 16;

/**
 * Simulators that share the work: the page's own and those of workers, lists in, lists out. What takes little the page answers
 * itself: before a message has come back from a worker, the browser has painted a frame that shows nothing but the moved slider,
 * for which it takes a core from one of the workers.
 */
export class Shares {
  constructor(here) {
    Object.assign(this, { here, workers: [], pace_ms: 0 });
  }

  /** Who shares questions of such a cost; the page comes last, since no other one is asked while it works. */
  who(total) {
    const [one, other] = this.workers;
    const predicted_ms = this.pace_ms * total;
    if (!one || predicted_ms <= ALONE_MS) return [this.here];
    if (predicted_ms / 2 <= SHARE_MS) return [one, this.here];
    return other ? [one, other] : [one];
  }

  /** The answers to a list of questions. */
  async ask(questions) {
    const divided = questions.map(parts);
    const all = divided.flat();
    const who = this.who(all.reduce((sum, part) => sum + cost(part), 0));
    const shares = who.map(() => []);
    const costs = who.map(() => 0);
    const whose = new Map();
    // The longest first, to whom has least to do.
    for (const part of all.sort((a, b) => cost(b) - cost(a))) {
      const nth = costs.indexOf(Math.min(...costs));
      whose.set(part, [nth, shares[nth].push(part) - 1]);
      costs[nth] += cost(part);
    }
    const begun = performance.now();
    const found = await Promise.all(who.map((ask, nth) => (shares[nth].length ? ask(shares[nth]) : [])));
    this.pace_ms = (performance.now() - begun) / Math.max(...costs);
    return divided.map((parts) => joined(parts.map((part) => { const [nth, place] = whose.get(part); return found[nth][place]; })));
  }
}

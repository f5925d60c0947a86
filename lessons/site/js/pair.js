// Two simulators that share the work: a list of questions is divided over them, and a question about many errors in two.

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

/** One function to ask two simulators by: a list of questions is answered by a list of answers. */
export function both(one, other) {
  return async (questions) => {
    if (!Array.isArray(questions)) return one(questions);
    const divided = questions.map(parts);
    const shares = [[], []];
    const costs = [0, 0];
    const whose = new Map();
    // The longest first, to whom has less to do.
    for (const part of divided.flat().sort((a, b) => cost(b) - cost(a))) {
      const nth = costs[1] < costs[0] ? 1 : 0;
      whose.set(part, [nth, shares[nth].push(part) - 1]);
      costs[nth] += cost(part);
    }
    const found = await Promise.all([one, other].map((ask, nth) => (shares[nth].length ? ask(shares[nth]) : [])));
    return divided.map((all) => joined(all.map((part) => { const [nth, place] = whose.get(part); return found[nth][place]; })));
  };
}

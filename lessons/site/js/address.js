// The settings of a lesson in the page's address: what a link shares is what its reader sees.

/** What an address says: which lesson, and which settings, as text. */
export function read(hash) {
  const [lesson, query = ""] = hash.replace(/^#/, "").split("?");
  const settings = {};
  for (const [key, value] of new URLSearchParams(query)) settings[key] = value;
  return { lesson, settings };
}

/** The address of a lesson with settings; those that are as usual are left out. */
export function write(lesson, settings, usual) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(settings)) {
    if (String(usual[key]) !== String(value)) query.set(key, value);
  }
  // Commas and colons may stand as they are, and are easier to read.
  const text = query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  return `#${lesson}${text ? `?${text}` : ""}`;
}

/**
 * Settings from text, each within what its control allows, and what had to be changed for that: `{ settings, notes }`, a note
 * for each setting that is not as the text says.
 */
export function fitting(controls, texts) {
  const settings = Object.fromEntries(controls.map((control) => [control.key, control.usual]));
  const notes = [];
  for (const [key, text] of Object.entries(texts)) {
    const control = controls.find((one) => one.key === key);
    if (!control) {
      notes.push(`${key} is no setting of this lesson`);
      continue;
    }
    const found = { range: inRange, switch: onOrOff, choice: oneOf }[control.kind](control, text);
    settings[key] = found.value;
    if (found.expected) notes.push(`${key}=${text} is not ${found.expected}: ${found.value} is used instead`);
  }
  const named = Object.keys(texts);
  return { settings: controls.reduce((all, control) => control.settles?.(all, named) ?? all, settings), notes };
}

const nearest = (values, wanted) => values.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));

/** The value nearest to what is written, and what was expected if it is not that one. */
function inRange({ min, max, values, usual }, text) {
  const wanted = text.trim() === "" ? NaN : Number(text);
  const expected = values ? (values.length > 12 ? `one of ${values.slice(0, 3).join(", ")}, …, ${values.at(-1)}` : `one of ${values.join(", ")}`) : `a number from ${min} to ${max}`;
  if (!Number.isFinite(wanted)) return { value: usual, expected };
  const value = values ? nearest(values, wanted) : Math.min(max, Math.max(min, wanted));
  return value === wanted ? { value } : { value, expected };
}

const onOrOff = ({ usual }, text) => (text === "true" || text === "false" ? { value: text === "true" } : { value: usual, expected: "true or false" });

function oneOf({ options, usual }, text) {
  const names = options.map(([name]) => name);
  return names.includes(text) ? { value: text } : { value: usual, expected: `one of ${names.join(", ")}` };
}

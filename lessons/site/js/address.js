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

/** Settings from text, each within what its control allows; what does not fit is as usual. */
export function fitting(controls, texts) {
  const settings = {};
  for (const control of controls) {
    settings[control.key] = control.usual;
    const text = texts[control.key];
    if (text === undefined) continue;
    if (control.kind === "range") {
      const value = Number(text);
      if (!Number.isFinite(value)) continue;
      if (control.values) {
        if (control.values.includes(value)) settings[control.key] = value;
      } else settings[control.key] = Math.min(control.max, Math.max(control.min, value));
    } else if (control.kind === "switch") settings[control.key] = text === "true";
    else if (control.options.some(([name]) => name === text)) settings[control.key] = text;
  }
  return settings;
}

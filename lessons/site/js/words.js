// Words in the page.

/** Writes words into an element. A browser lays out anew what is written: the same words are left. Returns whether they are others. */
export function say(element, words) {
  if (element.textContent === words) return false;
  element.textContent = words;
  return true;
}

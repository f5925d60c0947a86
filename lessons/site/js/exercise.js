// An exercise: a question with a number for an answer, which the simulator knows, not the page.

import { significant, tied } from "#units";

export class Exercise {
  constructor(into, simulator) {
    Object.assign(this, { into, simulator });
    this.asks = into.querySelector("p");
    this.input = into.querySelector("input");
    this.unit = into.querySelector("span");
    this.verdict = into.querySelector("output");
    into.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
  }

  begin(exercise) {
    this.exercise = exercise;
    this.asks.textContent = tied(exercise.asks);
    this.unit.textContent = exercise.unit;
    this.input.value = "";
    this.verdict.textContent = "";
  }

  /** The answer may be wrong by one percent. */
  async check() {
    const { ask, answer, unit, hint } = this.exercise;
    const said = Number(this.input.value.trim().replace(",", "."));
    if (this.input.value.trim() === "" || !Number.isFinite(said)) {
      this.verdict.textContent = "expected a number";
      return;
    }
    const told = answer(await this.simulator().ask(ask));
    const right = Math.abs(said - told) <= 0.01 * Math.abs(told) + 1e-9;
    this.verdict.textContent = tied(right ? `Right: ${significant(told, 5)} ${unit}.` : `Not yet. ${hint}`);
    this.verdict.dataset.right = right;
  }
}

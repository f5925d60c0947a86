"use strict";
// Zooms the timeline: changes the view of what stands in time, and moves marks and ticks with it.
(() => {
  const svg = document.querySelector("svg[data-until]");
  const plot = svg.querySelector(".plot");
  const frame = svg.parentElement;
  const ticks = svg.querySelector(".ticks");
  const [left, width, until] = ["left", "width", "until"].map((key) => Number(svg.dataset[key]));
  const height = plot.viewBox.baseVal.height;
  const dashed = [...plot.querySelectorAll(".dashed")].map((path) => [path, path.getAttribute("stroke-dasharray").split(" ")]);
  const marks = [...svg.querySelectorAll("[data-x]")].map((mark) => ({
    mark, x: Number(mark.dataset.x), half: Number(mark.dataset.half || 0), y: mark.transform.baseVal[0].matrix.f,
  }));
  const edge = svg.viewBox.baseVal.width - 4;
  let from = 0, to = width;

  function show(low, high) {
    const size = Math.min(width, Math.max(width / 1e6, high - low));
    from = Math.min(Math.max(0, low), width - size);
    to = from + size;
    plot.setAttribute("viewBox", `${from} 0 ${size} ${height}`);
    frame.classList.toggle("zoomed", size < width);
    for (const [path, dash] of dashed) {
      path.setAttribute("stroke-dasharray", dash.map((length) => (length * size) / width).join(" "));
    }
    for (const { mark, x, half, y } of marks) {
      const at = ((x - from) / size) * width;
      const place = half ? Math.min(Math.max(at, half), edge - left - half) : at;
      mark.setAttribute("transform", `translate(${left + place},${y})`);
      mark.style.visibility = at < -1 || at > width + 1 ? "hidden" : "";
    }
    drawTicks(size);
  }

  function drawTicks(size) {
    const [low, high] = [(from / width) * until, (to / width) * until];
    const rough = (high - low) / 8 || 1;
    const decade = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * decade).find((round) => round >= rough * 0.999);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const top = Number(plot.getAttribute("y")), bottom = Number(ticks.dataset.y);
    let all = "";
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-6; n += 1) {
      const x = (left + (((n * step) / until) * width - from) / size * width).toFixed(3);
      all += `<path d="M${x},${top + 12}V${bottom}"/><text x="${x}" y="${bottom + 16}" stroke="none">${(n * step).toFixed(digits)}</text>`;
    }
    ticks.innerHTML = all;
  }

  // The part of the view that lies under the pointer stays there.
  function zoom(factor, at = (from + to) / 2) { show(at - (at - from) * factor, at + (to - at) * factor); }
  function under(event) {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width - left;
    return from + (x / width) * (to - from);
  }
  const acts = {
    in: () => zoom(0.5), out: () => zoom(2), all: () => show(0, width),
    left: () => show(from - (to - from) / 4, to - (to - from) / 4),
    right: () => show(from + (to - from) / 4, to + (to - from) / 4),
  };
  const keys = { "+": "in", "=": "in", "-": "out", 0: "all", ArrowLeft: "left", ArrowRight: "right" };
  document.querySelector(".tools").addEventListener("click", (event) => acts[event.target.dataset.act]?.());
  frame.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    const scrolls = event.key.startsWith("Arrow") && to - from >= width;
    if (!act || scrolls || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[act]();
  });
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(2 ** (event.deltaY / 300), under(event));
  }, { passive: false });
  plot.addEventListener("dblclick", (event) => zoom(event.shiftKey ? 2 : 0.5, under(event)));

  let grabbed = null;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && to - from < width) grabbed = under(event);
  });
  addEventListener("pointermove", (event) => {
    if (grabbed === null) return;
    frame.classList.add("grabbed");
    const by = grabbed - under(event);
    show(from + by, to + by);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => { grabbed = null; frame.classList.remove("grabbed"); });
  }

  // What lies beyond the right end of a narrow window is not seen: this is said above the picture.
  const beyond = document.querySelector(".beyond");
  new ResizeObserver(() => { beyond.hidden = frame.scrollWidth <= frame.clientWidth; }).observe(frame);

  const told = document.querySelector(".told");
  for (const kind of ["pointerover", "click"]) {
    svg.addEventListener(kind, (event) => {
      const title = event.target.querySelector?.(":scope > title");
      if (title && event.target !== svg) told.querySelector("output").textContent = title.textContent;
    });
  }
  for (const hidden of [told, document.querySelector(".tools")]) hidden.hidden = false;
})();

// Charts: dots with intervals in rows, and lines with bands, drawn as SVG at the width there is.
(() => {
const SVG = "http://www.w3.org/2000/svg", NARROW = 560;
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "13px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const measure = text => ruler.measureText(text).width;
const DASH = { solid: "", dashed: "7 4", dotted: "2 3", dashdot: "8 3 2 3" };

function add(parent, tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}
function html(parent, tag, properties = {}, text) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}
function marker(parent, look, x, y, r = 5) {
  const shape = {
    circle: `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
    square: `M${x - r + .5},${y - r + .5}h${2 * r - 1}v${2 * r - 1}h${1 - 2 * r}z`,
    diamond: `M${x},${y - r - 1}L${x + r + 1},${y}L${x},${y + r + 1}L${x - r - 1},${y}z`,
    triangle: `M${x},${y - r - 1}L${x + r + 1},${y + r}L${x - r - 1},${y + r}z`,
    down: `M${x},${y + r + 1}L${x + r + 1},${y - r}L${x - r - 1},${y - r}z`,
    plus: `M${x - r / 2.5},${y - r - 1}h${r * .8}v${r * .6 + 1}h${r * .6 + 1}v${r * .8}h${-r * .6 - 1}v${r * .6 + 1}h${-r * .8}v${-r * .6 - 1}h${-r * .6 - 1}v${-r * .8}h${r * .6 + 1}z`,
  }[look.marker];
  return add(parent, "path", { d: shape, class: `dot ${look.hue}` });
}

function cut(text, room) {
  if (measure(text) <= room) return text;
  let n = text.length;
  while (n > 1 && measure(`${text.slice(0, n)}…`) > room) n--;
  return `${text.slice(0, n)}…`;
}
// Places and texts of ticks, without the texts that would touch the one before.
function apart(ticks, at) {
  let free = -Infinity;
  return ticks.map(([value, text]) => {
    const half = measure(text) / 2, fits = at(value) - half > free;
    if (fits) free = at(value) + half + 6;
    return [value, fits ? text : ""];
  });
}

// From values to pixels and back. On a log axis zero has a place of its own at the low end.
function scaleOf(values, from, to, log, zoom, anchor) {
  const given = values.filter(v => v !== null && Number.isFinite(v));
  const positive = given.filter(v => v > 0);
  const logs = log && positive.length > 0;
  let low, high, zero = false;
  if (logs) {
    low = Math.min(...positive); high = Math.max(...positive);
    zero = given.some(v => v <= 0);
    if (high / low < 1.5) { low /= 1.5; high *= 1.5; }
    if (zero) low /= 3;
    low = Math.log10(low); high = Math.log10(high);
  } else {
    low = Math.min(...given, ...anchor); high = Math.max(...given, ...anchor);
    if (!(high > low)) { high = (high || 0) + 1; low = low || 0; }
  }
  const margin = (high - low) * .04;
  if (logs || low < 0) low -= margin;
  high += margin;
  if (zoom) [low, high] = zoom;
  const into = v => logs ? (v > 0 ? Math.log10(v) : low) : v;
  return {
    low, high, logs,
    at: v => from + (into(v) - low) / (high - low) * (to - from),
    inside: v => into(v) >= low - 1e-9 && into(v) <= high + 1e-9,
    back: px => low + (px - from) / (to - from) * (high - low),
    ticks(n, format) {
      const found = ticksOf(logs ? 10 ** low : low, logs ? 10 ** high : high, n, logs, format);
      return logs && zero && !zoom ? [[0, "0"], ...found.filter(([v]) => Math.log10(v) > low + (high - low) * .08)] : found;
    },
  };
}

class Chart {
  constructor(figure) {
    this.spec = JSON.parse(figure.querySelector("script").textContent);
    this.plot = figure.querySelector(".plot");
    this.hidden = new Set();
    this.number = 0;
    this.zoom = null;
    this.log = this.view.log;
    this.tip = html(this.plot, "div", { class: "tip", role: "status", hidden: "" });
    this.controls(figure.querySelector(".controls"));
    new ResizeObserver(() => { if (Math.max(this.plot.clientWidth, 200) !== this.width) this.draw(); }).observe(this.plot);
    this.draw();
  }
  // Other values for the same series and views: what the reader chose and hid stays so.
  update(spec) { this.spec = spec; this.draw(); }
  get view() { return this.spec.views[this.number]; }

  controls(bar) {
    const { series, views, kind } = this.spec;
    if (series.length > 1 && !(kind === "dots" && this.view.rows.every(row => row.points.length === 1)))
      series.forEach((one, i) => {
        const key = html(bar, "button", { type: "button", class: "key", "aria-pressed": "true" });
        const picture = add(key, "svg", { viewBox: "0 0 26 12", "aria-hidden": "true" });
        if (kind === "lines") add(picture, "path", { d: "M1,6H25", class: `line ${one.hue}`, "stroke-dasharray": DASH[one.dash] });
        marker(picture, one, 13, 6, 4);
        key.append(one.name);
        key.onclick = () => {
          this.hidden.has(i) ? this.hidden.delete(i) : this.hidden.add(i);
          key.setAttribute("aria-pressed", String(!this.hidden.has(i)));
          this.draw();
        };
      });
    html(bar, "span", { class: "space" });
    if (views.length > 1) {
      const choice = html(bar, "select", { "aria-label": `${this.spec.title}: what is shown` });
      views.forEach(view => html(choice, "option", {}, view.label));
      choice.onchange = () => { this.number = choice.selectedIndex; this.zoom = null; this.log = this.view.log; this.draw(); };
    }
    this.logButton = html(bar, "button", { type: "button" });
    this.logButton.onclick = () => { this.log = !this.log; this.zoom = null; this.draw(); };
    this.resetButton = html(bar, "button", { type: "button", hidden: "" }, "whole range");
    this.resetButton.onclick = () => { this.zoom = null; this.draw(); };
  }

  draw() {
    this.width = Math.max(this.plot.clientWidth || 640, 200);
    this.svg?.remove();
    this.points = []; this.current = -1; this.tip.hidden = true;
    this.svg = document.createElementNS(SVG, "svg");
    this.plot.prepend(this.svg);
    for (const [k, v] of Object.entries({ role: "img", tabindex: 0, "aria-label": this.spoken() })) this.svg.setAttribute(k, v);
    this.spec.kind === "dots" ? this.drawDots() : this.drawLines();
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.logButton.hidden = this.values(this.view.points ?? this.view.rows.flatMap(row => row.points)).some(v => v < 0);
    this.logButton.textContent = this.log ? "linear scale" : "log scale";
    this.resetButton.hidden = this.zoom === null;
    this.listen();
  }
  spoken() {
    return `${this.spec.title}: ${this.view.axis || this.view.y_axis}. Arrow keys go through the values, + and - zoom.`;
  }
  shown(points) { return points.filter(one => !this.hidden.has(one.series)); }
  values(points) { return points.flatMap(one => one.value === null ? [] : [one.value, one.low ?? one.value, one.high ?? one.value]); }
  text(one, place) {
    const format = formats[this.view.format], name = this.spec.series[one.series].name;
    const head = place && place !== name ? `${name}, ${place}` : name;
    if (one.value === null) return `${head}: ${one.diverging ? "diverging, so there is no mean" : "none"}`;
    const interval = one.low === null ? "" : `\n${formats[this.view.format](one.low)} to ${format(one.high)}`;
    return `${head}: ${format(one.value)}${interval}`;
  }
  clip(x, y, width, height) {
    const id = `c${Math.random().toString(36).slice(2)}`;
    const path = add(add(this.svg, "clipPath", { id }), "rect", { x, y, width, height });
    return path.parentNode && add(this.svg, "g", { "clip-path": `url(#${id})` });
  }

  drawDots() {
    const { rows, axis, format, reference } = this.view, longest = Math.max(...rows.map(row => measure(row.label)));
    const narrow = this.width < NARROW || longest > this.width * .34;  // labels stand above their rows
    const left = narrow ? 10 : Math.max(longest + 16, 60), right = this.width - 18;
    const heights = rows.map(row => Math.max(this.shown(row.points).length, 1) * 15 + (narrow ? 32 : 17));
    const top = reference ? 20 : 6, bottom = top + heights.reduce((a, b) => a + b, 0);
    this.height = bottom + 42;
    const all = rows.flatMap(row => this.shown(row.points));
    const anchor = reference ? [reference[0]] : [];
    this.x = scaleOf(this.values(all).concat(anchor), left + 6, right, this.log, this.zoom, [0]);
    this.box = [left, top, right, bottom];
    for (const [value, text] of apart(this.x.ticks(this.width < NARROW ? 4 : 9, format), this.x.at)) {
      const x = this.x.at(value);
      add(this.svg, "line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid" });
      add(this.svg, "text", { x, y: bottom + 16, "text-anchor": "middle" }, text);
    }
    add(this.svg, "text", { x: (left + right) / 2, y: bottom + 35, "text-anchor": "middle" }, axis);
    const inner = this.clip(left - 4, 0, right - left + 22, bottom + 2);
    if (reference && this.x.inside(reference[0])) {
      const x = this.x.at(reference[0]);
      add(inner, "line", { x1: x, x2: x, y1: top - 4, y2: bottom, class: "reference" });
      const end = x > this.width * .7;
      add(inner, "text", { x: x + (end ? -5 : 5), y: top - 7, "text-anchor": end ? "end" : "start" }, reference[1]);
    }
    let y = top;
    rows.forEach((row, i) => {
      if (i) add(this.svg, "line", { x1: 0, x2: right, y1: y, y2: y, class: "grid" });
      const visible = this.shown(row.points);
      const label = add(this.svg, "text", narrow ? { x: 0, y: y + 16, class: "label" } :
        { x: left - 10, y: y + heights[i] / 2 + 4, "text-anchor": "end", class: "label" }, cut(row.label, this.width));
      add(label, "title", {}, row.label);
      visible.forEach((one, k) => this.dot(inner, one, row.label, y + (narrow ? 31 : 16) + k * 15, left));
      y += heights[i];
    });
  }
  dot(inner, one, label, y, left) {
    const look = this.spec.series[one.series];
    if (one.value === null) {
      add(inner, "text", { x: left + 8, y: y + 4, class: "none" }, one.diverging ? "diverging: no mean" : "–");
      this.points.push({ x: left + 12, y, text: this.text(one, label) });
      return;
    }
    const x = this.x.at(one.value);
    if (one.low !== null) {
      const [a, b] = [this.x.at(one.low), this.x.at(one.high)];
      add(inner, "path", { d: `M${a},${y}H${b}M${a},${y - 4}v8M${b},${y - 4}v8`, class: `error ${look.hue}` });
    }
    marker(inner, look, x, y);
    if (this.x.inside(one.value)) this.points.push({ x, y, text: this.text(one, label) });
  }

  drawLines() {
    const view = this.view, narrow = this.width < NARROW;
    const right = this.width - 14, top = view.reference ? 34 : 26, bottom = narrow ? 260 : 330;
    this.height = bottom + 44;
    const visible = this.shown(view.points), scale = left => scaleOf(view.points.map(one => one.x), left, right, view.x_log, this.zoom, []);
    const inside = scale(0).inside, inView = visible.filter(one => inside(one.x));
    const anchor = view.reference ? [view.reference[0]] : [];
    this.y = scaleOf(this.values(inView.length ? inView : visible).concat(anchor), bottom, top, this.log, null, [0]);
    const levels = this.y.ticks(6, view.format);
    const left = Math.max(40, ...levels.map(([, text]) => measure(text) + 12));
    this.box = [left, top, right, bottom];
    this.x = scale(left);
    for (const [value, text] of levels) {
      const y = this.y.at(value);
      add(this.svg, "line", { x1: left, x2: right, y1: y, y2: y, class: "grid" });
      add(this.svg, "text", { x: left - 8, y: y + 4, "text-anchor": "end" }, text);
    }
    const named = view.ticks.length ? view.ticks.filter(([v]) => this.x.inside(v)) : this.x.ticks(narrow ? 4 : 8, view.x_format);
    for (const [value, text] of apart(named, this.x.at)) {
      const x = this.x.at(value);
      add(this.svg, "line", { x1: x, x2: x, y1: bottom, y2: bottom + 5, class: "grid" });
      add(this.svg, "text", { x, y: bottom + 18, "text-anchor": "middle" }, text);
    }
    add(this.svg, "text", { x: (left + right) / 2, y: bottom + 38, "text-anchor": "middle" }, view.x_axis);
    add(this.svg, "text", { x: 2, y: 12 }, view.y_axis);
    const inner = this.clip(left - 7, top - 14, right - left + 20, bottom - top + 20);
    if (view.reference) {
      const y = this.y.at(view.reference[0]);
      add(inner, "line", { x1: left, x2: right, y1: y, y2: y, class: "reference" });
      add(inner, "text", { x: right - 4, y: y - 5, "text-anchor": "end" }, view.reference[1]);
    }
    const shown = this.spec.series.map((look, i) => [look, this.hidden.has(i) ? [] : view.points.filter(one => one.series === i)]);
    for (const [look, points] of shown) this.band(inner, look, points);
    for (const [look, points] of shown) this.line(inner, look, points, top);
  }
  // Unbroken pieces: a line ends where there is no value.
  runs(points) {
    const runs = [[]];
    for (const one of points) one.value === null ? runs.push([]) : runs.at(-1).push(one);
    return runs.filter(one => one.length);
  }
  place(one, v) { return `${this.x.at(one.x).toFixed(1)},${this.y.at(v).toFixed(1)}`; }
  band(inner, look, points) {
    for (const run of this.runs(points)) {
      const found = run.filter(one => one.low !== null);
      const edge = [...found.map(one => this.place(one, one.high)), ...found.reverse().map(one => this.place(one, one.low))];
      if (found.length > 1) add(inner, "path", { class: `band ${look.hue}`, d: `M${edge.join("L")}z` });
    }
  }
  line(inner, look, points, top) {
    const view = this.view, few = points.length <= 40;
    for (const run of this.runs(points))
      add(inner, "path", { class: `line ${look.hue}`, "stroke-dasharray": DASH[look.dash], d: `M${run.map(one => this.place(one, one.value)).join("L")}` });
    const place = one => { const named = view.ticks.find(([v]) => v === one.x); return named ? named[1] : `${formats[view.x_format](one.x)} ${view.x_axis}`; };
    for (const one of points) {
      if (!this.x.inside(one.x)) continue;
      const x = this.x.at(one.x);
      if (one.value === null) {
        if (!one.diverging) continue;
        add(inner, "path", { d: `M${x - 5},${top - 5}l10,10m0,-10l-10,10`, class: `error ${look.hue}` });
        this.points.push({ x, y: top, text: this.text(one, place(one)) });
        continue;
      }
      const y = this.y.at(one.value);
      if (few) {
        if (one.low !== null) add(inner, "path", { class: `error ${look.hue}`, d: `M${x},${this.y.at(one.low)}V${this.y.at(one.high)}` });
        marker(inner, look, x, y, 4);
      }
      this.points.push({ x, y, text: this.text(one, place(one)) });
    }
  }

  listen() {
    const place = event => {
      const frame = this.svg.getBoundingClientRect(), ratio = this.width / frame.width;
      return [(event.clientX - frame.left) * ratio, (event.clientY - frame.top) * ratio];
    };
    let begun = null, brush = null;
    this.svg.onpointerdown = event => { if (event.button === 0) begun = place(event)[0]; };
    this.svg.onpointermove = event => {
      const [x, y] = place(event);
      if (begun !== null && Math.abs(x - begun) > 5) {
        brush ??= add(this.svg, "rect", { class: "brush", y: this.box[1], height: this.box[3] - this.box[1] });
        brush.setAttribute("x", Math.min(x, begun)); brush.setAttribute("width", Math.abs(x - begun));
        this.svg.setPointerCapture(event.pointerId);
        this.tip.hidden = true;
      } else this.point(this.nearest(x, y));
    };
    this.svg.onpointerup = event => {
      const [x, y] = place(event);
      if (brush) this.show(this.x.back(Math.min(x, begun)), this.x.back(Math.max(x, begun)));
      else this.point(this.nearest(x, y));
      begun = brush = null;
    };
    this.svg.onpointercancel = () => { brush?.remove(); begun = brush = null; };
    this.svg.onpointerleave = () => { if (!brush) this.point(-1); };
    this.svg.ondblclick = () => { this.zoom = null; this.draw(); };
    this.svg.onkeydown = event => this.key(event);
    this.svg.onblur = () => this.point(-1);
  }
  key(event) {
    const { low, high } = this.x, middle = (low + high) / 2, half = (high - low) / 2;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) this.point((this.current + step + this.points.length) % this.points.length);
    else if (event.key === "+") this.show(middle - half / 2, middle + half / 2);
    else if (event.key === "-") this.show(middle - half * 2, middle + half * 2);
    else if (event.key === "0" || event.key === "Escape") { this.zoom = null; this.draw(); }
    else return;
    event.preventDefault();
    this.svg.focus();
  }
  show(low, high) {
    const least = (this.x.high - this.x.low) * 1e-3;
    if (high - low > least) { this.zoom = [low, high]; this.draw(); }
  }
  nearest(x, y) {
    let best = -1, least = 40 ** 2;
    this.points.forEach((one, i) => {
      const far = (one.x - x) ** 2 + (one.y - y) ** 2;
      if (far < least) { least = far; best = i; }
    });
    return best;
  }
  point(i) {
    this.current = i;
    this.ring?.remove();
    this.tip.hidden = i < 0;
    if (i < 0 || !this.points[i]) return;
    const { x, y, text } = this.points[i], ratio = this.svg.getBoundingClientRect().width / this.width;
    this.ring = add(this.svg, "circle", { cx: x, cy: y, r: 8, class: "ring" });
    this.tip.textContent = text;
    const width = this.tip.offsetWidth, most = this.plot.clientWidth - width;
    this.tip.style.left = `${Math.max(0, Math.min(x * ratio + 12, most))}px`;
    this.tip.style.top = `${Math.max(0, y * ratio - this.tip.offsetHeight - 12)}px`;
  }
}
globalThis.drawCharts = root => { for (const figure of root.querySelectorAll("figure.chart")) figure.chart ??= new Chart(figure); };
drawCharts(document);
})();

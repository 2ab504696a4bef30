// The split as a bar whose borders are moved: what a class gains, the helpers lose.
import { button, byId, make } from "./dom.js";
import { listen } from "./listen.js";
import { toQuery, withValue } from "./state.js";

const SHADES = 7, FAR = 10;
let dragged = false, later = null;  // a bar under the pointer is drawn anew when it is let go

class Bar {
  constructor(at, known, classes, question, change) {
    Object.assign(this, { at, classes, question, change, needs: known.split.needs });
    this.bar = make("div", { class: "bar" });
    this.list = make("ul");
    this.spans = classes.map((_, i) => make("span", { class: `shade${i % SHADES}` }));
    this.rest = make("span", { class: "grey helpers" });
    this.borders = classes.map((one, i) => make("div", { class: "border", role: "slider", tabindex: 0, "data-key": `border ${at} ${i}`,
      "aria-orientation": "horizontal", "aria-label": `own servers of ${one.name}, policy ${at + 1}`,
      onkeydown: event => this.key(event, i), onpointerdown: event => this.grab(event, i) }));
    this.bar.append(...this.spans, this.rest, ...this.borders);
    this.told = classes.map((one, i) => make("b"));
    this.more = classes.map(() => make("small"));
    this.helped = make("b");
    this.list.append(...classes.map((one, i) => make("li", {}, make("i", { class: `mark shade${i % SHADES}` }), `${one.name} `, this.told[i], " ", this.more[i], " ",
      button("−", () => this.set(i, this.slots[i] - 1), { "aria-label": `one slot less for ${one.name}`, "data-key": `less ${at} ${i}` }),
      button("+", () => this.set(i, this.slots[i] + 1), { "aria-label": `one slot more for ${one.name}`, "data-key": `more ${at} ${i}` }))),
      make("li", {}, make("i", { class: "mark grey helpers" }), "helpers ", this.helped, " ", make("small", {}, "for whatever finds its own busy")));
  }
  show(known) {
    this.known = known;
    this.slots = [...known.split.slots];
    this.servers = this.own(this.slots) + known.split.helpers;
    this.draw();
  }
  own(slots) { return slots.reduce((sum, one, i) => sum + one * this.needs[i], 0); }
  helpers(slots) { return this.servers - this.own(slots); }
  // A class without slots is served by the helpers, where its jobs must fit.
  most(i) {
    const others = this.slots.map((one, j) => j === i ? 0 : one);
    const least = Math.max(0, ...this.needs.filter((_, j) => j !== i && this.slots[j] === 0));
    return Math.max(0, Math.floor((this.helpers(others) - least) / this.needs[i]));
  }
  least(i) {
    const others = this.slots.map((one, j) => j === i ? 0 : one);
    return this.helpers(others) >= this.needs[i] ? 0 : 1;
  }
  set(i, slots) {
    const next = Math.max(this.least(i), Math.min(Math.round(slots), this.most(i)));
    if (next === this.slots[i]) return;
    this.slots[i] = next;
    this.draw();
    const spec = withValue(this.known.spec, "slots", this.slots.join("/"));
    this.change({ policy: this.question().policy.map((one, j) => j === this.at ? spec : one) });
  }
  key(event, i) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: FAR, PageDown: -FAR }[event.key];
    if (step) this.set(i, this.slots[i] + step);
    else if (event.key === "Home") this.set(i, 0);
    else if (event.key === "End") this.set(i, Infinity);
    else return;
    event.preventDefault();
  }
  grab(event, i) {
    const border = this.borders[i];
    border.setPointerCapture(event.pointerId);
    const at = this.seen(i), frame = this.bar.getBoundingClientRect();
    this.borders[at].focus({ preventScroll: true });
    dragged = true;
    border.onpointermove = moved => {
      const servers = (moved.clientX - frame.left) / frame.width * this.servers;
      this.set(at, (servers - this.own(this.slots.slice(0, at))) / this.needs[at]);
    };
    border.onpointerup = border.onpointercancel = () => {
      border.onpointermove = border.onpointerup = border.onpointercancel = null;
      dragged = false;
      later?.();
      later = null;
    };
    event.preventDefault();
  }
  // Of borders in one place the pointer has that of the class whose servers are seen before it.
  seen(i) {
    while (i > 0 && this.slots[i] === 0) i--;
    return i;
  }
  draw() {
    const helpers = this.helpers(this.slots);
    let before = 0;
    this.slots.forEach((slots, i) => {
      const own = slots * this.needs[i], text = `${own.toLocaleString("en")} servers: ${slots} slots of ${this.needs[i]}; ${helpers} helpers`;
      before += own;
      this.spans[i].style.flexGrow = own; this.spans[i].hidden = own === 0;
      this.spans[i].title = `${this.classes[i].name}: ${text}`;
      const border = this.borders[i];
      border.style.left = `${100 * before / this.servers}%`;
      for (const [name, value] of Object.entries({ valuemin: this.least(i), valuemax: Math.max(this.most(i), slots), valuenow: slots, valuetext: text })) border.setAttribute(`aria-${name}`, value);
      this.told[i].textContent = own.toLocaleString("en");
      this.more[i].textContent = `${slots} × ${this.needs[i]}`;
    });
    this.rest.style.flexGrow = helpers; this.rest.hidden = helpers === 0;
    this.rest.title = `helpers: ${helpers} servers`;
    this.helped.textContent = helpers.toLocaleString("en");
  }
}

let leave = () => {};
export const stopSearching = () => leave();

function searching(at, known, question, change, status) {
  const asked = { ...question(), policy: [known.spec] };
  leave();
  status.textContent = "searching …";
  leave = listen("api/search", toQuery(asked), (kind, told) => {
    if (kind === "progress") status.textContent = `${told} …`;
    if (kind === "refused") status.textContent = told;
    if (kind !== "found") return;
    const less = Math.abs(1 - told.ratio) * 100;
    status.textContent = `${told.policy}: mean wait ${less.toPrecision(2)}% ${told.ratio < 1 ? "below" : "above"} the balanced split's, on streams that the search did not see. ${told.notes.join("; ")}`;
    change({ policy: question().policy.map((one, i) => i === at ? told.policy : one) });
  });
}

// One policy's split: its bar stays as long as the classes and the place are the same.
class Split {
  constructor(at, known, classes, question, change) {
    this.bar = new Bar(at, known, classes, question, change);
    this.title = make("h3");
    this.status = make("p", { class: "search-status", role: "status" });
    this.balanced = button("balanced", () => change({ policy: question().policy.map((one, i) => i === at ? withValue(this.bar.known.spec, "slots", "") : one) }), { "data-key": `balanced ${at}` });
    const search = button("search", () => searching(at, this.bar.known, question, change, this.status), { "data-key": `search ${at}` });
    this.element = make("div", { class: "split drag" }, this.title, this.bar.bar, this.bar.list, make("div", { class: "row" }, this.balanced, search), this.status);
    this.show(known);
  }
  show(known) {
    this.bar.show(known);
    this.title.textContent = `Servers under ${known.short}`;
    this.balanced.setAttribute("aria-pressed", String(known.split.balanced));
  }
}
let splits = new Map();

export function drawSplits(question, setting, change) {
  if (dragged) { later = () => drawSplits(question, setting, change); return; }
  const before = splits, classes = setting.classes;
  splits = new Map();
  const drawn = setting.policies.flatMap((known, at) => {
    if (!known.split) return [];
    if (known.split.refused) return [make("div", { class: "split" }, make("h3", {}, known.short), make("p", {}, known.split.refused))];
    const shape = JSON.stringify([at, classes.map(one => one.name), known.split.needs]);
    splits.set(shape, before.get(shape) ?? new Split(at, known, classes, question, change));
    splits.get(shape).show(known);
    return [splits.get(shape).element];
  });
  const place = byId("splits");
  if (drawn.length !== place.children.length || drawn.some((one, i) => one !== place.children[i])) place.replaceChildren(...drawn);
}

// Workload, servers and load; how many runs; what is done to a log.
import { button, byId, field, make, refill } from "./dom.js";
import { catalogue, isLog } from "./state.js";

const ARRIVALS = [10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000];
const REPLICATIONS = [2, 4, 8, 16, 32, 64];
const CLASSES = [["", "its needs"], ["auto", "few, found by itself"], ["down", "powers of two, down"], ["up", "powers of two, up"]];

function choice(key, values, chosen, change) {
  const known = values.some(([value]) => String(value) === String(chosen ?? ""));
  const all = known ? values : [...values, [chosen, chosen]];
  return make("select", { "data-key": key, onchange: event => change(event.target.value) },
    all.map(([value, text]) => make("option", { value, selected: String(value) === String(chosen ?? "") }, String(text))));
}
function number(key, value, change, more = {}) {
  return make("input", { type: "number", "data-key": key, value: value ?? "", inputmode: "decimal", onchange: event => change(event.target.value), ...more });
}

function servers(question, setting, change) {
  const k = Number(question.servers ?? setting?.servers ?? 0);
  const times = factor => change({ servers: Math.max(1, Math.min(Math.round(k * factor), catalogue.most_servers)) });
  return make("div", { class: "field" }, make("label", { for: "servers" }, "servers"),
    make("div", { class: "row" },
      button("÷2", () => times(.5), { "aria-label": "half as many servers", "data-key": "half" }),
      number("servers", question.servers ?? setting?.servers, value => change({ servers: value }), { id: "servers", min: 1, max: catalogue.most_servers }),
      button("×2", () => times(2), { "aria-label": "twice as many servers", "data-key": "twice" })),
    make("small", {}, question.servers ? "" : "as the log says"));
}

function load(question, setting, change) {
  const now = Number(question.load ?? setting?.load ?? .8), own = question.load === undefined || question.load === null;
  const known = catalogue.workloads.find(one => one.name === question.workload);
  const text = make("output", { for: "load" }, now ? now.toFixed(3) : "–");
  const slide = make("input", { type: "range", id: "load", "data-key": "load", min: .05, max: .99, step: .005, value: now,
    oninput: event => { text.textContent = Number(event.target.value).toFixed(3); change({ load: event.target.value }); } });
  const back = known?.load === null && !own ? button("its own", () => change({ load: null }), { "data-key": "own-load" }) : null;
  return make("div", { class: "field wide" }, make("label", { for: "load" }, "load ", text), make("div", { class: "row" }, slide, back),
    make("small", {}, own ? (isLog(question) ? "as the log has it" : "the workload's own") : "work that comes, per server"));
}

function runs(question, change) {
  if (isLog(question)) return [
    field("classes", choice("classes", CLASSES, question.classes, value => change({ classes: value }))),
    field("jobs that overrun", choice("overruns", catalogue.overruns.map(one => [one, one]), question.overruns ?? "extend", value => change({ overruns: value }))),
    field("estimates", choice("estimates", [["user", "the users'"], ["exact", "exact"]], question.estimates ?? "user", value => change({ estimates: value }))),
    field("seed of the intervals", number("seed", question.seed ?? 1, value => change({ seed: value }), { min: 0 })),
  ];
  return [
    field("arrivals", choice("arrivals", ARRIVALS.map(n => [n, n.toLocaleString("en")]), question.arrivals ?? 100000, value => change({ arrivals: value }))),
    field("replications", choice("replications", REPLICATIONS.map(n => [n, n]), question.replications ?? 8, value => change({ replications: value }))),
    field("seed", number("seed", question.seed ?? 1, value => change({ seed: value }), { min: 0 })),
  ];
}

// Another workload begins with servers and a load that it can have.
function another(name, question) {
  const known = catalogue.workloads.find(one => one.name === name);
  const policy = question.policy.map(spec => spec.replace(/,slots=[^,]*/, ""));
  return { workload: name, servers: known.servers, load: known.load, policy, classes: null, overruns: null, estimates: null,
    ...(known.log ? { arrivals: null, replications: null } : {}) };
}

export function drawControls(question, setting, change) {
  const names = catalogue.workloads.map(one => [one.name, one.name]);
  refill(byId("subject"), [
    field("workload", choice("workload", names, question.workload, value => change(another(value, question)))),
    servers(question, setting, change), load(question, setting, change), ...runs(question, change),
  ]);
}

// A card for each policy: which one, its parameters as chips and sliders, the way out.
import { button, byId, make, refill } from "./dom.js";
import { catalogue, parts, spelled, withValue } from "./state.js";

const kindOf = name => catalogue.policies.find(one => one.name === name || one.alias === name);

function choose(key, label, names, chosen, change) {
  return make("select", { "data-key": key, "aria-label": label, onchange: event => change(event.target.value) },
    names.map(name => make("option", { value: name, selected: name === chosen }, name)));
}

function chips(at, one, change) {
  return make("div", { class: "parameter", role: "group", "aria-label": one.name }, make("span", {}, one.name),
    one.steps.map(step => button(step.text, () => change(step.spec),
      { "aria-pressed": String(step.text === one.value), "data-key": `${at} ${one.name} ${step.text}` })));
}

function slider(at, one, change) {
  const id = `parameter-${at}-${one.name}`, told = make("output", { for: id }, one.value || "–");
  const slide = make("input", { type: "range", id, "data-key": `${at} ${one.name}`, min: 0, max: one.steps.length - 1, value: one.at, "aria-valuetext": one.value,
    oninput: event => {
      const step = one.steps[event.target.value];
      told.textContent = step.text; event.target.setAttribute("aria-valuetext", step.text);
      change(step.spec);
    } });
  return make("div", { class: "parameter" }, make("label", { for: id }, one.name, " ", told), slide);
}
function text(at, one, spec, change) {
  const id = `parameter-${at}-${one.name}`;
  return make("div", { class: "parameter" }, make("label", { for: id }, one.name),
    make("input", { id, value: one.value, "data-key": `${at} ${one.name}`, onchange: event => change(withValue(spec, one.name, event.target.value)) }));
}

function card(at, spec, known, question, change) {
  const { name, auxiliary } = parts(spec), kind = kindOf(name);
  const others = question.policy.filter((_, i) => i !== at);
  const set = next => change({ policy: question.policy.map((one, i) => i === at ? next : one) });
  const names = catalogue.policies.map(one => one.name);
  const inner = catalogue.policies.filter(one => !one.splits).map(one => one.name);
  const draw = { chips, slider, text: (i, one, move) => text(i, one, spec, move) };
  return make("section", { class: `card ${known?.look.hue ?? ""}`, "aria-label": `policy ${at + 1}: ${spec}` },
    make("div", { class: "row" }, make("i", { class: "mark" }),
      choose(`${at} name`, `policy ${at + 1}`, names, kind?.name, next =>
        set(spelled({ name: next, auxiliary: kindOf(next).splits ? auxiliary ?? "fcfs" : undefined, values: new Map() }))),
      others.length ? button("×", () => change({ policy: others }), { "aria-label": `leave out ${spec}`, "data-key": `${at} out`, class: "chip out" }) : null),
    kind?.splits ? make("label", { class: "parameter" }, make("span", {}, "helpers run"),
      choose(`${at} auxiliary`, "policy of the helpers", inner, kindOf(auxiliary ?? "fcfs")?.name, next =>
        set(spelled({ name, auxiliary: next, values: new Map([...parts(spec).values].filter(([key]) => key === "slots")) })))) : null,
    (known?.parameters ?? []).map(one => draw[one.kind](at, one, set)),
    make("details", { class: "rule" }, make("summary", {}, "the rule"), known?.rule ?? kind?.rule ?? "", known?.auxiliary_rule ? make("p", {}, `On the helpers: ${known.auxiliary_rule}`) : null));
}

export function drawPolicies(question, setting, change) {
  const given = new Set(question.policy.map(spec => parts(spec).name));
  const more = ["easy", "first-fit", "most-servers-first", "server-filling", "fcfs", "backfill"].find(name => !given.has(name));
  refill(byId("policies"), [
    ...question.policy.map((spec, at) => card(at, spec, setting?.policies[at], question, change)),
    ...(question.policy.length < catalogue.most_policies ? [button("+ another policy", () => change({ policy: [...question.policy, more] }), { class: "chip add", "data-key": "add" })] : []),
  ]);
}

// A plan: what it decided, and what else was possible; each point can be looked at.
import { button, byId, make } from "./dom.js";
import { catalogue, isLog } from "./state.js";

const percent = ratio => `${(100 * ratio).toPrecision(3)}%`;

export function drawFront(question, change) {
  const plan = catalogue.plan, place = byId("front");
  if (!plan || !place) return;
  const look = spec => {
    const kept = question().policy.filter(one => one !== spec).slice(0, catalogue.most_policies - 1);
    const first = kept.includes(plan.baseline) ? kept : [plan.baseline, ...kept].slice(0, catalogue.most_policies - 1);
    change({ policy: [...new Set([...first, spec])] });
    byId("all-jobs").scrollIntoView({ block: "center" });
  };
  place.querySelector(".points").replaceChildren(...plan.front.map((one, i) => make("li", {},
    button("look at it", () => look(one.spec), { "data-key": `front ${i}`, "aria-label": `look at ${one.policy}` }),
    make("code", {}, one.policy), make("small", {}, ` ${one.what}, scored on the ${one.scored_on}: ${percent(one.ratio)} of the baseline's`))));
  const chart = place.querySelector("figure.chart");
  chart?.querySelector(".plot").addEventListener("click", () => {
    const at = chart.chart.current;
    if (at >= 0 && plan.front[at]) look(plan.front[at].spec);
  });
  if (!isLog(question())) place.querySelector(".hint").hidden = false;
}

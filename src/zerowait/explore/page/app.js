// The page: a question in the address, controls that change it, and answers as they come in.
import { drawControls } from "./controls.js";
import { byId } from "./dom.js";
import { drawFront } from "./front.js";
import { drawKeep } from "./keep.js";
import { listen } from "./listen.js";
import { drawPolicies } from "./policies.js";
import { drawResults, stageOf } from "./results.js";
import { drawSplits, stopSearching } from "./split.js";
import { drawScreen, screen } from "./screen.js";
import { fromAddress, isLog, toAddress, toQuery } from "./state.js";

const PAUSE_MS = 40, SLOW_MS = 2500, ASKING = "asking …";
let question = fromAddress(), setting = null, latest = null, leave = () => {}, soon = null;

// All four classes come among the first sixty jobs, and FCFS is soon blocked.
const SMALL = { workload: "figure1", servers: 32, load: null, policy: ["fcfs", "balanced-splitting:fcfs"], seed: 26, jobs: 60, movie: "1", at: null, left: null, right: null };

function change(changed) {
  question = { ...question, ...changed };
  toAddress(question);
  drawControls(question, setting, change);
  drawPolicies(question, setting && matching(setting), change);
  drawScreen(question, changeMovie, () => change(SMALL));
  say(ASKING);
  clearTimeout(soon);
  leave();
  stopSearching();
  soon = setTimeout(() => screen(question, changeMovie, ask), PAUSE_MS);
}

// Of the movie alone: the numbers stay.
function changeMovie(changed) {
  question = { ...question, ...changed };
  toAddress(question, true);
  if ("at" in changed && changed.at !== null) return;
  drawScreen(question, changeMovie, () => change(SMALL));
  const waiting = document.body.dataset.state === ASKING;  // for the movie before: the numbers come after this one
  screen(question, changeMovie, waiting ? ask : () => {});
}

// What is known of the policies before, each in its place where it still is the same kind.
function matching(known) {
  const name = spec => spec.split(",")[0];
  return { ...known, policies: question.policy.map(spec => known.policies.find(one => one.spec === spec || one.asked === spec)
    ?? known.policies.find(one => name(one.spec) === name(spec))) };
}

function say(text, trouble = "") {
  byId("status").textContent = text;
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
  document.body.dataset.state = trouble ? "refused" : text;
}

function ask() {
  leave();
  const log = isLog(question), begun = performance.now(), asked = question.policy;
  byId("results").classList.add("stale");
  const slow = setTimeout(() => say("getting ready; a policy that runs for the first time is compiled, which takes some seconds …"), SLOW_MS);
  leave = listen("api/compare", toQuery(question), (kind, told) => {
    clearTimeout(slow);
    if (kind === "setting") {
      setting = told;
      setting.policies.forEach((one, i) => { one.asked = asked[i]; });
      drawControls(question, setting, change);
      drawPolicies(question, setting, change);
      drawSplits(() => question, setting, change);
      say("running …");
    } else if (kind === "numbers") {
      if (told.first_look) document.body.dataset.first = Math.round(performance.now() - begun);
      latest = told;
      byId("results").classList.remove("stale");
      drawResults(told);
      drawKeep(setting, null);
      say(`${stageOf(told, log)} …`);
    } else if (kind === "files") drawKeep(setting, told);
    else if (kind === "done") say(`${stageOf(latest, log)}: done`);
    else if (kind === "cut") say(`${stageOf(latest, log)}; ${told}`);
    else say("", told);
  });
  const close = leave;
  leave = () => { clearTimeout(slow); close(); };
}

addEventListener("hashchange", () => { question = fromAddress(); change({}); });
addEventListener("pagehide", () => { leave(); stopSearching(); });
addEventListener("pageshow", event => { if (event.persisted) ask(); });
drawFront(() => question, change);
change({});

// The question that the page asks, and the address that holds it whole.
export const catalogue = JSON.parse(document.getElementById("catalogue").textContent);
const TEXTS = ["workload", "classes", "overruns", "estimates"];
const NUMBERS = ["servers", "load", "arrivals", "replications", "seed"];
const OF_MOVIE = ["movie", "jobs", "first", "left", "right", "at"];  // of the page alone; numbers do not depend on them
const SETTLED_MS = 2000;
let written = 0;
const ORDER = ["workload", "servers", "load", "policy", "arrivals", "replications", "seed", "classes", "overruns", "estimates"];

export const isLog = question => catalogue.workloads.some(one => one.log && one.name === question.workload);

// As the address says; what it leaves out is as at the start, unless it names a workload itself.
export function fromAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.slice(1));
  if (!given.has("workload")) return { ...catalogue.start };
  const question = {};
  for (const name of TEXTS) if (given.has(name)) question[name] = given.get(name);
  for (const name of [...NUMBERS, ...OF_MOVIE]) if (given.has(name)) question[name] = given.get(name);
  question.policy = given.getAll("policy");
  return question;
}

export function toQuery(question, names = ORDER) {
  const query = new URLSearchParams();
  for (const name of names)
    for (const value of [question[name]].flat())
      if (value !== undefined && value !== null && value !== "") query.append(name, value);
  return query.toString();
}

// Two policies at most, and how many jobs.
export function toMovieQuery(question) {
  const n = question.policy.length, chosen = [question.left ?? 0, question.right ?? Math.min(n - 1, 1)];
  const policy = [...new Set(chosen.map(at => question.policy[at]).filter(Boolean))];
  return toQuery({ ...question, policy }, [...ORDER, "jobs", "first"]);
}

export function toAddress(question, replace = false) {
  const hash = `#${toQuery(question, [...ORDER, ...OF_MOVIE])}`;
  if (hash === location.hash) return;
  const settled = !replace && location.hash && Date.now() - written > SETTLED_MS;  // what was looked at can be gone back to
  history[settled ? "pushState" : "replaceState"](null, "", hash);
  written = Date.now();
}

// name[:auxiliary][,key=value...] in parts, and together again.
export function parts(spec) {
  const [names, ...options] = spec.split(",");
  const [name, auxiliary] = names.split(":");
  return { name, auxiliary, values: new Map(options.map(one => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)])) };
}
export function spelled({ name, auxiliary, values }) {
  return [auxiliary ? `${name}:${auxiliary}` : name, ...[...values].map(([key, value]) => `${key}=${value}`)].join(",");
}
export function withValue(spec, key, value) {
  const found = parts(spec);
  value === "" || value === null ? found.values.delete(key) : found.values.set(key, value);
  return spelled(found);
}

// The movie: a schedule step by step, one or two policies on one clock. Everything shown was computed before.
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const TILES = [[64, 16], [256, 32], [1024, 64], [Infinity, 128]];  // up to so many servers, so many in a row
const PACE = 1100, SHORTEST = 450, LONGEST = 2600;  // ms between two steps: of the mean gap, at least, at most
const BEGINS = ["start", "resume", "move"];

const make = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name.startsWith("on")) made[name] = value; else if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Times as the words have them: of a log h:mm:ss from its beginning, else plain numbers.
export function clock(movie, time) {
  if (movie.unit !== "s") return String(+time.toPrecision(4));
  const all = Math.round((time - movie.origin) * 10) / 10, two = n => String(n).padStart(2, "0");
  const days = Math.floor(all / 86400), hours = Math.floor(all / 3600) % 24, minutes = Math.floor(all / 60) % 60;
  const rest = all % 60, seconds = Number.isInteger(rest) ? two(rest) : rest.toFixed(1).padStart(4, "0");
  const text = days || hours ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
  return days ? `${days} d ${text}` : text;
}

// Who runs where and who waits after each step; the first state is that of the empty system.
function statesOf(movie) {
  const states = [{ held: new Map(), queue: [], step: null }], attained = new Map();
  for (const step of movie.steps) {
    const held = new Map(states.at(-1).held), known = held.get(step.job);
    if (BEGINS.includes(step.kind)) held.set(step.job, { ...step, since: step.time, attained: attained.get(step.job) ?? 0 });
    else if (known) {
      attained.set(step.job, known.attained + step.time - known.since);
      held.delete(step.job);
    }
    states.push({ held, queue: step.queue, step });
  }
  return states;
}

// What is seen at once: at one instant all movies go on together, step by step. Per movie: steps done, and whether one was now.
function framesOf(movies) {
  const done = movies.map(() => 0), frames = [];
  const ended = () => movies.every((movie, m) => done[m] === movie.steps.length);
  while (!ended()) {
    const next = movies.map((movie, m) => movie.steps[done[m]]?.time ?? Infinity), time = Math.min(...next);
    const moved = next.map(at => at === time);
    moved.forEach((is, m) => { if (is) done[m] += 1; });
    frames.push({ time, done: [...done], moved });
  }
  return [{ time: frames[0]?.time ?? 0, done: movies.map(() => 0), moved: movies.map(() => false) }, ...frames];
}

// A run of servers in rows of a region: row, column and length of each part.
function partsOf(first, length, columns) {
  const parts = [];
  for (let at = first, left = length; left > 0;) {
    const column = at % columns, span = Math.min(left, columns - column);
    parts.push({ row: Math.floor(at / columns), column, span });
    at += span; left -= span;
  }
  return parts;
}

// One policy: its servers, its queue, what happens in words, and its rules.
class Panel {
  constructor(movie, hues) {
    Object.assign(this, { movie, hues, states: statesOf(movie), columns: TILES.find(([most]) => movie.servers <= most)[1] });
    this.split = movie.regions.length > 1;
    this.regions = movie.regions.map(region => this.region(region));
    const boxes = make("div", { class: "movie-regions" }, ...this.regions.filter(one => one.servers).map(one => one.box));
    const without = this.regions.filter(one => !one.servers).map(one => one.kind === "own" ? `${one.name} has no own servers` : "there are no helpers");
    if (without.length) boxes.prepend(make("p", { class: "movie-label without" }, without.join(" · ")));
    this.stage = make("div", { class: "movie-stage", role: "img" }, boxes);
    this.queue = make("div", { class: "movie-queue" });
    this.waiting = make("span");
    this.door = make("div", { class: "movie-door" }, make("p", { class: "movie-label" },
      make("b", {}, this.split ? "waiting at the helpers" : "queue"), " ", this.waiting), this.queue);
    this.stage.append(this.door);
    this.words = make("p", { class: "movie-words" });
    this.note = make("p", { class: "movie-note" });
    this.rules = movie.rules.map(rule => make("li", {}, make("b", {}, rule.label), " ", rule.words));
    this.element = make("section", { class: "movie-panel", "aria-label": movie.policy }, make("h3", {}, movie.policy),
      make("div", { class: "movie-said" }, this.words, this.note), this.stage, make("ol", { class: "movie-rules" }, ...this.rules));
    this.element.style.setProperty("--columns", this.columns);
  }
  region(region) {
    const { classes } = this.movie, its = classes[region.job_class]?.need ?? Math.max(...classes.map(one => one.need));
    const columns = Math.min(its < this.columns ? Math.floor(this.columns / its) * its : this.columns, Math.max(region.servers, 1));
    const tiles = make("div", { class: "movie-tiles" }), busy = make("span");
    tiles.style.setProperty("--across", columns);
    tiles.style.setProperty("--down", Math.max(Math.ceil(region.servers / columns), 1));
    tiles.style.setProperty("--last", region.servers % columns || columns);
    const name = { own: `${region.name}: own`, helpers: "helpers", all: "servers" }[region.kind];
    const box = make("div", { class: `movie-region ${region.kind} ${region.kind === "own" ? this.hues[region.job_class] : ""}` },
      make("p", { class: "movie-label" }, make("b", {}, name), " ", busy), tiles);
    return { ...region, columns, tiles, busy, box };
  }
  hue(job) { return this.hues[this.movie.jobs[job].job_class]; }
  title(job) {
    const { name, job_class, need, arrival, service } = this.movie.jobs[job];
    return `job ${name} · class ${job_class + 1} · need ${need}\narrived ${clock(this.movie, arrival)} · service ${clock(this.movie, this.movie.origin + service)}`;
  }
  draw(done, moved) {
    this.state = this.states[done];
    const { held, queue, step } = this.state;
    const now = moved && step ? step.job : null;
    this.pieces = new Map();  // per job in service
    for (const region of this.regions) region.tiles.replaceChildren();
    for (const [job, { tiles, region }] of held)
      for (const [first, length] of tiles) this.place(job, this.regions[region], first, length, job === now);
    for (const region of this.regions) this.count(region);
    this.queue.replaceChildren(...queue.map(job => this.block(job, job === now)));
    const coming = moved && step?.kind === "arrival" ? step.job : null, waiting = queue.filter(job => job !== coming);
    const wanted = waiting.reduce((sum, job) => sum + this.movie.jobs[job].need, 0);
    this.waiting.textContent = (waiting.length ? `${count(waiting.length, "job")}, ${count(wanted, "server")} wanted` : "nobody")
      + (coming === null ? "" : `; job ${this.movie.jobs[coming].name} arrives`);
    this.say(step, moved);
    const busy = [...held.keys()].reduce((sum, job) => sum + this.movie.jobs[job].need, 0);
    this.stage.setAttribute("aria-label", `${busy} of ${count(this.movie.servers, "server")} busy, ${count(waiting.length, "job")} waiting`);
  }
  count(region) {
    const busy = [...this.state.held.values()].filter(one => this.regions[one.region] === region)
      .reduce((sum, one) => sum + this.movie.jobs[one.job].need, 0);
    region.busy.textContent = `${busy} of ${region.servers} busy`;
  }
  place(job, region, first, length, isNow) {
    const parts = partsOf(first - region.first, length, region.columns);
    const widest = parts.reduce((a, b) => b.span > a.span ? b : a);
    parts.forEach((part, i) => {
      const piece = make("div", { class: `movie-job ${this.hue(job)}${isNow ? " now" : ""}`, "data-job": job, title: this.title(job) });
      if (i === 0) { piece.dataset.first = first; piece.dataset.count = length; }
      if (i > 0) piece.classList.add("from");
      if (i < parts.length - 1) piece.classList.add("on");
      piece.style.gridArea = `${part.row + 1} / ${part.column + 1} / auto / span ${part.span}`;
      if (part === widest && this.columns <= 32) this.label(piece, this.movie.jobs[job].name, part.span);
      region.tiles.append(piece);
      this.pieces.set(job, [...this.pieces.get(job) ?? [], piece]);
    });
  }
  // Where there is room: a letter is about 1.6 hundredths of the stage wide.
  label(piece, text, span) {
    if (100 * span / this.columns >= 1.6 * text.length + 1) piece.append(make("span", {}, text));
  }
  block(job, isNow) {
    const { name, need } = this.movie.jobs[job];
    const block = make("div", { class: `movie-job ${this.hue(job)}${isNow ? " now" : ""}`, "data-job": job, title: this.title(job) });
    const across = Math.min(Math.max(need, this.columns / 16), this.columns);
    this.label(block, need > this.columns ? `${name}: ${need}` : name, across);
    block.style.setProperty("--across", across);
    return block;
  }
  say(step, moved) {
    this.words.textContent = step?.words ?? "The servers are idle, and nobody waits.";
    this.note.textContent = step?.note ?? "";
    this.element.classList.toggle("past", Boolean(step) && !moved);
    this.rules.forEach((rule, i) => {
      if (moved && step?.rule === i) rule.setAttribute("aria-current", "true"); else rule.removeAttribute("aria-current");
    });
  }
  // How far the jobs in service have come, between two steps.
  tell(time) {
    for (const [job, { since, attained }] of this.state.held) {
      const { service } = this.movie.jobs[job], part = service > 0 ? (attained + time - since) / service : 1;
      for (const piece of this.pieces.get(job)) piece.style.setProperty("--done", Math.min(part, 1));
    }
  }
  // Read off what is drawn, for whoever wants to compare it with a table of jobs.
  occupancy() {
    const running = {};
    for (const piece of this.stage.querySelectorAll(".movie-tiles [data-first]"))
      (running[piece.dataset.job] ??= []).push([+piece.dataset.first, +piece.dataset.count]);
    const queue = [...this.queue.children].map(block => +block.dataset.job);
    return { policy: this.movie.policy, step: this.states.indexOf(this.state) - 1, running, queue };
  }
  boxes(jobs) { return new Map(jobs.map(job => [job, this.stage.querySelector(`[data-job="${job}"]`)?.getBoundingClientRect()])); }
  fly(before, duration) {
    for (const [job, from] of before) {
      const to = this.stage.querySelector(`[data-job="${job}"]`);
      if (!to) continue;
      const at = to.getBoundingClientRect();
      const begin = from ? { transform: `translate(${from.x - at.x}px, ${from.y - at.y}px)` } : { opacity: 0, transform: "translateY(-12px)" };
      to.animate([begin, { opacity: 1, transform: "none" }], { duration, easing: "ease-out" });
    }
  }
}

class Player {
  constructor(element, movies, { speed = 1, autoplay = false, hues = null, at = 0, onstep = () => {} } = {}) {
    Object.assign(this, { element, movies, speed, onstep, frames: framesOf(movies), at: 0, playing: false, request: 0, time: 0 });
    this.panels = movies.map(movie => new Panel(movie, hues ?? movie.classes.map(one => one.hue)));
    const gap = (this.frames.at(-1).time - this.frames[0].time) / Math.max(this.frames.length - 1, 1);
    this.scale = gap > 0 ? PACE / gap : 0;  // ms per unit of time
    this.build();
    this.go(at);
    if (autoplay && !still()) this.play();
  }
  build() {
    const button = (text, label, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.toggle = button("▶", "play", () => this.playing ? this.pause() : this.play());
    this.slider = make("input", { type: "range", min: 0, max: this.frames.length - 1, value: 0, "aria-label": "step",
      oninput: () => { this.pause(); this.go(+this.slider.value); } });
    const pace = make("select", { "aria-label": "speed", onchange: () => { this.speed = +pace.value; } },
      ...SPEEDS.map(one => make("option", { value: one }, `${one}×`)));
    pace.value = this.speed;
    this.told = make("output", { class: "movie-clock" });
    this.live = make("p", { class: "movie-live", "aria-live": "polite" });
    const { classes } = this.movies[0], { hues } = this.panels[0];
    const legend = make("ul", { class: "movie-legend" }, ...classes.map((one, i) => make("li", { class: hues[i] },
      make("i"), `class ${i + 1}: ${one.name.startsWith("need ") ? one.name : `${one.name}, need ${one.need}`}`)),
      make("li", { class: "soft" }, "the paler part of a job is done"));
    const controls = make("div", { class: "controls movie-controls" }, button("|◀", "to the beginning", () => { this.pause(); this.go(0); }),
      button("◀", "step back", () => this.step(-1)), this.toggle, button("▶|", "step forward", () => this.step(1)), this.slider, pace, this.told);
    const panels = make("div", { class: "movie-panels" }, ...this.panels.map(one => one.element));
    this.root = make("div", { class: "movie", role: "group", tabindex: 0, "aria-label": "movie of the schedule: space plays, arrows step",
      onkeydown: event => this.key(event) }, controls, legend, panels, this.live);
    this.element.replaceChildren(this.root);
  }
  key(event) {
    const own = event.target === this.root, { key } = event;
    const inField = event.target.matches("input, select");
    if (key === " " && (own || inField)) this.playing ? this.pause() : this.play();
    else if (inField) return;
    else if (key === "ArrowRight") this.step(1);
    else if (key === "ArrowLeft") this.step(-1);
    else if (key === "Home") { this.pause(); this.go(0); }
    else if (key === "End") { this.pause(); this.go(this.frames.length - 1); }
    else return;
    event.preventDefault();
  }
  step(by) { this.pause(); this.go(this.at + by, by === 1); }
  go(at, tween = false) {
    this.at = Math.min(Math.max(Math.round(at) || 0, 0), this.frames.length - 1);
    const { time, done, moved } = this.frames[this.at];
    const duration = Math.min(320, 320 / this.speed), fly = tween && !still() && duration > 60;
    this.panels.forEach((panel, m) => {
      const jobs = moved[m] ? [panel.movie.steps[done[m] - 1].job] : [];
      const before = fly ? panel.boxes(jobs) : null;
      panel.draw(done[m], moved[m]);
      if (before) panel.fly(before, duration);
    });
    this.slider.value = this.at;
    this.show(time);
    this.slider.setAttribute("aria-valuetext", `step ${this.at} of ${this.frames.length - 1}, ${this.told.textContent}`);
    if (!this.playing) this.say();
    this.onstep(this.at, time);
  }
  show(time) {
    this.time = time;
    const text = clock(this.movies[0], time);
    this.told.textContent = `time ${text}`;
    for (const panel of this.panels) panel.tell(time);
  }
  // Not while it plays: nobody can listen as fast as that.
  say() {
    const { moved } = this.frames[this.at], several = this.panels.length > 1;
    this.live.textContent = this.panels.filter((_, m) => moved[m])
      .map(panel => `${several ? `${panel.movie.policy}: ` : ""}${panel.words.textContent} ${panel.note.textContent}`).join(" ");
  }
  play() {
    if (this.at === this.frames.length - 1) this.go(0);
    this.playing = true;
    this.face("⏸", "pause");
    let began = null;
    const tick = now => {
      began ??= now;
      const from = this.frames[this.at].time, to = this.frames[this.at + 1];
      if (!to) { this.pause(); return; }
      const same = to.time === from, wait = Math.min(Math.max((to.time - from) * this.scale, same ? PACE : SHORTEST), LONGEST) / this.speed;
      const part = (now - began) / wait;
      if (part >= 1) { began = now; this.go(this.at + 1, true); } else if (!still() && !same) this.show(from + part * (to.time - from));
      this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }
  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.request);
    this.playing = false;
    this.face("▶", "play");
    this.show(this.frames[this.at].time);
    this.say();
  }
  face(text, label) {
    this.toggle.textContent = text;
    this.toggle.setAttribute("aria-label", label);
    this.toggle.title = label;
  }
  destroy() {
    cancelAnimationFrame(this.request);
    this.playing = false;
    this.root.remove();
    delete this.element.movie;
  }
}

// Draw one movie or two in `element`. Returns, and leaves as `element.movie`, what steers and reads it.
export function mount(element, movies, options = {}) {
  element.movie?.destroy();
  const player = new Player(element, movies, options);
  const handle = {
    go: at => { player.pause(); player.go(at); },
    next: () => player.step(1),
    back: () => player.step(-1),
    play: () => player.play(),
    pause: () => player.pause(),
    destroy: () => player.destroy(),
    occupancy: () => player.panels.map(panel => panel.occupancy()),
    get playing() { return player.playing; },
    get at() { return player.at; },
    get length() { return player.frames.length; },
    get time() { return player.time; },
  };
  element.movie = handle;
  return handle;
}

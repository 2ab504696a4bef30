// The movie of the question: asked for when it is wanted, and again when the question has changed.
import { button, byId, field, make, refill } from "./dom.js";
import { listen } from "./listen.js";
import { mount } from "./movie.js";
import { isLog, toMovieQuery } from "./state.js";

let leave = () => {}, shown = "", soon = null;

function number(key, value, change, more) {
  return make("input", { type: "number", "data-key": key, value, onchange: event => change({ [key.split(" ")[1]]: event.target.value, at: null }), ...more });
}
function which(key, label, question, chosen, change) {
  const names = [...question.policy.map((spec, at) => [at, spec]), ...(key === "right" ? [["none", "nobody"]] : [])];
  return field(label, make("select", { "data-key": `movie ${key}`, onchange: event => change({ [key]: event.target.value, at: null }) },
    names.map(([at, spec]) => make("option", { value: at, selected: String(at) === String(chosen) }, spec))));
}

// `change` of a movie's own choices: no numbers are asked for again.
export function drawScreen(question, change, small) {
  const open = question.movie === "1";
  refill(byId("movie-choices"), [make("div", { class: "row" },
    button(open ? "close the movie" : "watch the movie", () => change({ movie: open ? null : "1", at: null }), { "data-key": "movie open", "aria-pressed": String(open) }),
    button("a small example", small, { "data-key": "movie small", title: "Figure 1 on 32 servers: FCFS beside Balanced Splitting" })),
    ...(open ? [
      which("left", "left", question, question.left ?? 0, change),
      ...(question.policy.length > 1 ? [which("right", "right", question, question.right ?? 1, change)] : []),
      field("jobs", number("movie jobs", question.jobs ?? 60, change, { min: 1, max: 200 })),
      ...(isLog(question) ? [field("from job", number("movie first", question.first ?? 0, change, { min: 0 }))] : []),
    ] : []),
  ]);
}

// Calls `then` when the movie is there, or is not wanted.
export function screen(question, change, then) {
  leave();
  const place = byId("movie"), query = toMovieQuery(question);
  if (question.movie !== "1") {
    place.movie?.destroy();
    byId("movie-status").textContent = shown = "";
    return then();
  }
  if (query === shown) return then();
  byId("movie-status").textContent = "preparing the movie …";
  leave = listen("api/movie", query, (kind, told) => {
    if (kind === "movies") {
      shown = query;
      byId("movie-status").textContent = "";
      mount(place, told, { at: Number(question.at ?? 0), onstep: at => {
        clearTimeout(soon);
        soon = setTimeout(() => change({ at }), 400);
      } });
      // Who has just opened it wants its keys: on the button, space would close it again.
      const { key } = document.activeElement?.dataset ?? {};
      if (key === "movie open" || key === "movie small") place.querySelector(".movie").focus({ preventScroll: true });
    } else if (kind === "refused") {
      place.movie?.destroy();
      shown = "";
      byId("movie-status").textContent = told;
    }
    if (kind !== "movies") then();
  });
}

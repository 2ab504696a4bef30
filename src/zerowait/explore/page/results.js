// What the server found, in its places; what the reader has chosen, hidden or sorted stays so.
import { byId, make } from "./dom.js";

function drawFigure(place, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("figure");
  const spec = JSON.parse(fresh.querySelector("script").textContent);
  const shape = JSON.stringify([spec.kind, spec.series, spec.views.map(view => view.label)]);
  const chart = place.querySelector("figure")?.chart;
  if (chart && place.dataset.shape === shape) return chart.update(spec);
  place.dataset.shape = shape;
  place.replaceChildren(fresh);
  drawCharts(place);
}

// Cells of a table of the same shape change; the rows stay where the reader has sorted them.
function drawTable(place, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").body;
  const rows = [...fresh.querySelectorAll("tbody tr")];
  rows.forEach((row, i) => { row.dataset.row = i; });
  const old = new Map([...place.querySelectorAll("tbody tr")].map(row => [row.dataset.row, row]));
  const heads = body => [...body.querySelectorAll("th")].map(one => one.textContent).join("|");
  if (old.size === rows.length && heads(place) === heads(fresh)) {
    for (const row of rows) [...row.cells].forEach((cell, i) => {
      const known = old.get(row.dataset.row).cells[i];
      if (known.innerHTML !== cell.innerHTML || known.dataset.value !== cell.dataset.value) known.replaceWith(cell.cloneNode(true));
    });
    return;
  }
  place.replaceChildren(...fresh.childNodes);
  sortTables(place);
}

function bold(text) {
  return text.split("**").map((part, i) => i % 2 ? make("strong", {}, part) : part);
}

export function drawResults(told) {
  byId("sentences").replaceChildren(...told.sentences.map(text => make("p", {}, bold(text))));
  for (const [name, html] of Object.entries(told.tables)) drawTable(byId(name), html);
  for (const [name, html] of Object.entries(told.figures)) drawFigure(byId(`${name}-figure`), html);
  byId("notes").replaceChildren(...told.notes.map(text => make("li", {}, text)));
}

export function stageOf(told, log) {
  if (told.first_look) return log ? "first numbers; intervals over weeks follow" : "a first look, at a short run";
  if (log) return "the whole log";
  return `${told.replications} of ${told.of} replications`;
}

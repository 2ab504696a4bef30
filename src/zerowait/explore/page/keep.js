// Nothing is lost: as a command, as Python, as an address, as files.
import { button, byId, make } from "./dom.js";

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font", "text-anchor"];

function copying(text) {
  const one = button("copy", async () => {
    await navigator.clipboard.writeText(text());
    one.textContent = "copied";
    setTimeout(() => { one.textContent = "copy"; }, 1500);
  }, { class: "copy" });
  return one;
}
function download(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A chart on its own, with the looks that the page gives it.
function drawing(svg) {
  const copy = svg.cloneNode(true), own = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((node, i) => {
    const look = getComputedStyle(own[i]);
    node.setAttribute("style", LOOKS.map(name => `${name}:${look.getPropertyValue(name)}`).join(";"));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", `background:${getComputedStyle(document.body).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
}

// `files` come with the last numbers.
export function drawKeep(setting, files) {
  const charts = [...document.querySelectorAll("figure.chart")];
  byId("keep").replaceChildren(
    make("h3", {}, "As a command"), make("pre", { id: "command" }, setting.command), copying(() => setting.command),
    make("h3", {}, "As Python"), make("pre", { id: "python" }, setting.python), copying(() => setting.python),
    make("h3", {}, "As files"),
    make("div", { class: "row" },
      button("JSON", () => download("comparison.json", JSON.stringify({ ...files.comparison, command: setting.command }, null, 2), "application/json"), { id: "json", disabled: !files }),
      button("CSV", () => download("comparison.csv", files.csv, "text/csv"), { id: "csv", disabled: !files }),
      charts.map(figure => button(`SVG: ${figure.querySelector("h3").textContent.toLowerCase()}`, () => download("chart.svg", drawing(figure.querySelector("svg")), "image/svg+xml"), { class: "chip svg" })),
      button("copy the address", () => navigator.clipboard.writeText(location.href))));
}

// Tables sort by the head that is pressed: by number, or by text; what has neither is last.
(() => {
function sort(table, column, up) {
  const body = table.tBodies[0];
  const key = row => {
    const cell = row.cells[column], value = cell.dataset.value;
    return value !== undefined ? Number(value) : /^(–|)$/.test(cell.textContent) ? null : cell.textContent;
  };
  const numbers = [...body.rows].some(row => typeof key(row) === "number");
  const rank = value => value === null ? 2 : numbers && typeof value !== "number" ? 1 : 0;
  const order = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  const rows = [...body.rows].map(row => [key(row), row]);
  rows.sort(([a], [b]) => rank(a) - rank(b) || (rank(a) === 2 ? 0 : (up ? 1 : -1) * order(a, b)));
  body.append(...rows.map(([, row]) => row));
}
globalThis.sortTables = root => { for (const table of root.querySelectorAll("table"))
  table.tHead?.querySelectorAll("th").forEach((head, column) => {
    head.querySelector("button").onclick = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.tHead.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      sort(table, column, up);
    };
  });
};
sortTables(document);
for (const button of document.querySelectorAll("button.copy"))
  button.onclick = () => navigator.clipboard?.writeText(button.previousElementSibling.textContent)
    .then(() => { button.textContent = "copied"; });
})();

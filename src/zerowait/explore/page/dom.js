// Elements made in one line.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(one => one !== null && one !== undefined));
  return node;
}
export const byId = id => document.getElementById(id);

// Other children in the place of those there are; who was in focus, by its key, is so again.
export function refill(parent, children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children);
  if (key !== undefined) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

export function button(text, press, more = {}) {
  return make("button", { type: "button", class: "chip", onclick: press, ...more }, text);
}

export function field(label, control, hint) {
  return make("label", { class: "field" }, make("span", {}, label), control, hint ? make("small", {}, hint) : null);
}

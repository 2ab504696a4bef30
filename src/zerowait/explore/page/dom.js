// Elements made in one line, and what is on the page brought up to date.
export const byId = id => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  node.handlers = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = node.handlers[name] = value;
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(one => one !== null && one !== undefined));
  return node;
}

// The children of `parent` become these. What is the same element stays and is changed, so that a slider that is dragged, or what
// is in focus, is not taken away; who was in focus and had to go has its place taken by who has the same key.
export function refill(parent, children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  renew(parent, children);
  if (key !== undefined && !parent.contains(document.activeElement))
    parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
function renew(parent, children) {
  const before = [...parent.childNodes];
  children.forEach((fresh, i) => {
    if (!before[i]) parent.append(fresh);
    else if (!alike(before[i], fresh)) before[i].replaceWith(fresh);
    else if (fresh.nodeType === Node.TEXT_NODE) before[i].data = fresh.data;
    else change(before[i], fresh);
  });
  before.slice(children.length).forEach(one => one.remove());
}
function alike(old, fresh) {
  return old.nodeName === fresh.nodeName && old.type === fresh.type && old.dataset?.key === fresh.dataset?.key;
}
function change(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of new Set([...Object.keys(old.handlers ?? {}), ...Object.keys(fresh.handlers ?? {})])) old[name] = fresh.handlers?.[name] ?? null;
  old.handlers = fresh.handlers;
  renew(old, [...fresh.childNodes]);
  const typing = old === document.activeElement && old.nodeName === "INPUT" && old.type !== "range";
  if ("value" in fresh && !typing && old.value !== fresh.value) old.value = fresh.value;
}

export function button(text, press, more = {}) {
  return make("button", { type: "button", class: "chip", onclick: press, ...more }, text);
}

export function field(label, control, hint) {
  return make("label", { class: "field" }, make("span", {}, label), control, hint ? make("small", {}, hint) : null);
}

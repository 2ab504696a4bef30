// A Gantt chart on a canvas: jobs on their servers, and below them the servers busy and waited for.
(() => {
const chart = document.querySelector(".gantt"), data = JSON.parse(chart.querySelector("script").textContent);
const unpack = (text, Kind) => new Kind(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
for (const name of ["arrival", "start", "finish", "busyTimes", "busy", "queueTimes", "queue"])
  data[name] = unpack(data[name], Float64Array);
for (const name of ["number", "need", "job", "first", "count"]) data[name] = unpack(data[name], Uint32Array);

const canvas = chart.querySelector(".plot canvas"), pen = canvas.getContext("2d"), tip = chart.querySelector(".tip");
const TOP = 8, AXIS = 38, STRIP = 110, GAP = 14, OUTLINED = 6000, DAY = 86400;
let view = [data.begin, data.end], shown = [], box, ink = {}, dark = false;

// viridis, large needs farthest from the page's own colour, as in the picture
const SHADES = [[253,231,37],[180,222,44],[109,205,89],[53,183,121],[31,158,137],[38,130,142],
  [49,104,142],[62,74,137],[72,40,120],[68,1,84]];
const largest = data.need.reduce((a, b) => Math.max(a, b), 2);
const shade = need => {
  const part_of = Math.log(need) / Math.log(largest), at = (dark ? 1 - part_of : part_of) * (SHADES.length - 1);
  const low = Math.min(Math.floor(at), SHADES.length - 2), part = at - low;
  return SHADES[low].map((value, i) => value + part * (SHADES[low + 1][i] - value));
};
const css = rgb => `rgb(${rgb.map(Math.round).join(",")})`;

function draw() {
  const style = getComputedStyle(document.documentElement), ratio = window.devicePixelRatio || 1;
  for (const name of ["paper", "ink", "soft", "hair", "blue", "vermillion"]) ink[name] = style.getPropertyValue(`--${name}`).trim();
  pen.fillStyle = ink.paper;  // as #rrggbb, whatever it was given as
  ink.rgb = [1, 3, 5].map(i => parseInt(pen.fillStyle.slice(i, i + 2), 16));
  dark = ink.rgb[0] < 128;
  key();
  const width = canvas.clientWidth, height = canvas.clientHeight, narrow = width < 560;
  canvas.width = width * ratio; canvas.height = height * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = `${narrow ? 11 : 12}px system-ui, sans-serif`;
  const names = ["waited for", ...data.regions.map(([name]) => name)].map(name => pen.measureText(name).width);
  const right = Math.min(Math.max(...names) + 8, width * .25);
  const left = pen.measureText(formats.number(data.queue.reduce((a, b) => Math.max(a, b), data.servers))).width + 12;
  box = { x: left, y: TOP, w: width - left - right, h: height - TOP - AXIS - STRIP - GAP };
  shown = [];
  for (let i = 0; i < data.job.length; i++) {
    const job = data.job[i];
    if (data.start[job] < view[1] && data.finish[job] > view[0]) shown.push(i);
  }
  shown.length <= OUTLINED ? outlined() : raster(ratio);
  frame(); strip();
}
function key() {
  const legend = chart.querySelector(".legend canvas").getContext("2d");
  for (let x = 0; x < 120; x++) { legend.fillStyle = css(shade(largest ** (x / 119))); legend.fillRect(x, 0, 1, 12); }
  chart.querySelector(".legend b").textContent = largest;
}
const px = time => box.x + (time - view[0]) / (view[1] - view[0]) * box.w;
const py = server => box.y + box.h * (1 - server / data.servers);

function outlined() {
  pen.save(); pen.beginPath(); pen.rect(box.x, box.y, box.w, box.h); pen.clip();
  pen.strokeStyle = ink.paper; pen.lineWidth = .5;
  for (const i of shown) {
    const job = data.job[i], x = px(data.start[job]), w = Math.max(px(data.finish[job]) - x, .3);
    const y = py(data.first[i] + data.count[i]), h = py(data.first[i]) - y;
    pen.fillStyle = css(shade(data.need[job])); pen.fillRect(x, y, w, h);
    if (w > 2 && h > 2) pen.strokeRect(x, y, w, h);
  }
  pen.restore();
}
// Each pixel mixes the colours of its jobs by the part of it they fill, on the page's own colour.
function raster(ratio) {
  const W = Math.max(Math.round(box.w * ratio), 1), H = Math.max(Math.round(box.h * ratio), 1);
  const sum = new Float32Array(W * H * 4), shades = new Map();
  for (const i of shown) {
    const job = data.job[i], need = data.need[job];
    if (!shades.has(need)) shades.set(need, shade(need));
    const [r, g, b] = shades.get(need), scale = W / (view[1] - view[0]);
    const x0 = Math.max((data.start[job] - view[0]) * scale, 0), x1 = Math.min((data.finish[job] - view[0]) * scale, W);
    const y0 = H * (1 - (data.first[i] + data.count[i]) / data.servers), y1 = H * (1 - data.first[i] / data.servers);
    for (let y = Math.floor(y0); y < Math.min(Math.ceil(y1), H); y++) {
      const tall = Math.min(y + 1, y1) - Math.max(y, y0);
      for (let x = Math.floor(x0); x < Math.min(Math.ceil(x1), W); x++) {
        const part = tall * (Math.min(x + 1, x1) - Math.max(x, x0)), at = 4 * (y * W + x);
        sum[at] += part * r; sum[at + 1] += part * g; sum[at + 2] += part * b; sum[at + 3] += part;
      }
    }
  }
  const picture = pen.createImageData(W, H);
  for (let at = 0; at < sum.length; at += 4) {
    const idle = Math.max(1 - sum[at + 3], 0);
    for (let c = 0; c < 3; c++) picture.data[at + c] = sum[at + c] + idle * ink.rgb[c];
    picture.data[at + 3] = 255;
  }
  pen.putImageData(picture, Math.round(box.x * ratio), Math.round(box.y * ratio));
}

// What the clock on the wall shows, as seconds since 1970; where the log does not say, time from its start.
const dated = data.shifts.length > 0;
const shift = time => (data.shifts.findLast(([since]) => since <= time) ?? data.shifts[0])[1];
const wall = time => new Date(1000 * (time + shift(time)));
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = number => String(number).padStart(2, "0");
const day = date => `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
const clockTime = date => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
const when = time => { const date = wall(time); return `${day(date)} ${date.getUTCFullYear()} ${clockTime(date)}`; };

function dateTicks(low, high, n) {
  const STEPS = [60, 300, 900, 1800, 3600, 10800, 21600, 43200, DAY, 2 * DAY, 7 * DAY], MONDAY = 4 * DAY;
  const [first, last] = [low + shift(low), high + shift(high)], found = [];
  const step = STEPS.find(s => (last - first) / s <= n);
  if (step) {
    const from = step === 7 * DAY ? MONDAY : 0;
    for (let at = Math.ceil((first - from) / step) * step + from; at <= last; at += step) {
      const date = new Date(1000 * at);
      found.push([at, step >= DAY || at % DAY === 0 ? day(date) : clockTime(date)]);
    }
  } else {
    const every = [1, 3, 6, 12, 24, 60, 120].find(m => (last - first) / (m * 30.44 * DAY) <= n) ?? 240;
    const begin = new Date(1000 * first), start = Math.ceil((12 * begin.getUTCFullYear() + begin.getUTCMonth()) / every) * every;
    for (let month = start; ; month += every) {
      const at = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
      if (at > last) break;
      if (at >= first) found.push([at, every < 12 ? `${MONTHS[month % 12]} ${Math.floor(month / 12)}` : String(month / 12)]);
    }
  }
  return found.map(([at, text]) => [at - shift(at - shift(low)), text]);
}
function timeTicks(n) {
  if (dated) return dateTicks(...view, n);
  const span = view[1] - view[0];
  const [size, unit] = span >= 4 * DAY ? [DAY, "d"] : span >= 7200 ? [3600, "h"] : span >= 300 ? [60, "min"] : [1, "s"];
  return ticksOf(view[0] / size, view[1] / size, n, false, "number").map(([at, text]) => [at * size, `${text} ${unit}`]);
}

function frame() {
  pen.strokeStyle = ink.soft; pen.lineWidth = 1; pen.strokeRect(box.x, box.y, box.w, box.h);
  pen.fillStyle = ink.ink; pen.textAlign = "right"; pen.textBaseline = "middle";
  for (const [at, text] of ticksOf(0, data.servers, 8, false, "number")) pen.fillText(text, box.x - 6, py(at));
  pen.textAlign = "left";
  for (const [name, first, servers] of data.regions.slice(data.regions.length > 1 ? 0 : 1)) {
    pen.beginPath(); pen.moveTo(box.x, py(first)); pen.lineTo(box.x + box.w, py(first)); pen.stroke();
    if (py(first) - py(first + servers) > 11) pen.fillText(name, box.x + box.w + 4, py(first + servers / 2), canvas.clientWidth - box.x - box.w - 4);
  }
  pen.textAlign = "center"; pen.textBaseline = "top"; pen.strokeStyle = ink.hair;
  const bottom = canvas.clientHeight - AXIS;
  for (const [at, text] of timeTicks(Math.max(box.w / (dated ? 80 : 64), 2))) {
    pen.fillText(text, px(at), bottom + 5);
    pen.beginPath(); pen.moveTo(px(at), bottom - STRIP); pen.lineTo(px(at), bottom); pen.stroke();
  }
  pen.fillStyle = ink.soft;
  pen.fillText(dated ? data.clock : "since the start of the log", box.x + box.w / 2, bottom + 21, box.w);
}
function strip() {
  const bottom = canvas.clientHeight - AXIS, top = bottom - STRIP;
  let high = data.servers;
  const seen = (times, level) => { for (let i = 0; i < times.length; i++)
    if (times[i] < view[1] && (i + 1 >= times.length || times[i + 1] > view[0])) high = Math.max(high, level[i]); };
  seen(data.queueTimes, data.queue);
  const y = level => bottom - level / high * STRIP;
  pen.save(); pen.beginPath(); pen.rect(box.x, top, box.w, STRIP); pen.clip();
  const line = (times, level, colour) => {
    pen.strokeStyle = colour; pen.lineWidth = 1; pen.beginPath();
    let last = y(0); pen.moveTo(box.x, last);
    for (let i = 0; i < times.length; i++) {
      if (times[i] > view[1]) break;
      const x = Math.max(px(times[i]), box.x); pen.lineTo(x, last); last = y(level[i]); pen.lineTo(x, last);
    }
    pen.lineTo(box.x + box.w, last); pen.stroke();
  };
  line(data.queueTimes, data.queue, ink.vermillion); line(data.busyTimes, data.busy, ink.blue);
  pen.restore();
  pen.strokeStyle = ink.soft; pen.strokeRect(box.x, top, box.w, STRIP);
  pen.textBaseline = "middle"; pen.textAlign = "right"; pen.fillStyle = ink.ink;
  for (const [at, text] of ticksOf(0, high, 3, false, "number")) pen.fillText(text, box.x - 6, y(at));
  pen.textAlign = "left"; pen.fillStyle = ink.blue; pen.fillText("busy", box.x + box.w + 4, top + 20);
  pen.fillStyle = ink.vermillion; pen.fillText("waited for", box.x + box.w + 4, top + 38);
}

let pending = false;
const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(() => { pending = false; draw(); }); } };
function show(low, high) {
  const whole = data.end - data.begin, span = Math.min(Math.max(high - low, whole * 1e-7, 1), whole);
  low = Math.min(Math.max(low, data.begin), data.end - span);
  view = [low, low + span]; redraw();
}
function zoom(factor, at = (view[0] + view[1]) / 2) { show(at - (at - view[0]) * factor, at + (view[1] - at) * factor); }
const timeAt = event => view[0] + (event.offsetX - box.x) / box.w * (view[1] - view[0]);
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : .8, timeAt(event)); }, { passive: false });
let held = null;
canvas.onpointerdown = event => { held = { x: event.offsetX, view: [...view] }; canvas.setPointerCapture(event.pointerId); };
canvas.onpointerup = canvas.onpointercancel = () => { held = null; };
canvas.onpointermove = event => {
  if (held) { const by = (held.x - event.offsetX) / box.w * (held.view[1] - held.view[0]); show(held.view[0] + by, held.view[1] + by); return; }
  const time = timeAt(event), server = (1 - (event.offsetY - box.y) / box.h) * data.servers;
  const hit = shown.find(i => data.first[i] <= server && server < data.first[i] + data.count[i] &&
    data.start[data.job[i]] <= time && time < data.finish[data.job[i]]);
  tip.hidden = hit === undefined;
  if (tip.hidden) return;
  const job = data.job[hit], { duration } = formats;
  tip.textContent = `job ${data.number[job]} · need ${data.need[job]}\nwaited ${duration(data.start[job] - data.arrival[job])} · ran ${duration(data.finish[job] - data.start[job])}`
    + (dated ? `\nstarted ${when(data.start[job])}` : "");
  tip.style.left = Math.max(Math.min(event.offsetX + 14, canvas.clientWidth - tip.offsetWidth - 4), 0) + "px"; tip.style.top = event.offsetY + 14 + "px";
};
canvas.onpointerleave = () => { tip.hidden = true; };
canvas.onkeydown = event => {
  const by = (view[1] - view[0]) / 8;
  if (event.key === "+") zoom(.8); else if (event.key === "-") zoom(1.25);
  else if (event.key === "ArrowLeft") show(view[0] - by, view[1] - by);
  else if (event.key === "ArrowRight") show(view[0] + by, view[1] + by);
  else return;
  event.preventDefault();
};
chart.querySelector("[name=in]").onclick = () => zoom(.5);
chart.querySelector("[name=out]").onclick = () => zoom(2);
chart.querySelector("[name=all]").onclick = () => show(data.begin, data.end);
// A dark screen, or paper, has other colours.
for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", draw);
new ResizeObserver(redraw).observe(canvas);
draw();
})();

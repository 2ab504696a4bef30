"use strict";
// Numbers as people read them: four digits, percent, durations.
const formats = {
  number(v) {
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size >= 1e12 || size < 1e-4) return v.toExponential(2);
    return size >= 1e4 ? Math.round(v).toLocaleString("en") : String(+v.toPrecision(4));
  },
  share: v => `${+(100 * v).toPrecision(3)}%`,
  duration(v) {
    const size = Math.abs(v);
    const [unit, name] = size >= 86400 ? [86400, "d"] : size >= 3600 ? [3600, "h"] : size >= 60 ? [60, "min"] : [1, "s"];
    return `${+(v / unit).toPrecision(3)} ${name}`;
  },
};

// Round places on an axis, as [value, text].
function ticksOf(low, high, n, log, format) {
  if (log) return logTicks(low, high, n, format);
  let unit = 1;
  if (format === "duration") unit = high >= 2 * 86400 ? 86400 : high >= 7200 ? 3600 : high >= 120 ? 60 : 1;
  const rough = (high - low) / unit / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough * 0.999) * unit;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(+(i * step).toPrecision(12));
  return found.map(v => [v, formats[format](v)]);
}
function logTicks(low, high, n, format) {
  let all = [];
  if (format === "duration")
    all = [1e-3, 1e-2, .1, 1, 10, 60, 600, 3600, 21600, 86400, 604800, 2592000, 31536000, 315360000];
  else for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) all.push(10 ** e);
  const finer = format === "duration" ? [[1]] : [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]];
  let found = [];
  for (const parts of finer) {
    found = all.flatMap(v => parts.map(part => v * part)).filter(v => v >= low * 0.999 && v <= high * 1.001);
    if (found.length >= 3) break;
  }
  if (found.length < 2) return ticksOf(low, high, n, false, format);
  const every = Math.ceil(found.length / n);
  return found.filter((_, i) => i % every === 0).map(v => [v, formats[format](+v.toPrecision(6))]);
}

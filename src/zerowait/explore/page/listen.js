// Answers as they come in. Who asks again, or leaves, closes: the server then stops computing.
const LAST = ["done", "cut", "refused"];

export function listen(path, query, hear) {
  const source = new EventSource(`${path}?${query}`);
  for (const kind of ["setting", "numbers", "files", "progress", "found", "movies", ...LAST])
    source.addEventListener(kind, event => {
      if (LAST.includes(kind)) source.close();
      hear(kind, JSON.parse(event.data));
    });
  source.onerror = () => {
    source.close();
    hear("refused", "the explorer does not answer any more; start it again: zerowait explore");
  };
  return () => source.close();
}

// Filters of items: every choice is in the address. Items and comparisons share them.
import { useLayoutEffect, useState } from "preact/hooks";
import { RunDetail } from "./api";
import { goWith } from "./address";
import { plain } from "./show";

const outcomes = ["right", "wrong", "tie", "undecided", "failed", "skipped"];
export const filterNames = ["task", "part", "category", "tag", "outcome", "min", "max", "q", "marked"];

// `of` names whose the outcome, the margin and the marks are, where there are several runs.
export function Filters({ run, query, sorts, clear, of = "" }: { run: RunDetail; query: URLSearchParams; sorts: [string, string][]; clear: string; of?: string }) {
  const [words, setWords] = useState(query.get("q") ?? "");
  // Not a frame later, when somebody may be typing.
  useLayoutEffect(() => setWords(query.get("q") ?? ""), [query.get("q")]);
  const change = (name: string, value: string) => goWith({ [name]: value, page: null });
  const choose = (name: string, title: string, values: string[]) =>
    values.length > 0 && (
      <label>{title}{" "}
        <select value={query.get(name) ?? ""} onChange={(e) => change(name, e.currentTarget.value)}>
          <option value="">all</option>
          {values.map((value) => <option value={value}>{plain(value)}</option>)}
        </select>
      </label>
    );
  const task = run.tasks.find((one) => one.name === query.get("task")) ?? (run.tasks.length === 1 ? run.tasks[0] : undefined);
  const parts = (task?.parts ?? []).map((part) => part.name).filter(Boolean);
  const changePart = (value: string) => goWith({ task: task!.name, part: value, page: null });
  const margin = (name: string, title: string) => (
    <label>{title} <input class="margin" type="number" step="any" value={query.get(name) ?? ""} onChange={(e) => change(name, e.currentTarget.value)} /></label>
  );
  return (
    <form class="bar" role="search" onSubmit={(e) => { e.preventDefault(); change("q", words); }}>
      {run.tasks.length > 1 && choose("task", "Task", run.tasks.map((one) => one.name))}
      {parts.length > 1 && (
        <label>Part{" "}
          <select value={query.get("part") ?? ""} onChange={(e) => changePart(e.currentTarget.value)}>
            <option value="">all</option>{parts.map((part) => <option value={part}>{plain(part)}</option>)}
          </select>
        </label>
      )}
      {choose("category", "Category", run.categories)}
      {choose("tag", "Tag", run.tags)}
      {choose("outcome", `Outcome${of}`, outcomes)}
      <span class="margins">{margin("min", `Margin${of} from`)} {margin("max", "to")}</span>
      <label>Sort{" "}
        <select value={query.get("sort") ?? ""} onChange={(e) => change("sort", e.currentTarget.value)}>
          {sorts.map(([value, title]) => <option value={value}>{title}</option>)}
        </select>
      </label>
      <label>Words <input id="words" type="search" value={words} onInput={(e) => setWords(e.currentTarget.value)} /></label>
      <button type="submit">Search</button>
      <label class="check"><input type="checkbox" checked={query.get("marked") === "1"} onChange={(e) => change("marked", e.currentTarget.checked ? "1" : "")} /> marked{of}</label>
      {[...filterNames, "sort", "page"].some((name) => query.has(name)) && <a href={clear}>clear</a>}
    </form>
  );
}

// Keys of a list: those that are not typed into a field.
export const isTyped = (event: KeyboardEvent) =>
  event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).matches("input:not([type=checkbox]),select,textarea");

// Runs side by side: who got which item right.
import { useLayoutEffect, useState } from "preact/hooks";
import { Compared, get, Row, RunDetail, RunSummary } from "./api";
import { go, goWith, link, useAddress } from "./address";
import { Filters, isTyped } from "./filters";
import { toggleMark } from "./marking";
import { itemLink, Texts } from "./run";
import { count, number, Outcome, Pages, Picture, plain, Status, Text, useAnswer, Wide } from "./show";

type Count = keyof NonNullable<Compared["counts"]>;
const ofTwo: [string, string][] = [["differ", "Only where runs differ"], ["only_first", "Only A right"], ["only_second", "Only B right"], ["both_wrong", "Both wrong"], ["both_right", "Both right"]];
const ofMore: [string, string][] = [["differ", "They differ"], ["every_right", "All right"], ["every_wrong", "All wrong"], ["only_first", "A right, B not"], ["only_second", "B right, A not"]];
const sorts: [string, string][] = [["", "margins furthest apart"], ["order", "order of A"]];
const letter = (i: number) => String.fromCharCode(65 + i);

const sameTexts = (a: Row, b: Row) => JSON.stringify(a.texts) === JSON.stringify(b.texts);
const sameFiles = (a: Row, b: Row) => JSON.stringify(a.visuals.map((one) => one.file)) === JSON.stringify(b.visuals.map((one) => one.file));

// What one run made of the item: its picture and texts where they are others than those of A, or as the model saw it.
function Answer({ row, first, i, seen, onMark }: { row: Row; first: Row; i: number; seen: boolean; onMark: () => void }) {
  const own = seen || (i > 0 && !sameFiles(row, first));
  return (
    <td>
      <b class="letter only-small">{letter(i)}</b>
      <a class="quiet" href={itemLink(row)}><Outcome outcome={row.outcome} /><div class="number">margin {number(row.margin)}</div><div class="soft small number">{row.scores.slice(0, 4).map((score) => number(score)).join(" · ")}</div></a>
      {own && <div class="pictures">{row.visuals.slice(0, 2).map((visual, place) => <Picture row={row} place={place} kind={seen ? "seen" : "small"} label={`${plain(visual.file)}${seen ? " as the model saw it" : ""}`} />)}</div>}
      {i > 0 && !sameTexts(row, first) && <Texts row={{ ...row, scores: [], answers: [] }} />}
      {row.answers.slice(0, 2).map((answer) => <div class="small"><span class="soft">answer </span><Text>{answer}</Text></div>)}
      <button class="plain small mark-one" aria-pressed={!!row.mark} aria-label={`mark ${plain(row.item)} in ${letter(i)}`} onClick={onMark}>{row.mark ? <span class="marked"><Text>{row.mark.label || row.mark.note || "annotation is wrong"}</Text></span> : "mark"}</button>
    </td>
  );
}

export function ComparePage() {
  const { query } = useAddress();
  const ids = query.getAll("runs");
  const seen = query.get("look") === "seen";
  const all = useAnswer("runs", (signal) => get<{ runs: RunSummary[] }>("runs", {}, signal));
  const { answer, problem, isLoading, set } = useAnswer(`compare ${query}`, (signal) => get<Compared>("compare", query, signal),
    (found) => (!found.index.is_ready ? 800 : found.runs.some((run) => run.verdict === "running") ? 3000 : null));
  const first = useAnswer(`first ${ids[0]} ${answer?.index.is_ready}`, (signal) => get<RunDetail>("run", { run: ids[0] ?? "" }, signal));
  const kinds = ids.length > 2 ? ofMore : ofTwo;
  const show = query.get("show") ?? "differ";
  const [at, setAt] = useState(0);
  useLayoutEffect(() => setAt(0), [query.toString()]);
  const to = (number: number) => { const next = new URLSearchParams(query); if (number) next.set("page", String(number)); else next.delete("page"); return link("/compare", next); };
  const only = (kept: string[]) => link("/compare", new URLSearchParams(kept.map((id) => ["runs", id])));
  const mark = (place: number, run: number) => toggleMark(answer!.items[place][run]).then((made) =>
    set({ ...answer!, items: answer!.items.map((rows, i) => (i === place ? rows.map((row, j) => (j === run ? { ...row, mark: made } : row)) : rows)) }));
  // With what is on show, not a frame later: whoever sees a row can press its keys.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!answer || isTyped(event)) return;
      const move = (next: number) => { setAt(next); document.querySelectorAll<HTMLElement>("tbody a.item")[next]?.focus(); };
      if (event.key === "j") move(Math.min(at + 1, answer.items.length - 1));
      else if (event.key === "k") move(Math.max(at - 1, 0));
      else if (event.key === "n" && (answer.page + 1) * answer.size < (answer.total ?? 0)) go(to(answer.page + 1));
      else if (event.key === "p" && answer.page > 0) go(to(answer.page - 1));
      else if (event.key === "/") { document.getElementById("words")?.focus(); event.preventDefault(); }
      else if (event.key === "m" && answer.items[at]) mark(at, 0);
      else if (event.key === "o" && answer.items[at]) go(itemLink(answer.items[at][0]));
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <>
      <h1>Compare</h1>
      <ul class="legend-runs">{ids.map((id, i) => <li><b class="letter">{letter(i)}</b> <a href={link("/run", { run: id })}><Text>{id}</Text></a>{answer?.runs.find((run) => run.id === id)?.verdict === "running" && <> <span class="verdict running">running</span></>}{ids.length > 2 && <> <a class="small soft" href={only(ids.filter((other) => other !== id))}>leave out</a></>}</li>)}</ul>
      {all.answer && ids.length < 6 && (
        <label>Add a run{" "}
          <select value="" onChange={(e) => { const next = new URLSearchParams(query); next.append("runs", e.currentTarget.value); next.delete("page"); next.delete("show"); go(link("/compare", next)); }}>
            <option value="">choose</option>{all.answer.runs.filter((run) => !ids.includes(run.id)).map((run) => <option value={run.id}>{plain(run.id)}</option>)}
          </select>
        </label>
      )}
      <Status problem={problem} isLoading={isLoading} />
      {answer && !answer.index.is_ready && <p class="note" role="status">Building the indexes of these runs, once.</p>}
      {first.answer && <Filters run={first.answer} query={query} sorts={sorts} clear={only(ids)} of=" in A" />}
      {answer?.counts && (
        <>
          <p class="soft">{count(answer.common ?? 0)} items in common, by task, part and item; {count(answer.counts.undecided)} without a decision in A or B.</p>
          <div class="bar" role="group" aria-label="which items">
            {kinds.map(([name, title]) => <button aria-pressed={show === name} onClick={() => goWith({ show: name, page: null })}>{title} <b>{count(answer.counts![name as Count])}</b></button>)}
            <button aria-pressed={show === "all"} onClick={() => goWith({ show: "all", page: null })}>All</button>
            <label class="check"><input type="checkbox" checked={seen} onChange={(e) => goWith({ look: e.currentTarget.checked ? "seen" : null })} /> as the models saw it</label>
          </div>
          <div class="split"><Pages page={answer.page} size={answer.size} total={answer.total ?? 0} to={to} />
            <span class="soft small">keys: j k move, o open A, m mark in A, n p page, / search</span></div>
          {answer.items.length === 0 ? <p>No item fits.</p> : (
            <Wide label="compared items">
              <table class="items compared">
                <thead><tr><th scope="col">picture</th><th scope="col">item</th><th scope="col">texts</th>{ids.map((_, i) => <th scope="col">{letter(i)}</th>)}</tr></thead>
                <tbody>{answer.items.map((rows, place) => (
                  <tr key={`${rows[0].task} ${rows[0].position}`} class={place === at ? "at" : ""}>
                    <td class="pictures">{rows[0].visuals.slice(0, 2).map((_, i) => <Picture row={rows[0]} place={i} />)}</td>
                    <th scope="row"><a class="item" href={itemLink(rows[0])} onFocus={() => setAt(place)}><Text>{rows[0].item}</Text></a><div class="soft small"><Text>{[rows[0].task, rows[0].part, rows[0].category].filter(Boolean).join(" · ")}</Text></div></th>
                    <td><Texts row={{ ...rows[0], scores: [], answers: [] }} /></td>
                    {rows.map((row, i) => <Answer row={row} first={rows[0]} i={i} seen={seen} onMark={() => mark(place, i)} />)}
                  </tr>
                ))}</tbody>
              </table>
            </Wide>
          )}
          <Pages page={answer.page} size={answer.size} total={answer.total ?? 0} to={to} />
        </>
      )}
    </>
  );
}

// The items of a run: filters, histogram of margins, list. Everything that is chosen is in the address.
import { useLayoutEffect, useState } from "preact/hooks";
import { get, Histogram, IndexState, ItemPage, RunDetail, Row } from "./api";
import { go, link, useAddress } from "./address";
import { Filters, filterNames, isTyped } from "./filters";
import { MarginHistogram } from "./histogram";
import { toggleMark } from "./marking";
import { count, Indexing, number, Outcome, Pages, Picture, plain, Status, Text, useAnswer, Value, Wide } from "./show";

const sorts: [string, string][] = [["", "order of the run"], ["margin", "margin, lowest first"], ["-margin", "margin, highest first"], ["doubt", "closest to a tie"]];

// What was answered without an index is asked again.
const whenIndexed = (found: { index: IndexState }) => (found.index.is_ready ? null : 700);

export const itemLink = (row: Row, from?: URLSearchParams) =>
  link("/item", { run: row.run, task: row.task, position: row.position, from: from && from.toString() });

export function RunPage() {
  const { query } = useAddress();
  const id = query.get("run") ?? "";
  const run = useAnswer(`run ${id}`, (signal) => get<RunDetail>("run", { run: id }, signal),
    (found) => (!found.index.is_ready ? 700 : found.verdict === "running" ? 2000 : null));
  const detail = run.answer;
  // A run in progress and a new index show themselves.
  const version = `${detail !== undefined && !detail.index.is_ready} ${detail?.verdict === "running" ? JSON.stringify(detail.tasks) : ""}`;
  const asked = new URLSearchParams([...query].filter(([name]) => ["run", "sort", "page"].includes(name) || filterNames.includes(name)));
  const page = useAnswer(`items ${asked}`, (signal) => get<ItemPage>("items", asked, signal), whenIndexed, version);
  // The bars are the same on every page and in every order.
  const narrowed = new URLSearchParams([...asked].filter(([name]) => name !== "page" && name !== "sort"));
  const bars = useAnswer(`histogram ${narrowed}`, (signal) => get<Histogram>("histogram", narrowed, signal), whenIndexed, version);
  return (
    <>
      <h1><Text>{id}</Text></h1>
      <Status problem={run.problem} isLoading={run.isLoading} />
      {detail && (
        <>
          <p class="soft">
            <Text>{detail.model}</Text>, <span class={`verdict ${detail.verdict}`}>{detail.verdict}</span>,{" "}
            {detail.tasks.map((task) => `${plain(task.name)}: ${count(task.counts.scored)} scored${task.counts.failed ? `, ${count(task.counts.failed)} failed` : ""}${task.counts.skipped ? `, ${count(task.counts.skipped)} skipped` : ""}`).join("; ")}
          </p>
          {detail.rungs.length > 0 && <p>Control rungs: {detail.rungs.map((rung, i) => <>{i > 0 && " · "}<a href={link("/run", { run: rung })}><Text>{rung.slice(rung.lastIndexOf("/") + 1)}</Text></a>{" "}<a class="small soft" href={link("/compare", new URLSearchParams([["runs", id], ["runs", rung]]))}>compare</a></>)}</p>}
          {detail.missing.map((what) => <p class="problem"><Text>{what}</Text></p>)}
          <div class="cards">{detail.headline.slice(0, 8).map((metric) => <div class="card"><div class="soft small"><Text>{metric.id}</Text></div><Value metric={metric} /><div class="soft small">n {count(metric.n)}{metric.ties ? `, ${metric.ties} ties` : ""}{metric.chance !== null ? `, chance ${(100 * metric.chance).toFixed(1)} %` : ""}</div></div>)}</div>
          <Indexing index={detail.index} />
          <Filters run={detail} query={query} sorts={sorts} clear={link("/run", { run: id })} />
        </>
      )}
      {bars.answer && bars.answer.bins.length > 0 && <MarginHistogram histogram={bars.answer} low={query.get("min")} high={query.get("max")} />}
      <Status problem={page.problem} isLoading={page.isLoading} />
      {page.answer && <ItemList page={page.answer} query={query} onChange={page.set} />}
    </>
  );
}

function ItemList({ page, query, onChange }: { page: ItemPage; query: URLSearchParams; onChange: (page: ItemPage) => void }) {
  const [at, setAt] = useState(0);
  const to = (number: number) => { const next = new URLSearchParams(query); if (number) next.set("page", String(number)); else next.delete("page"); return link("/run", next); };
  useLayoutEffect(() => setAt(0), [query.toString()]);
  // With what is on show, not a frame later: whoever sees a row can press its keys.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (isTyped(event)) return;
      const move = (next: number) => {
        setAt(next);
        document.querySelectorAll<HTMLElement>("tbody a.item")[next]?.focus();
      };
      if (event.key === "j") move(Math.min(at + 1, page.items.length - 1));
      else if (event.key === "k") move(Math.max(at - 1, 0));
      else if (event.key === "n" && (page.page + 1) * page.size < page.total) go(to(page.page + 1));
      else if (event.key === "p" && page.page > 0) go(to(page.page - 1));
      else if (event.key === "/") { document.getElementById("words")?.focus(); event.preventDefault(); }
      else if (event.key === "m" && page.items[at]) toggleMark(page.items[at]).then((mark) => onChange({ ...page, items: page.items.map((row, i) => (i === at ? { ...row, mark } : row)) }));
      else if (event.key === "o" && page.items[at]) go(itemLink(page.items[at], query));
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const download = (kind: string) => `/items.${kind}?${query}`;
  return (
    <>
      {page.is_unfiltered && <p class="note" role="status">Filters and sorting wait for the index; the items are in their order.</p>}
      <div class="split"><Pages page={page.page} size={page.size} total={page.total} to={to} />
        <span class="soft small">keys: j k move, o open, m mark, n p page, / search · <a download href={download("csv")}>CSV</a> <a download href={download("jsonl")}>JSON lines</a></span></div>
      {page.total === 0 ? <p>No item fits these filters.</p> : (
        <Wide label="items">
          <table class="items">
            <thead><tr><th scope="col">picture</th><th scope="col">item</th><th scope="col">outcome</th><th scope="col" class="number">margin</th><th scope="col">texts and scores</th></tr></thead>
            <tbody>
              {page.items.map((row, i) => (
                <tr key={`${row.task} ${row.position}`} class={i === at ? "at" : ""}>
                  <td class="pictures">{row.visuals.slice(0, 3).map((_, place) => <Picture row={row} place={place} />)}</td>
                  <th scope="row">
                    <a class="item" href={itemLink(row, query)} onFocus={() => setAt(i)}><Text>{row.item}</Text></a>
                    <div class="soft small"><Text>{[row.part, row.category].filter(Boolean).join(" · ")}</Text></div>
                    {row.mark && <div class="marked"><Text>{row.mark.annotation_is_wrong ? `annotation is wrong ${row.mark.label}` : row.mark.label || row.mark.note}</Text></div>}
                  </th>
                  <td><Outcome outcome={row.outcome} />{row.reason && <div class="small"><Text>{row.reason}</Text></div>}</td>
                  <td class="number">{number(row.margin)}</td>
                  <td><Texts row={row} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <Pages page={page.page} size={page.size} total={page.total} to={to} />
    </>
  );
}

export function Texts({ row, most = 6 }: { row: Row; most?: number }) {
  const perText = row.scores.length === row.texts.length;
  return (
    <ul class="texts">
      {row.texts.slice(0, most).map((text, i) => <li><Text>{text}</Text>{perText && <span class="soft number"> {number(row.scores[i])}</span>}</li>)}
      {row.texts.length > most && <li class="soft">and {row.texts.length - most} more</li>}
      {!perText && row.scores.length > 0 && <li class="soft number">scores {row.scores.slice(0, 8).map((score) => number(score)).join(", ")}</li>}
      {row.answers.slice(0, 3).map((answer) => <li><span class="soft">answer </span><Text>{answer}</Text></li>)}
    </ul>
  );
}

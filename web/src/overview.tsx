// All runs: a matrix of models and metrics, and the runs themselves.
import { useState } from "preact/hooks";
import { get, Metric, RunSummary } from "./api";
import { go, goWith, link, useAddress } from "./address";
import { count, Pages, plain, Status, Text, useAnswer, Value, Wide } from "./show";

const isLive = (run: RunSummary) => run.verdict === "running";
const runsPerPage = 200, modelsPerPage = 200, mostMetrics = 40;
const columns: Record<string, (run: RunSummary) => string> = {
  run: (run) => run.id, model: (run) => run.model, state: (run) => run.verdict, finished: (run) => run.finished ?? "",
};

export function OverviewPage() {
  const { query } = useAddress();
  const [chosen, setChosen] = useState<string[]>([]);
  const { answer, problem, isLoading } = useAnswer(
    "runs",
    (signal) => get<{ runs: RunSummary[] }>("runs", {}, signal),
    // Runs that begin later show themselves too.
    (found) => (!document.hidden && found.runs.some(isLive) ? 2000 : 6000),
  );
  const words = (query.get("q") ?? "").toLowerCase();
  const runs = (answer?.runs ?? []).filter((run) => `${run.id} ${run.model}`.toLowerCase().includes(words));
  const order = query.get("order") ?? "", column = columns[order.replace(/^-/, "")];
  const sorted = column ? [...runs].sort((a, b) => (order.startsWith("-") ? -1 : 1) * column(a).localeCompare(column(b))) : runs;
  const page = Math.min(Number(query.get("page") ?? 0), Math.max(0, Math.ceil(sorted.length / runsPerPage) - 1));
  const to = (number: number) => { const next = new URLSearchParams(query); if (number) next.set("page", String(number)); else next.delete("page"); return link("/", next); };
  const heading = (name: string, title: string) => (
    <th scope="col" aria-sort={order === name ? "ascending" : order === `-${name}` ? "descending" : "none"}>
      <button class="plain" onClick={() => goWith({ order: order === name ? `-${name}` : name, page: null })}>{title}{order === name ? " ▲" : order === `-${name}` ? " ▼" : ""}</button>
    </th>
  );
  const compare = () => go(`/compare?${new URLSearchParams(chosen.map((id) => ["runs", id]))}`);
  return (
    <>
      <h1>Runs</h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer && (
        <>
          <div class="bar">
            <label>Find <input type="search" value={query.get("q") ?? ""} onInput={(e) => goWith({ q: e.currentTarget.value, page: null }, true)} /></label>
            <button disabled={chosen.length < 2} onClick={compare}>Compare {chosen.length > 0 ? chosen.length : ""} runs</button>
            <span class="soft">{runs.length} of {answer.runs.length} runs; tick two or more to compare them</span>
          </div>
          <Matrix runs={runs} />
          <h2>Run folders</h2>
          <Wide label="run folders">
            <table>
              <thead><tr><th scope="col"><span class="hidden">compare</span></th>{heading("run", "run")}{heading("model", "model")}{heading("state", "state")}{heading("finished", "finished")}<th scope="col">headline</th></tr></thead>
              <tbody>
                {sorted.slice(page * runsPerPage, (page + 1) * runsPerPage).map((run) => (
                  <tr key={run.id}>
                    <td><input type="checkbox" aria-label={`compare ${plain(run.id)}`} checked={chosen.includes(run.id)}
                      onChange={(e) => setChosen(e.currentTarget.checked ? [...chosen, run.id].slice(-6) : chosen.filter((id) => id !== run.id))} /></td>
                    <th scope="row"><a href={link("/run", { run: run.id })}><Text>{run.id}</Text></a></th>
                    <td><Text>{run.model}</Text></td>
                    <td><span class={`verdict ${run.verdict}`}>{run.verdict}</span>{run.missing.map((what) => <div class="problem"><Text>{what}</Text></div>)}</td>
                    <td class="number">{(run.finished ?? "").replace("T", " ").replace(/:\d\dZ$/, "")}</td>
                    <td>{run.headline.slice(0, 2).map((metric) => <div><span class="soft"><Text>{metric.id.split("/").slice(1).join("/") || metric.id}</Text></span> <Value metric={metric} /></div>)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
          {sorted.length > runsPerPage && <Pages page={page} size={runsPerPage} total={sorted.length} to={to} />}
        </>
      )}
    </>
  );
}

// Model by metric; a click on a heading sorts by it, which the address keeps.
function Matrix({ runs }: { runs: RunSummary[] }) {
  const { query } = useAddress();
  const every = [...new Set(runs.flatMap((run) => run.headline.map((metric) => metric.id)))];
  const tasks = [...new Set(every.map((id) => id.split("/")[0]))].sort();
  const fitting = every.filter((id) => !query.get("task") || id.split("/")[0] === query.get("task"));
  const ids = fitting.slice(0, mostMetrics);
  const cells = new Map<string, Map<string, { metric: Metric; run: string }>>();
  for (const run of runs) {
    const row = cells.get(run.model) ?? new Map();
    for (const metric of run.headline) if (!row.has(metric.id)) row.set(metric.id, { metric, run: run.id });
    cells.set(run.model, row);
  }
  const sort = query.get("sort") ?? "", column = sort.replace(/^-/, ""), turned = sort.startsWith("-");
  const models = [...cells.keys()].sort((a, b) => {
    const of = (model: string) => cells.get(model)!.get(column)?.metric.value ?? -Infinity;
    const order = column ? of(b) - of(a) : a.localeCompare(b);
    return (turned ? -order : order) || a.localeCompare(b);
  });
  if (every.length === 0) return null;
  return (
    <>
    {tasks.length > 1 && <div class="bar"><label>Metrics of <select value={query.get("task") ?? ""} onChange={(e) => goWith({ task: e.currentTarget.value })}>
      <option value="">all tasks</option>{tasks.map((task) => <option value={task}>{plain(task)}</option>)}</select></label>
      {fitting.length > ids.length && <span class="soft">the first {ids.length} of {count(fitting.length)} metrics; choose a task to see its own</span>}</div>}
    {models.length > modelsPerPage && <p class="soft">The first {modelsPerPage} of {count(models.length)} models in this order; find others by name.</p>}
    <Wide label="models and metrics">
      <table class="matrix">
        <caption>Headline metrics with 95 % intervals; a heading sorts by its column</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort={column ? "none" : "ascending"}><button class="plain" onClick={() => goWith({ sort: null })}>model</button></th>
            {ids.map((id) => (
              <th scope="col" aria-sort={column === id ? (turned ? "ascending" : "descending") : "none"}>
                <button class="plain" onClick={() => goWith({ sort: column === id && !turned ? `-${id}` : id })}>
                  <span class="soft"><Text>{id.split("/")[0]}</Text></span><br /><Text>{id.split("/").slice(1).join("/")}</Text>{column === id ? (turned ? " ▲" : " ▼") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.slice(0, modelsPerPage).map((model) => (
            <tr key={model}>
              <th scope="row"><Text>{model}</Text></th>
              {ids.map((id) => {
                const cell = cells.get(model)!.get(id);
                return <td>{cell && <a class="quiet" href={link("/run", { run: cell.run })}><Value metric={cell.metric} />
                  <span class="soft small"> n {count(cell.metric.n)}{cell.metric.chance !== null ? `, chance ${(100 * cell.metric.chance).toFixed(0)} %` : ""}</span></a>}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
    </>
  );
}

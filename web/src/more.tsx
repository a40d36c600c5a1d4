// Failures by reason, the stamp, figures and marks of a run.
import { Failures, FigureFacts, get, Mark, RunDetail } from "./api";
import { link, useAddress } from "./address";
import { itemLink } from "./run";
import { count, plain, Status, Text, useAnswer, Value, Wide } from "./show";

const mostMetrics = 2000;
const useRun = () => useAddress().query.get("run") ?? "";

export function FailuresPage() {
  const run = useRun();
  const { answer, problem, isLoading } = useAnswer(`failures ${run}`, (signal) => get<Failures>("failures", { run }, signal),
    (found) => (found.verdict === "running" ? 6000 : null));
  const outcomes = [...new Set(answer?.groups.flatMap((group) => group.items.map((row) => row.outcome)))].sort();
  return (
    <>
      <h1>Failures of <Text>{run}</Text></h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer && (answer.total === 0 ? <p>{answer.verdict === "running" ? "No item failed so far." : "Every item was scored."}</p> : <p class="soft">{count(answer.total)} items were not scored{answer.verdict === "running" && " so far"}.{outcomes.map((outcome) => <> <a href={link("/run", { run, outcome })}>List those that {outcome === "failed" ? "failed" : "were skipped"}</a></>)}</p>)}
      {answer?.groups.map((group) => (
        <section class="reason">
          <h2>{count(group.count)} × <Text>{group.reason}</Text></h2>
          {group.hint && <p class="soft"><Text>{group.hint}</Text></p>}
          <ul>{group.items.map((row) => <li><a href={itemLink(row)}><Text>{row.item}</Text></a> <span class="soft"><Text>{[row.reason, row.where].filter(Boolean).join(": ")}</Text></span></li>)}</ul>
        </section>
      ))}
    </>
  );
}

export function StampPage() {
  const run = useRun();
  const { answer, problem, isLoading } = useAnswer(`stamp ${run}`, (signal) => get<RunDetail>("run", { run }, signal),
    (found) => (found.verdict === "running" ? 3000 : null));
  return (
    <>
      <h1>Stamp of <Text>{run}</Text></h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer && (
        <>
          <h2>Metrics</h2>
          <Wide label="metrics"><table><thead><tr><th scope="col">metric</th><th scope="col">value</th><th scope="col" class="number">n</th><th scope="col" class="number">ties</th><th scope="col" class="number">chance</th><th scope="col">note</th></tr></thead>
            <tbody>{answer.metrics.slice(0, mostMetrics).map((metric) => <tr><th scope="row"><Text>{metric.id}</Text></th><td><Value metric={metric} /></td><td class="number">{count(metric.n)}</td><td class="number">{count(metric.ties)}</td><td class="number">{metric.chance === null ? "" : metric.chance.toFixed(3)}</td><td><Text>{metric.reason}</Text></td></tr>)}</tbody></table></Wide>
          {answer.metrics.length > mostMetrics && <p class="soft">The first {count(mostMetrics)} of {count(answer.metrics.length)} metrics; results.json holds all.</p>}
          <h2>run.json</h2>
          <pre tabIndex={0} aria-label="run.json">{plain(JSON.stringify(answer.stamp, null, 1))}</pre>
        </>
      )}
    </>
  );
}

export function FiguresPage() {
  const { query } = useAddress();
  const runs = new URLSearchParams([...query].filter(([name]) => name === "run" || name === "runs").map(([, id]) => ["runs", id]));
  const { answer, problem, isLoading } = useAnswer(`figures ${runs}`, (signal) => get<{ figures: FigureFacts[] }>("figures", runs, signal));
  return (
    <>
      <h1>Figures</h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer?.figures.length === 0 && <p>There is no figure for what this run measured.</p>}
      {answer?.figures.map((figure) => (
        <figure class="drawn"><h2><Text>{figure.title}</Text></h2><img src={`/figure.svg?${runs}&name=${encodeURIComponent(figure.name)}`} alt={plain(figure.title)} /><figcaption><Text>{figure.caption}</Text></figcaption></figure>
      ))}
    </>
  );
}

export function MarksPage() {
  const run = useRun();
  const { answer, problem, isLoading } = useAnswer(`marks ${run}`, (signal) => get<{ file: string; marks: (Mark & { task: string; item: string })[] }>("marks", { run }, signal));
  const at = new URLSearchParams({ run });
  return (
    <>
      <h1>Marks on <Text>{run}</Text></h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer && (
        <>
          <p class="soft">{answer.marks.length} marked items, kept in <Text>{answer.file}</Text> beside the run. <a href={link("/run", { run, marked: "1" })}>List them</a> · <a download href={`/marks.csv?${at}`}>CSV</a> · <a download href={`/marks.jsonl?${at}`}>as a file: task</a></p>
          {answer.marks.length > 0 && <Wide label="marks"><table><thead><tr><th scope="col">item</th><th scope="col">label</th><th scope="col">note</th><th scope="col">annotation</th></tr></thead>
            <tbody>{answer.marks.map((mark) => <tr><th scope="row"><Text>{mark.item}</Text></th><td><Text>{mark.label}</Text></td><td><Text>{mark.note}</Text></td><td>{mark.annotation_is_wrong ? "is wrong" : ""}</td></tr>)}</tbody></table></Wide>}
        </>
      )}
    </>
  );
}

// One item: the picture as the model saw it beside the original, all texts with scores, the decision, the same
// picture elsewhere, and all control rungs in a row.
import { useLayoutEffect } from "preact/hooks";
import { get, Item } from "./api";
import { go, link, useAddress } from "./address";
import { Clip } from "./clip";
import { isTyped } from "./filters";
import { MarkForm } from "./marking";
import { itemLink } from "./run";
import { number, Outcome, Picture, plain, Status, Text, useAnswer, Wide } from "./show";

export function ItemPage() {
  const { query } = useAddress();
  const fields = { run: query.get("run") ?? "", task: query.get("task") ?? "", position: query.get("position") ?? "0" };
  const { answer: item, problem, isLoading, set } = useAnswer(`item ${JSON.stringify(fields)}`, (signal) => get<Item>("item", fields, signal));
  const back = query.get("from") ?? new URLSearchParams({ run: fields.run }).toString();
  const move = (by: number) => go(link("/item", { ...fields, position: Number(fields.position) + by, from: query.get("from") }));
  // With what is on show, not a frame later: whoever sees a row can press its keys.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (isTyped(event)) return;
      if (event.key === "ArrowRight" || event.key === "j") move(1);
      else if ((event.key === "ArrowLeft" || event.key === "k") && Number(fields.position) > 0) move(-1);
      else if (event.key === "u") go(`/run?${back}`);
      else if (event.key === "m") document.querySelector<HTMLInputElement>("form.mark input")?.focus(), event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <>
      <p class="split"><a href={`/run?${back}`}>‹ all items</a><span class="soft small">keys: ← → move, u up, m mark</span>
        <span>{Number(fields.position) > 0 && <a href={link("/item", { ...fields, position: Number(fields.position) - 1, from: query.get("from") })}>‹ previous</a>}{" "}
          <a href={link("/item", { ...fields, position: Number(fields.position) + 1, from: query.get("from") })}>next ›</a></span></p>
      <Status problem={problem} isLoading={isLoading} />
      {item && <Shown key={`${item.run} ${item.task} ${item.position}`} item={item} onMarked={(mark) => set({ ...item, mark })} />}
    </>
  );
}

function Shown({ item, onMarked }: { item: Item; onMarked: (mark: Item["mark"] & {} | null) => void }) {
  const scores = new Map(item.pairs.map((pair) => [`${pair.visual} ${pair.text}`, pair.score]));
  return (
    <>
      <h1><Text>{item.item}</Text></h1>
      <p><Outcome outcome={item.outcome} /> <span class="soft">margin {number(item.margin, 4)} · <Text>{[item.task, item.part, item.category].filter(Boolean).join(" · ")}</Text>{item.ties ? ` · ${item.ties} ties` : ""}</span></p>
      {item.error && <p class="problem"><Text>{[item.error.what, item.error.where, item.error.hint].filter(Boolean).join(": ")}</Text></p>}
      <MarkForm row={item} onMarked={onMarked} />
      {item.visuals.map((visual, place) => (
        <section class="visual" aria-label={`visual ${place + 1}`}>
          {visual.kind === "clip" ? <Clip item={item} place={place} /> : (
            <figure><Picture row={item} place={place} kind="original" /><figcaption>original <span class="soft"><Text>{visual.file}</Text></span></figcaption></figure>
          )}
          {visual.kind === "image" && <figure class="seen"><Picture row={item} place={place} kind="seen" label={`as the model saw ${plain(visual.file)}`} /><figcaption>as the model saw it</figcaption></figure>}
        </section>
      ))}
      {item.visuals.length === 0 && <p class="soft">The log names no picture.</p>}
      <h2>Texts and scores</h2>
      {item.texts.length === 0 && <p class="soft">No text was recorded.</p>}
      <Wide label="texts and scores">
        <table>
          <thead><tr><th scope="col">text</th>{item.visuals.map((_, place) => <th scope="col" class="number">{item.visuals.length > 1 ? `score with picture ${place + 1}` : "score"}</th>)}{item.visuals.length === 0 && <th scope="col" class="number">score</th>}</tr></thead>
          <tbody>{item.texts.slice(0, 400).map((text, i) => (
            <tr><th scope="row" class="long"><Text>{text}</Text></th>
              {item.visuals.length === 0 ? <td class="number">{number(item.scores[i] ?? null, 4)}</td>
                : item.visuals.map((_, place) => <td class="number">{number(scores.get(`${place} ${i}`) ?? null, 4)}</td>)}</tr>
          ))}</tbody>
        </table>
      </Wide>
      {item.answers.length > 0 && <><h2>Answers</h2><ul>{item.answers.map((answer) => <li><Text>{answer}</Text></li>)}</ul></>}
      {item.values.length > 0 && <><h2>What it counts for</h2><dl class="values">{item.values.map((value) => <div><dt><Text>{value.name}</Text></dt><dd>{number(value.value, 4)}</dd></div>)}</dl></>}
      {item.rungs.length > 1 && (
        <><h2>Control rungs</h2><p class="soft">The same item with its picture changed, same model; pictures as the model saw them.</p>
          <ul class="rungs" aria-label="control rungs">{item.rungs.map((rung) => (
            <li class={rung.visuals[0]?.kind === "clip" ? "clip" : ""}><a class="quiet" href={itemLink(rung)}>{rung.visuals.slice(0, 2).map((_, place) => <Picture row={rung} place={place} kind="seen" label={`${plain(rung.rung ?? rung.task)}: as the model saw it`} />)}
              <div><b><Text>{rung.rung ?? rung.task}</Text></b></div><Outcome outcome={rung.outcome} /> <span class="soft">margin {number(rung.margin)}</span></a></li>
          ))}</ul></>
      )}
      {item.same_visual.length > 0 && (
        <><h2>Other items of the same picture</h2>
          <ul class="same" aria-label="other items of the same picture">{item.same_visual.map((other) => <li><Outcome outcome={other.outcome} /> <a href={itemLink(other)}><Text>{other.item}</Text></a> <span class="soft"><Text>{other.texts.slice(0, 2).join(" / ")}</Text></span></li>)}</ul></>
      )}
      {item.details !== undefined && <details><summary>Details</summary><pre>{plain(JSON.stringify(item.details, null, 1))}</pre></details>}
    </>
  );
}

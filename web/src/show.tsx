// Small pieces that all pages use. Texts of runs are untrusted: they are only ever text nodes, and characters
// that move the cursor or turn the direction are made visible.
import { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { IndexState, Metric, Refused, Row, pictureAddress } from "./api";

const unfit = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
export const plain = (text: string) => text.replace(unfit, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
export const Text = ({ children }: { children: string }) => <bdi>{plain(children ?? "")}</bdi>;

export const number = (value: number | null, digits = 3) => (value === null || value === undefined ? "–" : value.toFixed(digits));
export const count = (value: number) => value.toLocaleString("en");

export function isShare(metric: Metric) {
  return metric.value !== null && metric.value >= 0 && metric.value <= 1 && (metric.high ?? 1) <= 1 && (metric.low ?? 0) >= 0;
}
export function Value({ metric }: { metric: Metric }) {
  if (metric.value === null) return <span class="soft">undefined</span>;
  const share = isShare(metric);
  const shown = (value: number) => (share ? (100 * value).toFixed(1) : value.toFixed(3));
  return (
    <span class="value">
      <b>{shown(metric.value)}{share ? " %" : ""}</b>
      {metric.low !== null && metric.high !== null && <span class="soft"> {shown(metric.low)} – {shown(metric.high)}</span>}
    </span>
  );
}

const marks: Record<string, string> = { right: "✓", wrong: "✗", tie: "=", undecided: "?", failed: "!", skipped: "–" };
export const Outcome = ({ outcome }: { outcome: string }) => (
  <span class={`outcome ${outcome}`}><span aria-hidden="true">{marks[outcome] ?? "?"}</span> {outcome}</span>
);

export function Picture({ row, place, kind = "small", label }: { row: Row; place: number; kind?: "small" | "original" | "seen"; label?: string }) {
  const [problem, setProblem] = useState(false);
  const address = pictureAddress(row, place, kind);
  useLayoutEffect(() => setProblem(false), [address]);  // not a frame later, when the picture may have failed already
  const name = label ?? plain(row.visuals[place]?.file || row.visuals[place]?.name || "picture");
  if (problem || row.visuals[place]?.kind === "none") return <span class="no-picture" role="img" aria-label={`no picture: ${name}`}>no picture</span>;
  return <img src={address} alt={name} loading="lazy" decoding="async" onError={() => setProblem(true)} />;
}

const afterProblem = 3000;

// Asks again when the key changes; `every` milliseconds too, where given, and when the version changes: then what is
// asked already is waited for, so that a slow answer comes however often that happens. The last answer stays on show
// until the next is there; isLoading says from the first moment on that it is not of this key.
export function useAnswer<T>(key: string, ask: (signal: AbortSignal) => Promise<T>, every?: (answer: T) => number | null, version = "") {
  const [state, set] = useState<{ key?: string; answer?: T; problem?: string }>({});
  const latest = useRef({ ask, version });
  latest.current = { ask, version };
  const update = useRef(() => {});
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = "", isAsking = false, wasAnswered = false;
    const next = (wait: number | null | undefined) => {
      isAsking = false;
      if (asked !== latest.current.version) load();
      else if (wait) timer = setTimeout(load, wait);
    };
    const load = () => {
      clearTimeout(timer);
      asked = latest.current.version;
      isAsking = true;
      latest.current.ask(control.signal).then(
        (answer) => {
          if (control.signal.aborted) return;
          set({ key, answer });
          wasAnswered = true;
          next(every?.(answer));
        },
        (error) => {
          if (control.signal.aborted) return;
          set((old) => ({ key, answer: old.key === key ? old.answer : undefined, problem: String(error.message ?? error) }));
          // What updates itself goes on doing so when the server was away for a moment; what never was there is not asked for again.
          next(every && (wasAnswered || !(error instanceof Refused)) ? afterProblem : null);
        },
      );
    };
    update.current = () => { if (!isAsking && asked !== latest.current.version) load(); };
    load();
    return () => { control.abort(); clearTimeout(timer); };
  }, [key]);
  useEffect(() => update.current(), [version]);
  return { answer: state.answer, problem: state.key === key ? state.problem : undefined, isLoading: state.key !== key, set: (answer: T) => set({ key, answer }) };
}

export function Status({ problem, isLoading }: { problem?: string; isLoading: boolean }) {
  return (
    <div aria-live="polite" aria-busy={isLoading} class="status">
      {problem ? <p class="problem" role="alert"><Text>{problem}</Text></p> : isLoading ? <p class="soft">loading</p> : null}
    </div>
  );
}

export function Indexing({ index }: { index: IndexState }) {
  if (index.is_ready) return null;
  const total = index.total ?? 0, done = index.done ?? 0;
  return (
    <p class="note" role="status">
      Building the index of this run, once: {count(done)} of {count(total)} items. Until it is there the items are listed in their order.{" "}
      <progress max={Math.max(total, 1)} value={done} aria-label="index" />
    </p>
  );
}

export function Pages({ page, size, total, to }: { page: number; size: number; total: number; to: (page: number) => string }) {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const first = total === 0 ? 0 : page * size + 1;
  return (
    <nav class="pages" aria-label="pages">
      {page > 0 ? <a href={to(0)}>« first</a> : <span class="soft">« first</span>}
      {page > 0 ? <a rel="prev" href={to(page - 1)}>‹ previous</a> : <span class="soft">‹ previous</span>}
      <span>{count(first)} – {count(Math.min(total, (page + 1) * size))} of {count(total)}</span>
      {page < last ? <a rel="next" href={to(page + 1)}>next ›</a> : <span class="soft">next ›</span>}
      {page < last ? <a href={to(last)}>last »</a> : <span class="soft">last »</span>}
    </nav>
  );
}

export const Wide = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="wide" tabIndex={0} role="region" aria-label={label}>{children}</div>
);

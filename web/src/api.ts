// What the server tells, and how it is asked. Nothing else talks to it.
export interface Metric { id: string; value: number | null; low: number | null; high: number | null; n: number; ties: number; chance: number | null; reason: string }
export interface RunSummary {
  id: string; name: string; model: string; verdict: string; started: string | null; finished: string | null;
  headline: Metric[]; missing: string[]; rungs: string[];
}
export interface TaskFacts { name: string; parts: { name: string; num_items: number }[]; counts: { total: number; scored: number; failed: number; skipped: number } }
export interface IndexState { is_ready: boolean; done?: number; total?: number }
export interface RunDetail extends RunSummary {
  stamp: unknown; num_items: number; tasks: TaskFacts[]; metrics: Metric[]; index: IndexState;
  categories: string[]; tags: string[]; num_marks: number;
}
export interface Visual { name: string; file: string; kind: "image" | "clip" | "none"; frame_seconds?: number[] }
export interface Mark { label: string; note: string; annotation_is_wrong: boolean }
export interface Row {
  run: string; task: string; part: string; position: number; item: string; category: string; outcome: string;
  margin: number | null; texts: string[]; scores: (number | null)[]; answers: string[]; visuals: Visual[];
  reason?: string; where?: string; mark?: Mark | null; rung?: string;
}
export interface Item extends Row {
  values: { name: string; value: number | null }[];
  pairs: { visual: number; text: number; score: number | null }[];
  clusters: string[]; ties: number; details?: unknown; error?: { what: string; where: string; hint: string };
  same_visual: Row[]; rungs: Row[];
}
export interface ItemPage { page: number; size: number; total: number; items: Row[]; index: IndexState; is_unfiltered?: boolean }
export interface Histogram { bins: { low: number; high: number; right: number; wrong: number; others: number }[]; ties?: number; undefined?: number; index: IndexState }
export interface Compared {
  page: number; size: number; total?: number; common?: number; index: IndexState; items: Row[][];
  runs: { id: string; model: string; verdict: string; num_items: number }[];
  counts?: { both_right: number; both_wrong: number; only_first: number; only_second: number; undecided: number; differ: number; every_right: number; every_wrong: number };
}
export interface Failures { total: number; verdict: string; groups: FailureGroup[] }
export interface FailureGroup { reason: string; hint: string; count: number; items: Row[] }
export interface Training {
  name: string; steps: number[]; losses: (number | null)[];
  probes: { name: string; steps: number[]; values: (number | null)[]; low: (number | null)[]; high: (number | null)[] }[];
}
export interface FigureFacts { name: string; title: string; caption: string }

// What was asked for is not there, or was asked wrongly: asking again changes nothing.
export class Refused extends Error {}

async function read(response: Response) {
  if (response.ok) return response.json();
  const body = await response.json().catch(() => ({}));
  const error = body.error ?? {};
  const what = [error.where, error.what ?? response.statusText, error.hint].filter(Boolean).join(": ");
  throw response.status < 500 ? new Refused(what) : new Error(what);
}

export async function get<T>(path: string, fields: URLSearchParams | Record<string, string | number>, signal?: AbortSignal): Promise<T> {
  const query = fields instanceof URLSearchParams ? fields : new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)]));
  return read(await fetch(`/api/${path}?${query}`, { signal }));
}

export async function setMark(row: Row, mark: Mark): Promise<{ mark: Mark | null }> {
  const body = JSON.stringify({ run: row.run, task: row.task, position: row.position, ...mark });
  return read(await fetch("/api/mark", { method: "POST", body, headers: { "Content-Type": "application/json" } }));
}

export function pictureAddress(row: Row, place: number, kind: "small" | "original" | "seen" | "clip"): string {
  return `/picture?${new URLSearchParams({ run: row.run, task: row.task, position: String(row.position), place: String(place), kind })}`;
}

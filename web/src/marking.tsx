// A person's note on an item: a label, a note, "the annotation is wrong".
import { useState } from "preact/hooks";
import { Mark, Row, setMark } from "./api";

const none: Mark = { label: "", note: "", annotation_is_wrong: false };

export function MarkForm({ row, onMarked }: { row: Row; onMarked: (mark: Mark | null) => void }) {
  const [mark, set] = useState<Mark>(row.mark ?? none);
  const [said, say] = useState("");
  const save = (changed: Mark) => {
    set(changed);
    setMark(row, { label: changed.label, note: changed.note, annotation_is_wrong: changed.annotation_is_wrong }).then(
      (done) => { say("kept"); onMarked(done.mark); }, (error) => say(String(error.message)));
  };
  return (
    <form class="mark" onSubmit={(e) => { e.preventDefault(); save(mark); }}>
      <label>Label <input value={mark.label} maxLength={200} onInput={(e) => set({ ...mark, label: e.currentTarget.value })} /></label>
      <label>Note <input class="long" value={mark.note} maxLength={2000} onInput={(e) => set({ ...mark, note: e.currentTarget.value })} /></label>
      <label class="check"><input type="checkbox" checked={mark.annotation_is_wrong} onChange={(e) => save({ ...mark, annotation_is_wrong: e.currentTarget.checked })} /> annotation is wrong</label>
      <button type="submit">Keep</button>
      {row.mark && <button type="button" onClick={() => save(none)}>Take back</button>}
      <span role="status" class="soft">{said}</span>
    </form>
  );
}

// With the key m: marks or unmarks at once.
export function toggleMark(row: Row): Promise<Mark | null> {
  const marked = row.mark ? none : { ...none, label: "marked" };
  return setMark(row, marked).then((done) => done.mark);
}

// A clip that plays, with the frames that the model was shown marked on its length.
import { useRef, useState } from "preact/hooks";
import { Item, pictureAddress } from "./api";
import { Picture, plain, Text } from "./show";

const width = 560;

export function Clip({ item, place }: { item: Item; place: number }) {
  const visual = item.visuals[place];
  const player = useRef<HTMLVideoElement>(null);
  const [length, setLength] = useState(0);
  const [problem, setProblem] = useState(false);
  const seconds = visual.frame_seconds ?? [];
  const end = Math.max(length, ...seconds, 0.001);
  const jump = (at: number) => { if (player.current) { player.current.pause(); player.current.currentTime = at; } };
  return (
    <>
      <figure>
        {problem ? <Picture row={item} place={place} kind="small" label={`a frame of ${plain(visual.file)}`} /> : (
          <video ref={player} controls preload="metadata" src={pictureAddress(item, place, "clip")} aria-label={plain(visual.file)}
            onLoadedMetadata={(e) => setLength(e.currentTarget.duration || 0)} onError={() => setProblem(true)} />
        )}
        {seconds.length > 0 && (
          <svg class="frames" viewBox={`0 0 ${width} 26`} role="group" aria-label="frames that the model was shown">
            <line class="axis" x1={0} x2={width} y1={20} y2={20} />
            {seconds.map((at, i) => {
              const name = `frame ${i + 1} of ${seconds.length}, at ${at.toFixed(2)} s`;
              const x = 6 + (at / end) * (width - 12);
              return (
                <g role="button" tabindex={0} aria-label={name} onClick={() => jump(at)} onKeyDown={(e) => { if (e.key === "Enter" || e.key === " ") { jump(at); e.preventDefault(); } }}>
                  <title>{name}</title><rect class="hit" x={x - 6} y={0} width={12} height={26} /><path class="frame" d={`M${x - 5} 4h10l-5 13z`} />
                </g>
              );
            })}
          </svg>
        )}
        <figcaption><Text>{visual.file}</Text>{problem ? ": it cannot be played here" : seconds.length > 0 ? `; ${seconds.length} frames were shown to the model (the marks)` : "; which frames the model was shown was not kept"}</figcaption>
      </figure>
      {seconds.length > 0 && <figure class="strip"><Picture row={item} place={place} kind="seen" label={`the frames of ${plain(visual.file)} as the model saw them`} /><figcaption>as the model saw them</figcaption></figure>}
    </>
  );
}

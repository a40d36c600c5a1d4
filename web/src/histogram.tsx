// Margins of the items that pass the filters: dragging over them, a click on a bar, or Enter on it narrows to it.
import { useState } from "preact/hooks";
import uPlot from "uplot";
import { Histogram } from "./api";
import { goWith } from "./address";
import { axis, colour, Plot } from "./plot";
import { count } from "./show";

const height = 190;

export function MarginHistogram({ histogram, low, high }: { histogram: Histogram; low: string | null; high: string | null }) {
  const { bins } = histogram;
  const [area, setArea] = useState<{ left: number; top: number; width: number; height: number }>();
  const begin = bins[0].low, end = bins[bins.length - 1].high, step = (end - begin) / bins.length;
  const chosen = low !== null || high !== null;
  const from = Number(low ?? -Infinity), to = Number(high ?? Infinity);
  const choose = (first: number, last: number) => goWith({ min: String(bins[first].low), max: String(bins[last].high), page: null });
  const binAt = (margin: number) => Math.min(bins.length - 1, Math.max(0, Math.floor((margin - begin) / step)));
  const total = bins.map((bin) => bin.right + bin.wrong + bin.others), right = bins.map((bin) => bin.right);
  const name = (i: number) => `${bins[i].low.toPrecision(3)} to ${bins[i].high.toPrecision(3)}: ${count(total[i])} items, ${count(right[i])} right`;
  const options = (): Omit<uPlot.Options, "width"> => {
    const bars = uPlot.paths.bars!({ size: [0.92, 200] });
    const x = (plot: uPlot, margin: number) => plot.valToPos(margin, "x", true);
    return {
      height, padding: [8, 12, 0, 0],
      scales: { x: { time: false, range: () => [begin, end] }, y: { range: (_plot, _low, most) => [0, Math.max(1, most * 1.05)] } },
      axes: [axis(), { ...axis(), size: 56, values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? count(value) : "")) }],
      series: [
        { label: "margin", value: (_plot, _value, _series, i) => (i === null ? "–" : `${bins[i].low.toPrecision(3)} to ${bins[i].high.toPrecision(3)}`) },
        { label: "wrong, tied or undecided", paths: bars, points: { show: false }, fill: colour("--wrong"), value: (_plot, _value, _series, i) => (i === null ? "–" : count(total[i] - right[i])) },
        { label: "right", paths: bars, points: { show: false }, fill: colour("--right"), value: (_plot, _value, _series, i) => (i === null ? "–" : count(right[i])) },
      ],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      hooks: {
        drawClear: [(plot) => {
          const { ctx, bbox } = plot;
          ctx.save();
          if (chosen) {
            ctx.fillStyle = colour("--at");
            const left = Math.max(bbox.left, x(plot, Math.max(from, begin)));
            ctx.fillRect(left, bbox.top, Math.min(bbox.left + bbox.width, x(plot, Math.min(to, end))) - left, bbox.height);
          }
          if (begin <= 0 && end >= 0) {
            ctx.fillStyle = colour("--tie");
            ctx.fillRect(x(plot, 0) - 2 * devicePixelRatio, bbox.top, 4 * devicePixelRatio, bbox.height);
          }
          ctx.restore();
        }],
        setSelect: [(plot) => { if (plot.select.width > 0) choose(binAt(plot.posToVal(plot.select.left, "x")), binAt(plot.posToVal(plot.select.left + plot.select.width, "x"))); }],
      },
    };
  };
  return (
    <figure class="histogram">
      <figcaption>
        Margins: score of the right choice less the best other. {count(histogram.ties ?? 0)} ties (the grey band){histogram.undefined ? `, ${count(histogram.undefined)} without a margin` : ""}. Drag over the bars, or choose one, to see its items.{" "}
        {chosen && <button class="plain" onClick={() => goWith({ min: null, max: null, page: null })}>show all margins</button>}
      </figcaption>
      <div class="plotted" onClick={(e) => {
        // Not what ends a drag.
        const over = (e.target as Element).closest(".u-over");
        if (over && !over.querySelector<HTMLElement>(".u-select")?.offsetWidth) choose(...([binAt(begin + ((e.clientX - over.getBoundingClientRect().left) / over.clientWidth) * (end - begin))].flatMap((i) => [i, i]) as [number, number]));
      }}>
        <Plot label="histogram of margins" drawn={JSON.stringify([histogram, low, high])} options={options} data={[bins.map((bin) => (bin.low + bin.high) / 2), total, right]}
          onReady={(plot) => { const ratio = devicePixelRatio, { left, top, width, height } = plot.bbox; setArea({ left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio }); }} />
        {area && (
          // By keyboard and for readers of the screen: a button on every bar.
          <ul class="bins" aria-label="margins" style={area}>
            {bins.map((_bin, i) => <li><button aria-label={name(i)} aria-pressed={chosen && from <= bins[i].low + 1e-12 && to >= bins[i].high - 1e-12} onClick={(e) => { e.stopPropagation(); choose(i, i); }} /></li>)}
          </ul>
        )}
      </div>
    </figure>
  );
}

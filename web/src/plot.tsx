// uPlot where a person drags, zooms or hovers. Its styles are set through the DOM, which the policy allows.
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const axis = (): uPlot.Axis => ({
  stroke: colour("--soft"), font: "12px system-ui, sans-serif", grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 },
});

// Drawn anew when the key changes, the page gets another width, or light becomes dark.
export function Plot({ label, drawn, options, data, onReady }: {
  label: string; drawn: string; options: () => Omit<uPlot.Options, "width">; data: uPlot.AlignedData; onReady?: (plot: uPlot) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let plot: uPlot | undefined;
    const width = () => Math.max(240, place.current!.clientWidth);
    const draw = () => {
      plot?.destroy();
      plot = new uPlot({ ...options(), width: width() }, data, place.current!);
      onReady?.(plot);
    };
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const watcher = new ResizeObserver(() => {
      if (!plot || plot.width === width()) return;
      plot.setSize({ width: width(), height: plot.height });
      onReady?.(plot);
    });
    watcher.observe(place.current!);
    return () => { watcher.disconnect(); dark.removeEventListener("change", draw); plot?.destroy(); };
  }, [drawn]);
  return <div class="plot" ref={place} role="group" aria-label={label} />;
}

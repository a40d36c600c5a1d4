// Trainings that lie among the runs: the loss and every probe, with what lies under the pointer, and a stretch that is dragged over enlarged.
import uPlot from "uplot";
import { get, Training } from "./api";
import { axis, colour, Plot } from "./plot";
import { count, plain, Status, Text, useAnswer } from "./show";

// As in the report's figures: distinct for the colour-blind, in light and dark.
const line = (name: string, shade: string, more: Partial<uPlot.Series> = {}): uPlot.Series => ({ label: plain(name), stroke: colour(shade), width: 1.5, points: { show: false }, ...more });
const three = (_plot: uPlot, value: number | null) => (value === null || value === undefined ? "–" : value.toPrecision(4));

function curve(title: string, data: uPlot.AlignedData, series: () => uPlot.Series[], bands: () => uPlot.Band[] = () => []) {
  return (
    <section class="curve" aria-label={plain(title)}>
      <h3><Text>{title}</Text></h3>
      <Plot label={`${plain(title)} by step`} drawn={`${title} ${JSON.stringify(data)}`} data={data}
        options={() => ({ height: 230, scales: { x: { time: false } }, axes: [axis(), { ...axis(), size: 58 }], series: [{ label: "step" }, ...series()], bands: bands(), cursor: { drag: { x: true, y: false } } })} />
    </section>
  );
}

export function TrainingsPage() {
  const { answer, problem, isLoading } = useAnswer("trainings", (signal) => get<{ trainings: Training[]; left_out: number }>("trainings", {}, signal), () => 10_000);
  return (
    <>
      <h1>Trainings</h1>
      <Status problem={problem} isLoading={isLoading} />
      {answer && (answer.trainings.length === 0 ? <p>No training (a folder with train.jsonl) lies here.</p>
        : <p class="soft">Drag over a stretch to enlarge it; a double click shows all again.</p>)}
      {!!answer?.left_out && <p class="soft">{count(answer.left_out)} more are left out.</p>}
      {answer?.trainings.map((one) => (
        <section key={one.name} class="training">
          <h2><Text>{one.name}</Text></h2>
          <div class="curves">
            {one.steps.length > 0 && curve("loss", [one.steps, one.losses], () => [line("loss", "--right", { value: three })])}
            {one.probes.map((probe) => curve(probe.name, [probe.steps, probe.low, probe.high, probe.values],
              () => [line("low", "--soft", { width: 0.5, value: three }), line("high", "--soft", { width: 0.5, value: three }), line("value", "--wrong", { points: { show: true, size: 5 }, value: three })],
              () => [{ series: [2, 1], fill: colour("--tie") }]))}
          </div>
        </section>
      ))}
    </>
  );
}

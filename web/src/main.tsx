import { render } from "preact";
import { useEffect } from "preact/hooks";
import { followLinks, useAddress } from "./address";
import { ComparePage } from "./compare";
import { ItemPage } from "./item";
import { OverviewPage } from "./overview";
import { FailuresPage, FiguresPage, MarksPage, StampPage } from "./more";
import { RunPage } from "./run";
import { TrainingsPage } from "./trainings";
import { plain } from "./show";
import "./style.css";

const pages: Record<string, { title: string; page: () => preact.JSX.Element }> = {
  "/": { title: "Runs", page: OverviewPage },
  "/run": { title: "Items", page: RunPage },
  "/item": { title: "Item", page: ItemPage },
  "/compare": { title: "Compare", page: ComparePage },
  "/failures": { title: "Failures", page: FailuresPage },
  "/stamp": { title: "Stamp", page: StampPage },
  "/figures": { title: "Figures", page: FiguresPage },
  "/marks": { title: "Marks", page: MarksPage },
  "/trainings": { title: "Trainings", page: TrainingsPage },
};

function App() {
  const { path, query } = useAddress();
  const known = pages[path];
  const run = query.get("run");
  useEffect(() => { document.title = `${known?.title ?? "Not found"}${run ? ` · ${plain(run)}` : ""} · Snellen`; }, [path, run]);
  const tab = (to: string, title: string) => (
    <a href={`${to}?run=${encodeURIComponent(run!)}`} aria-current={path === to ? "page" : undefined}>{title}</a>
  );
  const Page = known?.page;
  return (
    <div onClick={followLinks}>
      <a class="skip" href="#main">Skip to content</a>
      <header>
        <a class="home" href="/"><img src="/icon.svg" alt="" width="22" height="22" /> Snellen</a>
        <nav aria-label="main">
          <a href="/" aria-current={path === "/" ? "page" : undefined}>Runs</a>
          <a href="/trainings" aria-current={path === "/trainings" ? "page" : undefined}>Trainings</a>
          {run && tab("/run", "Items")}
          {run && tab("/failures", "Failures")}
          {run && tab("/figures", "Figures")}
          {run && tab("/marks", "Marks")}
          {run && tab("/stamp", "Stamp")}
        </nav>
      </header>
      <main id="main">{Page ? <Page /> : <p>There is no such page. <a href="/">All runs</a></p>}</main>
    </div>
  );
}

render(<App />, document.getElementById("app")!);

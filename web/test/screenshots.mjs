// Every page of a running viewer, light and dark, wide and as on a phone: node screenshots.mjs ADDRESS OUTPUT [RUN [OTHER]]
import { mkdirSync } from "node:fs";
import { launched, settled } from "./browser.mjs";

const [given, output, ...named] = process.argv.slice(2);
const address = given.replace(/\/$/, "");
mkdirSync(output, { recursive: true });
const ask = async (path) => (await fetch(address + path)).json();
const all = (await ask("/api/runs")).runs.filter((run) => run.missing.length === 0);
const [run, other] = named.length > 0 ? [named[0], named[1] ?? named[0]] : [all[0].id, all[1]?.id ?? all[0].id];
const task = (await ask(`/api/run?${new URLSearchParams({ run })}`)).tasks[0].name;
const at = (path, fields) => `${path}?${new URLSearchParams(fields)}`;
const pages = {
  runs: "/", items: at("/run", { run }), item: at("/item", { run, task, position: "0" }), failures: at("/failures", { run }), stamp: at("/stamp", { run }),
  figures: at("/figures", { run }), marks: at("/marks", { run }), trainings: "/trainings", compare: at("/compare", [["runs", run], ["runs", other], ["show", "all"]]),
};
const clips = all.find((one) => one.id.includes("vilma"));
if (clips) pages.clip = at("/item", { run: clips.id, task: (await ask(at("/api/run", { run: clips.id }))).tasks[0].name, position: "0" });

const browser = await launched();
for (const colorScheme of ["light", "dark"]) {
  for (const [width, height] of [[1440, 1000], [390, 844]]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(address + path);
      await settled(page);
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: `${output}/view_${name}_${colorScheme}_${width}.jpg`, type: "jpeg", quality: 80 });
    }
    await context.close();
  }
}
await browser.close();
console.log(`${Object.keys(pages).length * 4} pictures in ${output}`);

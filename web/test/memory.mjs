// What Chromium takes, all its processes, after pages of a large run: node memory.mjs ADDRESS; prints megabytes as JSON.
import { readFileSync, readdirSync } from "node:fs";
import { chromium } from "playwright-core";
import { options, settled } from "./browser.mjs";

const address = process.argv[2];
const server = await chromium.launchServer(options);
const browser = await chromium.connect(server.wsEndpoint());
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.setDefaultTimeout(120000);

// Shared pages are counted once: proportional set sizes of the browser and all that it started.
function megabytes() {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try { parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))[1])); } catch { /* it ended */ }
  }
  const isOurs = (id) => { for (; id > 1; id = parents.get(id) ?? 0) if (id === server.process().pid) return true; return false; };
  let kilobytes = 0;
  for (const id of parents.keys()) {
    if (!isOurs(id)) continue;
    try { kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0); } catch { /* it ended */ }
  }
  return kilobytes / 1000;
}

// Megabytes by what was on show.
const seen = {};
const weigh = (what) => { seen[what] = Math.round(megabytes()); };
const look = async (path) => { await page.goto(address + path); await settled(page); weigh(path); };
await page.goto("about:blank");
weigh("an empty page");
await look("/");
for (const more of ["", "&sort=margin", "&page=5000&sort=-margin", "&q=wooden", "&outcome=wrong&category=under"]) await look(`/run?run=run1-large${more}`);
await look("/item?run=run1-large&task=large&position=500000");
for (const more of ["", "&show=all&page=2000"]) await look(`/compare?runs=run1-large&runs=run2-large${more}`);
// Turning pages without a new load.
await page.goto(`${address}/run?run=run1-large`);
await settled(page);
for (let turned = 1; turned <= 60; ++turned) { await page.keyboard.press("n"); await page.waitForURL(new RegExp(`page=${turned}$`)); await settled(page); }
weigh("60 pages turned");
const debugged = await page.context().newCDPSession(page);
await debugged.send("HeapProfiler.collectGarbage");
weigh("what is held at the end");
console.log(JSON.stringify(seen));
await browser.close();
await server.close();

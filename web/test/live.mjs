// A run that begins after the page was opened: node live.mjs ADDRESS FOLDER COUNT, where FOLDER/opened begins it and it does not end before FOLDER/hurry.
import { writeFileSync } from "node:fs";
import { eventually, finish, settled, watched } from "./browser.mjs";

const [address, folder, count] = process.argv.slice(2);
// A run that just began has no samples yet.
const { browser, context, page, faults } = await watched(address, [/\/picture\?/, /\/api\//]);
await page.goto(`${address}/`);
await settled(page);
// One question without an answer does not end it.
const refused = page.waitForResponse((response) => response.status() === 404);
await page.route("**/api/runs*", (route) => route.fulfill({ status: 404, body: "{}" }), { times: 1 });
await refused;
writeFileSync(`${folder}/opened`, "");
const isRunning = () => page.evaluate(() => !!document.querySelector(".verdict.running"));
await eventually("the list of runs shows one that began later", isRunning);

// Its items come by themselves.
const items = await context.newPage();
await items.goto(`${address}/run?run=slow-cats`);
const listed = () => items.evaluate(() => Number((/of ([\d,]+)/.exec(document.querySelector("nav.pages")?.textContent ?? "")?.[1] ?? "0").replaceAll(",", "")));
await eventually("items are listed", async () => (await listed()) > 0);
const first = await listed();
if (first >= Number(count)) faults.push(`${first} items are listed of a run that has just begun`);
await eventually(`more than ${first} items are listed`, async () => (await listed()) > first);

// And its end.
writeFileSync(`${folder}/hurry`, "");
await eventually("the list of runs shows that it ended", async () => !(await isRunning()));
await eventually("the page of the run shows that it ended", () => items.evaluate(() => !!document.querySelector(".verdict.complete")));
await eventually("all items are listed", async () => (await listed()) === Number(count));
await finish(browser, faults);

// A run that begins after the page was opened: node live.mjs ADDRESS FOLDER COUNT, where FOLDER/opened begins it and it does not end before FOLDER/hurry.
import { writeFileSync } from "node:fs";
import { eventually, finish, settled, watched } from "./browser.mjs";

const [address, folder, count] = process.argv.slice(2);
// A run that just began has no samples yet.
const { browser, context, page, faults } = await watched(address, [/\/picture\?/, /\/api\//]);
await page.goto(`${address}/`);
await settled(page);
// A run that is not there is not asked for again and again.
const nowhere = await context.newPage();
let asked = 0;
nowhere.on("request", (request) => { asked += request.url().includes("/api/run?"); });
await nowhere.goto(`${address}/run?run=nowhere`);
await nowhere.getByRole("alert").first().waitFor();
await nowhere.waitForTimeout(5000);
if (asked !== 1) faults.push(`a run that does not exist was asked for ${asked} times`);
await nowhere.close();

// One question without an answer does not end it.
const refused = page.waitForResponse((response) => response.status() === 404);
await page.route("**/api/runs*", (route) => route.fulfill({ status: 404, body: "{}" }), { times: 1 });
await refused;
writeFileSync(`${folder}/opened`, "");
const isRunning = () => page.evaluate(() => !!document.querySelector(".verdict.running"));
await eventually("the list of runs shows one that began later", isRunning);

// Its items come by themselves.
const items = await context.newPage();
// However slowly: counts come more often than a list does.
await items.route("**/api/items?*", async (route) => { await new Promise((done) => setTimeout(done, 3000)); await route.continue().catch(() => {}); });
await items.goto(`${address}/run?run=slow-cats`);
const listed = () => items.evaluate(() => Number((/of ([\d,]+)/.exec(document.querySelector("nav.pages")?.textContent ?? "")?.[1] ?? "0").replaceAll(",", "")));
await eventually("items are listed", async () => (await listed()) > 0);
const first = await listed();
if (first >= Number(count)) faults.push(`${first} items are listed of a run that has just begun`);
await eventually(`more than ${first} items are listed`, async () => (await listed()) > first);

// So does a comparison.
const both = await context.newPage();
await both.goto(`${address}/compare?runs=first-cats&runs=slow-cats&show=all`);
const common = () => both.evaluate(() => Number((/([\d,]+) items in common/.exec(document.body.textContent)?.[1] ?? "0").replaceAll(",", "")));
await eventually("items are compared", async () => (await common()) > 0);
const compared = await common();
await eventually(`more than ${compared} items are compared`, async () => (await common()) > compared);

// And its end.
writeFileSync(`${folder}/hurry`, "");
await eventually("the list of runs shows that it ended", async () => !(await isRunning()));
await eventually("the page of the run shows that it ended", () => items.evaluate(() => !!document.querySelector(".verdict.complete")));
await eventually("all items are listed", async () => (await listed()) === Number(count));
await eventually("all items are compared", async () => (await common()) === Number(count));
await finish(browser, faults);

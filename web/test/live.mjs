// A run that begins after the page was opened: node live.mjs ADDRESS FOLDER, where FOLDER/opened begins it and FOLDER/hurry ends it.
import { writeFileSync } from "node:fs";
import { finish, settled, watched } from "./browser.mjs";

const [address, folder] = process.argv.slice(2);
const { browser, context, page, faults } = await watched(address, [/\/picture\?/, /\/api\/runs/]);
await page.goto(`${address}/`);
await settled(page);
// One question without an answer does not end it.
await page.route("**/api/runs*", (route) => route.fulfill({ status: 404, body: "{}" }), { times: 1 });
writeFileSync(`${folder}/opened`, "");

// Its items come by themselves. Two pages are open: one in the background gets no animation frames, so time decides when to look.
const until = (page, holds, argument = null) => page.waitForFunction(holds, argument, { timeout: 100000, polling: 250 });
await until(page, () => document.querySelector(".verdict.running"));
const items = await context.newPage();
await items.goto(`${address}/run?run=slow-cats`);
const listed = () => items.evaluate(() => Number(/of ([\d,]+)/.exec(document.querySelector("nav.pages")?.textContent ?? "of 0")[1].replace(",", "")));
await until(items, () => /of [1-9]/.test(document.querySelector("nav.pages")?.textContent ?? ""));
const first = await listed();
await until(items, (before) => Number(/of ([\d,]+)/.exec(document.querySelector("nav.pages")?.textContent ?? "of 0")[1].replace(",", "")) > before, first);

// And its end.
writeFileSync(`${folder}/hurry`, "");
await until(page, () => !document.querySelector(".verdict.running"));
await until(items, () => /of 4,000/.test(document.querySelector("nav.pages")?.textContent ?? ""));
await finish(browser, faults);

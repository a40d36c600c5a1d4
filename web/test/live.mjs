// A run that begins after the page was opened: node live.mjs ADDRESS FOLDER, where FOLDER/opened begins it and FOLDER/hurry ends it.
import { writeFileSync } from "node:fs";
import { finish, settled, watched } from "./browser.mjs";

const [address, folder] = process.argv.slice(2);
const { browser, context, page, faults } = await watched(address, [/\/picture\?/]);
await page.goto(`${address}/`);
await settled(page);
writeFileSync(`${folder}/opened`, "");
await page.waitForSelector(".verdict.running", { timeout: 60000 });

// Its items come by themselves.
const items = await context.newPage();
await items.goto(`${address}/run?run=slow-cats`);
const listed = () => items.evaluate(() => Number(/of ([\d,]+)/.exec(document.querySelector("nav.pages")?.textContent ?? "of 0")[1].replace(",", "")));
await items.waitForFunction(() => /of [1-9]/.test(document.querySelector("nav.pages")?.textContent ?? ""), null, { timeout: 60000 });
const first = await listed();
await items.waitForFunction((before) => Number(/of ([\d,]+)/.exec(document.querySelector("nav.pages").textContent)[1].replace(",", "")) > before, first, { timeout: 60000 });

// And its end.
writeFileSync(`${folder}/hurry`, "");
await page.waitForFunction(() => !document.querySelector(".verdict.running"), null, { timeout: 60000 });
await items.waitForFunction(() => /of 400/.test(document.querySelector("nav.pages").textContent), null, { timeout: 60000 });
await finish(browser, faults);

// What hostile runs say is text on every page: node hostile.mjs ADDRESS PAGES, where PAGES is JSON, [[path, [text, ...]], ...]
import { finish, settled, watched } from "./browser.mjs";

const [address, pages] = process.argv.slice(2);
const { browser, page, faults } = await watched(address, [/\/picture\?.*kind=seen/]); // the model that scores from hashes looks at no picture
// The pages name what moves the cursor or turns the direction.
const named = (text) => text.replace(/[\u001b\u202e]/g, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

for (const [path, texts] of JSON.parse(pages)) {
  await page.goto(address + path);
  await settled(page);
  const shown = await page.locator("main").textContent();
  for (const text of texts) if (!shown.includes(named(text))) faults.push(`${path}: '${named(text)}' is not shown as text`);
  if (/[\u001b\u202e]/.test(shown)) faults.push(`${path}: a character that moves the cursor or turns the direction is not made visible`);
  if (await page.evaluate(() => document.querySelectorAll("img[src='x'], [onerror], main script, main style").length > 0)) faults.push(`${path}: a text became an element`);
}
await finish(browser, faults);

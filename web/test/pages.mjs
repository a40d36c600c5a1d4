// The viewer's pages in Debian's Chromium: node pages.mjs ADDRESS RUNS_FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { eventually, everywhere, finish, settled, watched } from "./browser.mjs";

const [address, runs] = process.argv.slice(2);
// The model that scores from hashes looks at no picture.
const { browser, context, page, faults } = await watched(address, [/\/picture\?.*kind=seen/]);
const check = (holds, what) => { if (!holds) faults.push(what); };

const open = async (path, where = page) => { await where.goto(address + path); await settled(where); };
// The address has changed, and what it names is on show.
const arrived = async (pattern) => { await page.waitForURL(pattern); await settled(page); };
const count = (selector) => page.locator(selector).count();
// The histogram comes with an answer of its own, after the items perhaps.
const histogram = async () => { await page.waitForSelector(".histogram .bins button", { state: "attached" }); return page.locator(".histogram .u-over").boundingBox(); };
const isGone = (selector) => eventually(`${selector} is gone`, async () => (await count(selector)) === 0);

// Every page opens, in light, dark and at phone width, without a serious finding.
const item = "/item?run=first-cats&task=cats&position=5";
const pages = { overview: "/", run: "/run?run=first-cats", item, compare: "/compare?runs=first-cats&runs=second-cats",
  failures: "/failures?run=first-cats", stamp: "/stamp?run=first-cats", figures: "/figures?run=first-cats", marks: "/marks?run=first-cats", trainings: "/trainings" };
await everywhere(page, faults, address, pages);

// Filter, sort, search; the address is the state, and going back goes back.
await open("/run?run=first-cats");
await page.getByLabel("Outcome").selectOption("wrong");
await arrived(/outcome=wrong/);
await page.getByLabel("Sort").selectOption("margin");
await arrived(/sort=margin/);
check(await page.evaluate(() => [...document.querySelectorAll("table.items .outcome")].every((one) => one.textContent.includes("wrong"))), "a filter lets others through");
const margins = (await page.locator("table.items tbody td:nth-child(4)").allTextContents()).map(Number);
check(margins.length > 1 && margins.every((margin, i) => i === 0 || margins[i - 1] <= margin), "margins are not sorted");
const rows = await page.locator("table.items tbody th").allTextContents();
const copied = await context.newPage();
await copied.goto(page.url());
await settled(copied);
check(JSON.stringify(await copied.locator("table.items tbody th").allTextContents()) === JSON.stringify(rows), "a copied link shows something else");
await copied.close();
await page.goBack();
await page.waitForURL((url) => !url.search.includes("sort="));
await settled(page);
await open("/run?run=first-cats");
await page.keyboard.press("/");
await page.keyboard.type("number 77");
await page.keyboard.press("Enter");
await arrived(/q=number/);
check((await count("table.items tbody tr")) === 1, "words do not find their one item");

// A bar of the histogram narrows to its margins: by key, by a click, and by dragging over several.
await open("/run?run=first-cats");
await page.locator(".histogram .bins button").first().focus();
await page.keyboard.press("Enter");
await arrived(/min=.*max=/);
await open("/run?run=first-cats");
let area = await histogram();
await page.mouse.click(area.x + area.width / 2, area.y + area.height / 2);
await arrived(/min=.*max=/);
await open("/run?run=first-cats");
area = await histogram();
await page.mouse.move(area.x + area.width / 4, area.y + 40);
await page.mouse.down();
await page.mouse.move(area.x + area.width / 2, area.y + 50, { steps: 5 });
await page.mouse.up();
await arrived(/min=.*max=/);
const dragged = new URL(page.url()).searchParams;
check(Number(dragged.get("max")) - Number(dragged.get("min")) > 0.1, "dragging over the histogram does not choose a stretch");
await histogram();
check((await page.locator(".histogram .bins button[aria-pressed=true]").count()) > 5, "the bars that were dragged over are not chosen");

// Texts of the run are texts.
await open("/run?run=first-cats");
check((await page.locator("table.items").textContent()).includes("<script>alert(1)</script>"), "a hostile text is not shown as text");
check((await page.locator("table.items").textContent()).includes("[U+202E]"), "a direction override is not made visible");

// By keyboard: move, open, up, mark, take back.
await page.keyboard.press("j");
await page.keyboard.press("m");
await page.waitForSelector(".marked");
await page.keyboard.press("m");
await isGone(".marked");
await page.keyboard.press("o");
await arrived(/\/item/);
await page.waitForSelector(".visual img");
await page.keyboard.press("ArrowRight");
await arrived(/position=2/);
await page.keyboard.press("u");
await arrived(/\/run/);

// A mark with a note stays.
await open(item);
await page.getByLabel("Label").fill("odd");
await page.getByLabel("Note").fill("the mat is missing");
await page.getByRole("button", { name: "Keep" }).click();
await page.getByRole("status").filter({ hasText: /^kept$/ }).waitFor();
await open("/marks?run=first-cats");
check((await page.locator("main").textContent()).includes("the mat is missing"), "a mark was not kept");

// Compare.
await open("/");
await page.getByLabel("compare first-cats").check();
await page.getByLabel("compare second-cats").check();
await page.getByRole("button", { name: /Compare/ }).click();
await arrived(/\/compare/);
await page.getByRole("button", { name: /Only A right/ }).click();
await arrived(/show=only_first/);
check(await page.evaluate(() => [...document.querySelectorAll("table.items tbody tr td:nth-child(4)")].every((one) => one.textContent.includes("right"))), "only A right shows others");
check((await page.locator("body").textContent()).includes("items in common"), "the comparison says nothing");

// Sorting the matrix is in the address; a damaged run says what is missing.
await open("/");
await page.getByRole("button", { name: /acc/ }).first().click();
await page.waitForURL(/sort=cats/);
check((await page.locator("main").textContent()).includes("samples.db is missing"), "a damaged run does not say what is missing");

// A run in progress updates by itself.
const stamp = JSON.parse(readFileSync(`${runs}/second-cats/run.json`, "utf8"));
const write = (verdict) => writeFileSync(`${runs}/second-cats/run.json`, JSON.stringify({ ...stamp, verdict }, null, 1));
write("running");
await open("/");
await page.waitForSelector(".verdict.running");
write(stamp.verdict);
await isGone(".verdict.running");

check((await count("img[src='/icon.svg']")) === 1, "there is no icon");
await finish(browser, faults);

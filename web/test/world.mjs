// The viewer on runs of shipped models over a small eyechart, in Debian's Chromium: node world.mjs ADDRESS with|without
// "without": the data set is gone, and what the runs kept is on show all the same.
import { everywhere, finish, settled, watched } from "./browser.mjs";

const [address, phase] = process.argv.slice(2);
// Two items name pictures that are not there; a clip that is gone is answered with what the run kept of it.
const expected = phase === "with" ? [/\/picture\?.*task=contrasts.*position=(126|127)\b/] : [/\/picture\?.*kind=clip/];
const { browser, page, faults } = await watched(address, expected);
const check = (holds, what) => { if (!holds) faults.push(`${phase}: ${what}`); };
const open = async (path) => { await page.goto(address + path); await settled(page); };
const arrived = async (pattern) => { await page.waitForURL(pattern); await settled(page); };
const count = (selector) => page.locator(selector).count();
const shown = (selector) => page.waitForFunction((where) => {
  const found = [...document.querySelectorAll(where)];
  found.forEach((one) => one.scrollIntoView());
  return found.length > 0 && found.every((one) => one.complete && one.naturalWidth > 0);
}, selector, { polling: 200 }).catch(() => faults.push(`${phase}: not all of '${selector}' at ${page.url()} are pictures`));

const clipTask = (await (await fetch(`${address}/api/run?run=xclip-vilma_change-state`)).json()).tasks[0].name;
const clip = `/item?run=xclip-vilma_change-state&task=${encodeURIComponent(clipTask)}&position=0`;
const item = "/item?run=clip-contrasts&task=contrasts&position=3";
const both = "/compare?runs=clip-contrasts&runs=clip-patched-contrasts";
const pages = {
  overview: "/", run: "/run?run=clip-contrasts", rung: "/run?run=clip-contrasts/control/gauss-100", item, clip, compare: `${both}&show=all`,
  three: `${both}&runs=clip-contrasts/control/gray&show=all&look=seen`, failures: "/failures?run=clip-contrasts", stamp: "/stamp?run=clip-contrasts",
  figures: "/figures?run=clip-contrasts", marks: "/marks?run=clip-contrasts", trainings: "/trainings",
};

// All control rungs in a row under one picture, as the model saw them; those of a clip by their frames.
const rungs = "ul[aria-label='control rungs']";
await open(item);
const names = await page.locator(`${rungs} li b`).allTextContents();
check(JSON.stringify(names) === JSON.stringify(["as it is", "gauss-100", "gray", "mismatch"]), `the rungs are ${names}`);
await shown(`${rungs} img`);
check((await count(`${rungs} img`)) === 4 && (await count(`${rungs} .no-picture`)) === 0, "a rung has no picture");
await shown(".visual img");
await open(clip);
await shown(`${rungs} img`);
check((await count(`${rungs} img`)) === 2, "a rung of a clip has no frames");
await shown(".strip img");
check((await count(".frames g[role=button]")) === 8, "the frames that were shown are not marked");

if (phase === "with") {
  await everywhere(page, faults, address, pages);

  // A clip plays, and a mark jumps to its frame.
  await open(clip);
  await page.waitForFunction(() => document.querySelector("video")?.duration > 0, null, { polling: 200 });
  await page.locator(".frames g[role=button]").nth(3).focus();
  const at = Number(/at ([\d.]+) s/.exec(await page.locator(".frames g[role=button]").nth(3).getAttribute("aria-label"))[1]);
  await page.keyboard.press("Enter");
  await page.waitForFunction((seconds) => Math.abs(document.querySelector("video").currentTime - seconds) < 0.02, at, { polling: 200 });
  await page.evaluate(() => { const video = document.querySelector("video"); video.muted = true; video.currentTime = 0; return video.play(); });
  await page.waitForFunction(() => document.querySelector("video").currentTime > 0.1, null, { polling: 200 });

  // Other items of the same picture.
  await open(item);
  const same = page.locator("ul[aria-label='other items of the same picture'] a");
  check((await same.count()) > 0, "no other item of the same picture is listed");
  const other = await same.first().textContent();
  await same.first().click();
  await page.waitForFunction((name) => document.querySelector("h1")?.textContent === name, other, { polling: 200 });

  // Failures by reason, with their items; from there to the list.
  await open("/failures?run=clip-contrasts");
  check((await count("section.reason")) === 1, "failures are not grouped by reason");
  const told = await page.locator("main").textContent();
  check(/2 ×/.test(told) && told.includes("gone-0") && told.includes("gone-1"), "a group of failures does not name its items");
  await page.getByRole("link", { name: "List those that were skipped" }).click();
  await arrived(/outcome=skipped/);
  check((await count("table.items tbody tr")) === 2, "the items that were skipped are not listed");

  // Category, tags (any of an item's), marks.
  await open("/run?run=clip-contrasts");
  const categories = await page.getByLabel("Category").locator("option").allTextContents();
  await page.getByLabel("Category").selectOption(categories[1]);
  await arrived(/category=/);
  check(await page.evaluate((name) => [...document.querySelectorAll("table.items tbody th")].every((one) => one.textContent.includes(name)), categories[1]), "a category lets others through");
  await open("/run?run=clip-contrasts");
  for (const [tag, wanted] of [["first", 42], ["copied", 84]]) {
    await page.getByLabel("Tag").selectOption(tag);
    await arrived(new RegExp(`tag=${tag}`));
    const text = await page.locator("nav.pages").first().textContent();
    check(text.includes(`of ${wanted}`), `the tag ${tag} lists '${text}', not ${wanted}`);
  }
  await open("/run?run=clip-contrasts");
  await page.keyboard.press("m");
  await page.waitForSelector(".marked");
  await page.getByLabel("marked").check();
  await arrived(/marked=1/);
  check((await count("table.items tbody tr")) === 1, "the filter of marked items shows others");
  await page.keyboard.press("m");
  await page.waitForFunction(() => !document.querySelector(".marked"), null, { polling: 200 });

  // Pages by key.
  await open("/run?run=clip-contrasts");
  await page.keyboard.press("n");
  await arrived(/page=1/);
  await page.keyboard.press("n");
  await arrived(/page=2/);
  await page.keyboard.press("p");
  await arrived(/page=1/);

  // What passes the filters, as files.
  await open("/run?run=clip-contrasts&tag=first&outcome=right");
  const listed = Number(/of ([\d,]+)/.exec((await page.locator("nav.pages").first().textContent()).replace(/.*– /, ""))[1]);
  for (const [name, header] of [["CSV", 1], ["JSON lines", 0]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
    check(lines.length === listed + header, `${name} has ${lines.length} lines for ${listed} items`);
  }

  // A comparison: filters, keys, marks, a third run, and what the models saw.
  await open(`${both}&show=all`);
  const common = Number(/([\d,]+) items in common/.exec(await page.locator("main").textContent())[1]);
  await page.getByLabel("Tag").selectOption("first");
  await arrived(/tag=first/);
  await page.getByLabel("Margin in A from").fill("0");
  await page.getByLabel("Margin in A from").blur();
  await arrived(/min=0/);
  check(await page.evaluate(() => [...document.querySelectorAll("table.compared tbody tr td:nth-child(4)")].every((one) => !/margin -/.test(one.textContent))), "a filter by margin lets others through");
  await open(`${both}&show=all`);
  await page.keyboard.press("j");
  await page.keyboard.press("m");
  await page.waitForSelector("table.compared tr.at .marked");
  await page.keyboard.press("m");
  await page.waitForFunction(() => !document.querySelector(".marked"), null, { polling: 200 });
  await page.keyboard.press("n");
  await arrived(/page=1/);
  await open(`${both}&show=all`);
  await page.getByLabel("Add a run").selectOption("fake-contrasts");
  await arrived(/runs=fake-contrasts/);
  check((await page.locator("table.compared thead th").allTextContents()).join(" ").endsWith("A B C"), "the third run has no column");
  const number = async (name) => Number((await page.getByRole("button", { name: new RegExp(`^${name}`) }).locator("b").textContent()).replace(",", ""));
  const classes = [await number("They differ"), await number("All right"), await number("All wrong")];
  check(classes[0] + classes[1] + classes[2] <= common && classes[0] > 0, `the classes of three runs are ${classes} of ${common}`);
  await page.getByRole("button", { name: /^All wrong/ }).click();
  await arrived(/show=every_wrong/);
  check(await page.evaluate(() => [...document.querySelectorAll("table.compared tbody .outcome")].every((one) => /wrong|tie/.test(one.textContent))), "'All wrong' shows others");
  await open(`/compare?runs=clip-contrasts&runs=clip-contrasts/control/gray&show=all`);
  await page.getByLabel("as the models saw it").check();
  await arrived(/look=seen/);
  await shown("table.compared tbody tr:nth-child(-n+4) td:nth-child(n+4) img");
  const seen = await page.evaluate(() => [...document.querySelectorAll("table.compared tbody tr:first-child td:nth-child(n+4) img")].map((one) => one.src));
  check(seen.length === 2 && seen[0] !== seen[1], "each run's own picture is not shown");

  // Figures, drawn once by the program; trainings, with what lies under the pointer.
  await open("/figures?run=clip-contrasts");
  await shown(".drawn img");
  await open("/trainings");
  const over = page.locator(".u-over").first();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.waitForFunction(() => /\d/.test(document.querySelector(".u-legend .u-value")?.textContent), null, { polling: 200 });
  const ticks = () => page.evaluate(() => document.querySelector(".u-over").clientWidth);
  check((await ticks()) > 200, "a curve has no room");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(box.x + 2, box.y + 60);
  await page.waitForFunction(() => Number(document.querySelector(".u-legend .u-value")?.textContent) > 40, null, { polling: 200 });
}
await finish(browser, faults);

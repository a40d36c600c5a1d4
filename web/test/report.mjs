// The report in Debian's Chromium, from its file: node report.mjs FOLDER
import { pathToFileURL } from "node:url";
import { axe, everywhere, finish, watched } from "./browser.mjs";

const [folder] = process.argv.slice(2);
const address = pathToFileURL(`${folder}/report.html`).href;
// Nothing but the file itself is asked for.
const { browser, page, faults } = await watched(address);
await everywhere(page, faults, address, { report: "" });

// A keyboard alone opens the numbers of a figure.
await page.goto(address);
const first = page.locator("details:not(.named) summary").first();
await first.focus();
await page.keyboard.press("Enter");
if (!(await page.locator("details[open]:not(.named) + .folded").first().isVisible())) faults.push("the numbers of a figure do not open");

// On paper everything is shown, in dark ink on white, and no wider than the sheet.
await page.emulateMedia({ media: "print", colorScheme: "dark" });
await page.setViewportSize({ width: 720, height: 1000 });
await page.goto(address);
const hidden = await page.evaluate(() => [...document.querySelectorAll(".folded")].filter((one) => one.offsetHeight === 0).length);
if (hidden > 0) faults.push(`${hidden} folded tables are missing on paper`);
const paper = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("h1")).color]);
if (paper[0] !== "rgb(255, 255, 255)" || paper[1] === "rgb(230, 233, 236)") faults.push(`printed in ${paper[1]} on ${paper[0]}`);
const drawn = await page.evaluate(() => { const ground = document.querySelector("figure svg .p"); return ground ? getComputedStyle(ground).fill : "rgb(255, 255, 255)"; });
if (drawn !== "rgb(255, 255, 255)") faults.push(`figures are printed on ${drawn}`);
const wider = await page.evaluate(() => [...document.querySelectorAll("table, figure svg")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length);
if (wider > 0) faults.push(`${wider} tables or figures are wider than the sheet`);
await axe(page, faults, "report on paper");
const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
if (sheets < 1) faults.push("it does not print");
await finish(browser, faults);

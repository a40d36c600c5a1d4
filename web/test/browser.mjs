// Debian's Chromium, with an ear on everything that must not happen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const options = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
};
// Long enough for a machine that does much else.
export const patience = 120000;
export const launched = () => chromium.launch({ ...options, timeout: patience });

// `expected` are the addresses (as patterns) that may be answered with an error: pictures that a run has none of, say.
export async function watched(address, expected = []) {
  const faults = [];
  const browser = await launched();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  context.setDefaultTimeout(patience);
  context.setDefaultNavigationTimeout(patience);
  // Of all pages of the context.
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    const isAnswer = /status of (404|422|503)/.test(message.text()) && expected.some((pattern) => pattern.test(url));
    if (!isAnswer) faults.push(`console at ${message.page()?.url()}: ${message.text()} ${url}`);
  });
  context.on("weberror", (error) => faults.push(`page ${error.page()?.url()}: ${error.error().message}`));
  context.on("dialog", (dialog) => { faults.push("a text of a run was run as a script"); dialog.dismiss(); });
  context.on("request", (request) => { if (!request.url().startsWith(address) && !request.url().startsWith("data:")) faults.push(`a request left: ${request.url()}`); });
  return { browser, context, page: await context.newPage(), faults };
}

// Holds at last. It is asked by time: a page in the background gets no animation frames.
export async function eventually(what, holds) {
  for (const end = Date.now() + patience; !(await holds()); await new Promise((done) => setTimeout(done, 200)))
    if (Date.now() > end) throw new Error(`it never was so that ${what}`);
}

// Everything that was asked for is on show.
export const settled = (page) => page.waitForFunction(() => document.querySelector("main h1, main p") && !document.querySelector("[aria-busy=true]"), null, { polling: 100 });

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export async function axe(page, faults, name) {
  // Into the page by the debugger, so the policy holds for everything else.
  await page.evaluate(`${axeSource};0`);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of found.violations)
    if (["serious", "critical"].includes(one.impact)) faults.push(`axe, ${name}: ${one.id} at ${one.nodes.slice(0, 2).map((node) => node.target).join(" ")}`);
}

// Every page, light and dark, wide, as on a phone and with 200 % zoom: it opens, axe finds nothing serious, nothing is cut off.
export async function everywhere(page, faults, address, pages) {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [name, width, height] of [["wide", 1440, 900], ["phone", 390, 800], ["200 % zoom", 720, 450]]) {
      await page.setViewportSize({ width, height });
      for (const [title, path] of Object.entries(pages)) {
        await page.goto(address + path);
        await settled(page);
        if (width !== 720) await axe(page, faults, `${title}, ${scheme}, ${name}`);
        if (!(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1))) faults.push(`${title} is wider than the page (${name})`);
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

export async function finish(browser, faults) {
  await browser.close();
  if (faults.length > 0) { console.log([...new Set(faults)].join("\n")); process.exit(1); }
  console.log("all pages passed");
}

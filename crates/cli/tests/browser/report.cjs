// Opens a report in Chromium and does what a reader does. Arguments: what to check (`read`, `views`, `nasty` or `large`), the page, and
// what is expected, as JSON. Prints what it saw; a first line that begins with "FAIL" says what is wrong.
const assert = require("node:assert/strict");
const { chromium } = require("playwright-core");

const [what, path, expectation, shots] = process.argv.slice(2);
const address = "file://" + path;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

// A page that notes everything it should not do.
async function open(browser, hash, options) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  // Other work on the machine must not fail a test; what has to be fast is measured by itself.
  page.setDefaultTimeout(180_000);
  page.wrong = [];
  page.on("console", (message) => { if (message.type() !== "log") page.wrong.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => page.wrong.push(`error: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith(address) && !request.url().startsWith("data:")) page.wrong.push(`request: ${request.url()}`); });
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]");
  return page;
}

async function close(page) {
  assert.deepEqual(page.wrong, []);
  await page.close();
}

const texts = (locator) => locator.evaluateAll((all) => all.map((one) => one.innerText.trim()));

async function filters(browser, expected) {
  const page = await open(browser, "");
  assert.match(await page.locator("h1").innerText(), new RegExp(expected.subject));
  assert.match(await page.locator("main").innerText(), /characterisation/);
  await page.click("nav >> text=Obligations");
  const status = page.locator("#found");
  assert.equal(await status.innerText(), `${expected.total} of ${expected.total} obligations`);
  await page.selectOption("#filter-verdict", "unresolved");
  await page.selectOption("#filter-criterion", expected.criterion);
  assert.equal(await status.innerText(), `${expected.open} of ${expected.total} obligations`);
  const verdicts = await texts(page.locator("#view-obligations tbody .verdict"));
  assert.equal(verdicts.length, expected.open);
  assert.ok(verdicts.every((text) => text.includes("unresolved")));
  // What is shown can be sent to somebody.
  assert.match(page.url(), /#\/obligations\?criterion=.*verdict=unresolved/);
  const again = await open(browser, new URL(page.url()).hash);
  assert.equal(await again.locator("#found").innerText(), `${expected.open} of ${expected.total} obligations`);
  await close(again);
  await page.fill("#filter-q", "no such text anywhere");
  assert.match(await status.innerText(), /^0 of/);
  await page.click("text=Clear");
  await page.click("th[data-sort=verdict] button");
  assert.equal(await page.locator("th[data-sort=verdict]").getAttribute("aria-sort"), "ascending");
  assert.match((await texts(page.locator("#view-obligations tbody .verdict")))[0], /unresolved/);
  await page.click("th[data-sort=verdict] button");
  assert.equal(await page.locator("th[data-sort=verdict]").getAttribute("aria-sort"), "descending");
  assert.match((await texts(page.locator("#view-obligations tbody .verdict")))[0], /covered/);
  await close(page);
}

async function decision(browser, expected) {
  const page = await open(browser, "#/obligations");
  await page.fill("#filter-q", expected.decision);
  await page.selectOption("#filter-criterion", expected.criterion);
  await page.locator("#view-obligations .opener").first().click();
  await page.locator("#view-obligations tr.open a", { hasText: expected.decision }).first().click();
  const panel = page.locator(".panel").first();
  await panel.waitFor();
  assert.equal(await panel.locator("h3").first().innerText(), expected.decision);
  const rows = await panel.locator(".truth tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s*decides/, "").replace(/\s+/g, " ").trim())));
  assert.deepEqual(rows, expected.rows);
  const link = new URL(page.url()).hash;
  assert.match(link, /^#\/decision\//);
  const direct = await open(browser, link);
  assert.equal(await direct.locator(".panel h3").first().innerText(), expected.decision);
  if (shots) {
    await direct.setViewportSize({ width: 1100, height: 1080 });
    await direct.evaluate(() => window.scrollTo(0, 0));
    await direct.screenshot({ path: `${shots}-decision.png` });
  }
  await close(direct);
  // A marker in the margin opens and closes the same with the keyboard.
  const mark = page.locator(".mark[aria-expanded=true]").first();
  await mark.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".panel").count(), 0);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".panel h3").first().innerText(), expected.decision);
  await close(page);
}

async function tests(browser, expected) {
  const page = await open(browser, "#/tests");
  assert.equal(await page.locator("tr[data-test]").count(), expected.tests.length);
  await page.click(`.opener:has-text("${expected.tests[0]}")`);
  const table = page.locator("tr.open table").first();
  const heads = await texts(table.locator("thead tr").last().locator("th"));
  for (const name of expected.variables) assert.ok(heads.includes(name), `${name} of ${heads}`);
  // An open test leaves the names of the others their room in a narrow window too.
  const narrow = await open(browser, `#/test/${encodeURIComponent(expected.tests[0])}`, { viewport: { width: 360, height: 740 } });
  const [name, whole] = await narrow.evaluate(() => [document.querySelector("tr[data-test] td"), document.querySelector("#view-tests table")].map((one) => one.getBoundingClientRect().width));
  assert.ok(name > whole * 0.9, `${name} of ${whole}`);
  await close(narrow);
  await close(page);
}

// The lowest contrast of words on what is behind them, as WCAG 2 defines it; 4.5 is enough for small text.
const lowestContrast = (page) => page.evaluate(() => {
  const parts = (text) => text.match(/[\d.]+/g).map(Number);
  const light = (text) => parts(text).slice(0, 3).map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };
  let lowest = [21, ""];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, .skip, .sr")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < lowest[0]) lowest = [ratio, element.outerHTML.slice(0, 100)];
  }
  return lowest;
});

async function reading(browser) {
  const page = await open(browser, "");
  // The first stop of the keyboard skips to the content; the parts come next.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.view), "overview");
  const views = await page.locator("nav a").evaluateAll((all) => all.map((one) => one.dataset.view));
  assert.deepEqual(views.filter((one) => one !== "mutation"), ["overview", "source", "obligations", "tests", "about"]);
  for (const view of views) {
    await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
    await page.waitForTimeout(50);
    const nameless = await page.evaluate(() => {
      const named = (one) => (one.getAttribute("aria-label") || one.innerText || "").trim() || (one.labels && one.labels.length);
      return [...document.querySelectorAll("button, select, input, a, [role=img], [role=region]")]
        .filter((one) => one.checkVisibility() && !named(one)).map((one) => one.outerHTML.slice(0, 120));
    });
    assert.deepEqual(nameless, [], view);
    const bare = await page.evaluate(() => [...document.querySelectorAll("table")].filter((one) => one.checkVisibility() && !one.caption).length);
    assert.equal(bare, 0, `${view}: tables without a caption`);
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      const [ratio, element] = await lowestContrast(page);
      assert.ok(ratio >= 4.5, `${view}, ${colorScheme}: contrast ${ratio} of ${element}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${view} is ${width} wide in a window of 360`);
    if (shots) await page.screenshot({ path: `${shots}-${view}-narrow.png` });
    await page.setViewportSize({ width: 1200, height: 900 });
    if (shots) await page.screenshot({ path: `${shots}-${view}.png` });
  }
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await paper(), light);
  if (shots) await page.screenshot({ path: `${shots}-dark.png` });
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#theme");
  assert.notEqual(await paper(), light);
  await page.click("#theme");
  assert.equal(await paper(), light);
  await close(page);
}

// Names and lines that try to be something else are shown as they are.
async function nasty(browser, expected) {
  const page = await open(browser, "#/source");
  assert.equal(await page.locator("h1").innerText(), expected.subject);
  const lines = await page.locator(".line .text").evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(lines, expected.lines);
  await page.locator(".mark").first().click();
  assert.ok((await page.locator(".panel").innerText()).includes(expected.test));
  await page.click("nav >> text=Tests");
  // A link changes the address first, and the page follows.
  await page.locator("tr[data-test]").first().waitFor();
  assert.deepEqual(await texts(page.locator("tr[data-test] .opener")), [expected.test]);
  await page.goto(address + "#/test/" + encodeURIComponent(expected.test));
  await page.locator("tr.open").waitFor();
  assert.equal(await page.locator("b, i, img").count(), 0);
  await close(page);
}

// The best of several: other work on the machine only ever adds.
async function large(browser) {
  let ready = Infinity, listed = Infinity;
  for (let round = 0; round < 5; round++) {
    const page = await open(browser, "");
    ready = Math.min(ready, await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd));
    listed = Math.min(listed, await page.evaluate(async () => {
      const start = performance.now();
      location.hash = "#/obligations?verdict=unresolved";
      while (!document.querySelector("#view-obligations tbody tr")) await new Promise((next) => setTimeout(next, 1));
      document.body.getBoundingClientRect();
      return performance.now() - start;
    }));
    await close(page);
  }
  console.log(`interactive after ${Math.round(ready)} ms, filtered list after ${Math.round(listed)} ms`);
  assert.ok(ready < 1000, `${ready} ms until it can be used`);
  assert.ok(listed < 1000, `${listed} ms until a filtered list is there`);
}

(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS, timeout: 180_000 });
  try {
    if (what === "large") await large(browser);
    else if (what === "views") await reading(browser);
    else if (what === "nasty") await nasty(browser, JSON.parse(expectation));
    else {
      const expected = JSON.parse(expectation);
      await filters(browser, expected);
      await decision(browser, expected);
      await tests(browser, expected);
      await reading(browser);
    }
  } finally {
    await browser.close();
  }
})().catch((error) => { console.log(`FAIL ${error.stack}`); process.exitCode = 1; });

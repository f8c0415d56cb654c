// The tests with what they set, what was recorded of them, and what they cover.
const testsView = document.getElementById("view-tests");
let testsBuilt = false;
function showTests(name) {
  if (!testsBuilt) buildTests();
  if (name === null) return;
  const row = [...testsView.querySelectorAll("tr[data-test]")].find((one) => one.dataset.test === name);
  if (!row) return;
  const opener = row.querySelector(".opener");
  if (opener.getAttribute("aria-expanded") !== "true") opener.click();
  row.scrollIntoView({ block: "start" });
  opener.focus({ preventScroll: true });
}
function buildTests() {
  testsBuilt = true;
  if (!tests.length) {
    testsView.replaceChildren(h("p", { class: "note" }, "The suite has no tests."));
    return;
  }
  const rows = tests.map((one) => {
    const opener = h("button", { type: "button", class: "opener", "aria-expanded": "false", onclick: () => expand(opener, () => testFacts(one)) }, one.name);
    return h("tr", { "data-test": one.name }, h("td", null, opener, one.ending ? h("div", { class: "reason" }, `${one.ending[0]} in step ${one.ending[1]}: `, linked(one.ending[2])) : null,
      one.outcome === "failed" ? h("div", { class: "reason" }, "fails", one.differences.length ? `: ${one.differences.join("; ")}` : null) : null),
      h("td", { class: "c-phase" }, one.phase ? `made by ${one.phase}` : one.outcome === "passed" ? "given, passes" : "given"), h("td", { class: "n c-count" }, String(one.covers)), h("td", { class: "n c-count" }, String(one.alone)));
  });
  testsView.replaceChildren(h("h2", null, counted(tests.length, "test")), h("div", { class: "scroll" }, h("table", { class: "list" },
    h("caption", { class: "sr" }, "Tests"),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "test"), h("th", { scope: "col", class: "c-phase" }, "origin"), h("th", { scope: "col", class: "n c-count" }, "covers"), h("th", { scope: "col", class: "n c-count" }, "alone"))),
    h("tbody", null, rows))));
}
function testFacts(one) {
  const first = obligations.filter((other) => other.since === one.index);
  return [valueTable(one),
    h("p", { class: "faint" }, `Covers ${counted(one.covers, "obligation")}, ${one.alone} of them alone; ${first.length} ${first.length === 1 ? "is" : "are"} covered since this test.`),
    first.length ? obligationTable(first.slice(0, 50), "Obligations that are covered since this test") : null].filter(Boolean);
}

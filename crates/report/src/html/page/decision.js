// One decision: its truth table, what shows each condition, and its obligations.
function decisionPanel(one) {
  return h("div", { class: "panel", role: "region", "aria-label": `Decision at ${place(one)}`, tabindex: "-1" },
    h("h3", null, h("code", null, one.text)),
    h("p", { class: "faint" }, `${place(one)} in ${one.fn}, `, counted(one.conditions.length, "condition"), ". ",
      h("a", { href: decisionLink(one) }, "Link to this decision")),
    truthTable(one), conditionFacts(one), decisionObligations(one));
}
function truthTable(one) {
  if (one.listed === "none") return h("p", { class: "faint" }, "Whole evaluations were not kept, so there is no truth table.");
  if (!one.rows.length) return h("p", { class: "faint" }, "No test evaluates it to its end.");
  const told = { all: "All rows that its operators allow", executed: "Rows that tests have; there are too many to list the others", some: "Some of the rows that tests have" }[one.listed];
  const proved = new Map();
  for (const obligation of one.obligations) {
    if (obligation.criterion === "mcc") proved.set(obligation.id.slice(obligation.id.lastIndexOf("/") + 1), obligation);
  }
  const head = one.conditions.map((condition, at) => h("th", { scope: "col", title: condition.text }, `c${at + 1}`));
  const body = one.rows.map((row, number) => {
    const missing = row.tests.length === 0;
    const cells = one.conditions.map((_, at) => {
      const decides = row.deciding.includes(at);
      return h("td", { class: decides ? "vector decides" : "vector" }, row.values[at] + (decides ? "*" : ""), decides ? h("span", { class: "sr" }, " decides") : null);
    });
    const closed = missing && proved.get(row.values);
    const state = !missing ? testChips(row.tests, row.more) : closed && closed.verdict <= OPEN ? [badge(closed.verdict), " ", closed.reason] : "missing";
    return h("tr", { class: missing ? "missing" : null }, h("th", { scope: "row" }, String(number + 1)), cells, h("td", { class: "vector" }, row.outcome ? "T" : "F"), h("td", null, state));
  });
  const caption = `${told}. T true, F false, - skipped, * decides the outcome.`;
  return h("div", { class: "scroll" }, h("p", { class: "told", "aria-hidden": "true" }, caption), h("table", { class: one.worst >= OPEN ? "truth open" : "truth" },
    h("caption", { class: "sr" }, caption),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "row"), head, h("th", { scope: "col" }, "outcome"), h("th", { scope: "col" }, "tests"))),
    h("tbody", null, body)));
}
// Two executed rows in which a condition decides, with both its values and both outcomes.
function pairOf(one, at) {
  const rows = one.rows.map((row, number) => ({ ...row, number: number + 1 })).filter((row) => row.tests.length && row.deciding.includes(at));
  const alone = (a, b) => [...a.values].every((value, other) => other === at || value === b.values[other]);
  let found = null;
  for (const a of rows.filter((row) => row.values[at] === "T")) {
    for (const b of rows.filter((row) => row.values[at] === "F" && row.outcome !== a.outcome)) {
      if (alone(a, b)) return { a, b, alone: true };
      found = found || { a, b, alone: false };
    }
  }
  return found;
}
function conditionFacts(one) {
  const rows = one.conditions.map((condition, at) => {
    const pair = one.listed === "none" ? null : pairOf(one, at);
    const open = [true, false].filter((value) => !one.rows.some((row) => row.tests.length && row.deciding.includes(at) && row.values[at] === (value ? "T" : "F")));
    const told = pair
      ? [`rows ${pair.a.number} and ${pair.b.number}${pair.alone ? "" : ", other conditions masked"}: true in `, testChips(pair.a.tests.slice(0, 1), 0), ", false in ", testChips(pair.b.tests.slice(0, 1), 0)]
      : one.listed === "none" ? "not known" : open.length ? `never decides being ${open.join(" or ")}` : "no two rows that go together";
    return h("tr", null, h("th", { scope: "row" }, `c${at + 1}`), h("td", null, h("code", null, condition.text), condition.constant === null ? null : ` (always ${condition.constant})`), h("td", null, told));
  });
  return [h("h3", null, "Conditions"), h("div", { class: "scroll" }, h("table", null,
    h("caption", { class: "sr" }, "Two rows that show each condition to decide"),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "number"), h("th", { scope: "col" }, "text"), h("th", { scope: "col" }, "shown to decide by"))),
    h("tbody", null, rows)))];
}
function decisionObligations(one) {
  const list = [...one.obligations].sort((a, b) => WEIGHT[b.verdict] - WEIGHT[a.verdict] || a.index - b.index);
  return [h("h3", null, counted(list.length, "obligation")), obligationTable(list, "Obligations of this decision")];
}

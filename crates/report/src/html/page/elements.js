// Elements of the page. Data only ever becomes text, never markup.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick" || name === "oninput" || name === "onchange") element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
// Words in which back quotes stand around code.
function words(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", null, part) : part));
}
// Words that point into sources become links to the lines.
function linked(text) {
  const parts = [];
  let rest = 0;
  for (const match of text.matchAll(/([^\s`'"(]+):(\d+):(\d+)/g)) {
    if (!sources.has(match[1])) continue;
    parts.push(...words2(text.slice(rest, match.index)), h("a", { href: lineLink(match[1], match[2]) }, match[0]));
    rest = match.index + match[0].length;
  }
  parts.push(...words2(text.slice(rest)));
  return parts;
}
// A piece of a text may end inside of back quotes.
function words2(text) {
  return text.split("`").length % 2 ? words(text) : [text];
}
const lineLink = (file, line) => `#/source/${encodeURIComponent(file)}/L${line}`;
const decisionLink = (one) => `#/decision/${encodeURIComponent(one.key)}`;
const obligationLink = (one) => `#/obligation/${encodeURIComponent(one.id)}`;
const testLink = (one) => `#/test/${encodeURIComponent(one.name)}`;
function badge(verdict) {
  const name = VERDICTS[verdict];
  return h("span", { class: `verdict ${name}` }, h("span", { "aria-hidden": "true" }, SIGNS[verdict] + " "), name);
}
function testChips(indices, more) {
  const chips = indices.map((at) => h("a", { href: testLink(tests[at]) }, tests[at].name));
  return h("span", { class: "chips" }, chips, more > 0 ? h("span", { class: "faint" }, `and ${more} more`) : null);
}
// A table of the values of a test: a row per step.
function valueTable(test) {
  const steps = raw.suite && raw.suite.tests[test.index];
  if (!steps) return h("p", { class: "faint" }, raw.suite ? "The values of this test are in suite.json of the store; there is no room for them here." : "The values of this test are not known.");
  const { inputs, outputs } = raw.suite;
  const used = (at) => steps.some((step) => step[at] !== null && step[at] !== undefined);
  const ins = inputs.map((_, at) => at).filter(used);
  const outs = outputs.map((_, at) => at + inputs.length).filter(used);
  const names = inputs.concat(outputs);
  const cell = (step, at) => h("td", { class: "code" }, step[at] === null || step[at] === undefined ? "" : step[at]);
  const told = outs.length ? "Inputs, and the outputs that were recorded: a characterisation, to be reviewed" : "Inputs";
  return h("div", { class: "scroll" }, h("p", { class: "told", "aria-hidden": "true" }, told), h("table", null, h("caption", { class: "sr" }, told),
    h("thead", null,
      outs.length ? h("tr", null, h("th", null), h("th", { colspan: Math.max(1, ins.length), scope: "colgroup" }, "inputs"), h("th", { colspan: outs.length, scope: "colgroup" }, "recorded outputs")) : null,
      h("tr", null, h("th", { scope: "col" }, "step"), ins.concat(outs).map((at) => h("th", { scope: "col", class: "code" }, names[at])))),
    h("tbody", null, steps.map((step, index) => h("tr", null, h("th", { scope: "row" }, String(index)), ins.concat(outs).map((at) => cell(step, at)))))));
}
// What there is to say of one obligation.
function facts(one) {
  const rows = [];
  const add = (term, ...value) => rows.push(h("dt", null, term), h("dd", null, ...value));
  add("asks", words(one.text));
  add("place", sources.has(one.file) ? h("a", { href: lineLink(one.file, one.span[0]) }, place(one)) : place(one), ` in ${one.fn}`);
  if (one.decision) add("decision", h("a", { href: decisionLink(one.decision) }, h("code", null, one.decision.text)));
  if (one.verdict === 0 && one.reason) add("covered", linked(one.reason));
  if (one.verdict === 1) add("proof", one.reason, raw.kind === "model" ? ". Stored proofs are confirmed by obligato check-proof." : null);
  if (one.verdict === 2) add("justification", one.reason);
  if (one.bounds.length) {
    add("not within bounds", h("ul", { class: "bounds" }, one.bounds.map(([text, next]) => h("li", null, text, " — next: ", next.startsWith("--") ? h("code", null, next) : next))),
      h("p", null, "No test within these bounds covers it; beyond them nothing is proved."));
  } else if (one.verdict >= OPEN) add("left open", one.reason);
  if (one.count) add("tests", testChips(one.tests, one.count - one.tests.length));
  if (one.pair) add("pair", "true in ", testChips([one.pair[0]], 0), ", false in ", testChips([one.pair[1]], 0));
  if (one.since !== null) add("covered since", testChips([one.since], 0));
  if (one.lost.length) add("effect lost in", h("ul", null, one.lost.map((text) => h("li", null, linked(text)))));
  if (one.made && one.tests.length) add("suggested input", h("p", null, "No given test covers this; a test that was made does:"), valueTable(tests[one.tests[0]]));
  if (one.verdict >= OPEN) {
    const generate = h("code", null, `obligato generate ${raw.subject} --criterion ${one.criterion}`);
    add("suggested input", "none is known", raw.kind === "model" || raw.kind === "unit" ? ["; ", generate, " looks for one"] : null);
  }
  add("id", h("a", { href: obligationLink(one) }, h("code", null, one.id)));
  return h("dl", null, rows);
}

// The data of the page, with names for its parts.
const raw = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = ["covered", "uncoverable", "justified", "bounded", "unresolved"];
// From what needs no look to what does.
const WEIGHT = [0, 1, 2, 3, 4];
const SIGNS = ["✓", "∅", "§", "≤", "?"];
// From here on an obligation is open: a refutation within bounds closes nothing.
const OPEN = 3;
const tests = raw.tests.map(([name, phase, ending, covers, alone, outcome, differences], index) => ({ index, name, phase, ending, covers, alone, outcome, differences }));
const decisions = raw.decisions.map(([file, fn, span, text, key, listed, conditions, rows], index) => ({
  index, file: raw.files[file], fn: raw.functions[fn], span, text, key: key || `${raw.files[file]}#${index}`, listed,
  conditions: conditions.map(([text, span, constant]) => ({ text, span, constant, worst: -1 })),
  rows: rows.map(([values, outcome, deciding, tests, more]) => ({ values, outcome: outcome === 1, deciding, tests, more })),
  obligations: [], worst: -1,
}));
const obligations = raw.obligations.map((one, index) => {
  const [criterion, file, fn, span, decision, condition, value, verdict, text, id, by, count, pair, reason, since, lost, made, bounds] = one;
  const [name, title] = raw.criteria[criterion];
  const at = decision === null ? null : decisions[decision];
  const whole = text.replace("\u0001", () => "`" + at.text + "`").replace("\u0002", () => "`" + at.conditions[condition].text + "`");
  const fileName = raw.files[file], fnName = raw.functions[fn];
  return {
    index, criterion: name, title, file: fileName, fn: fnName, span, decision: at, condition, value, verdict, text: whole,
    id: id.startsWith("=") ? id.slice(1) : `${name}@${fileName}#${fnName}/${id}`,
    tests: by, count, pair, reason, since, lost, made: made === 1,
    bounds: bounds === null || bounds === undefined ? [] : raw.bounds[bounds],
  };
});
for (const one of obligations) {
  if (!one.decision) continue;
  one.decision.obligations.push(one);
  one.decision.worst = Math.max(one.decision.worst, WEIGHT[one.verdict]);
  if (one.condition !== null) {
    const condition = one.decision.conditions[one.condition];
    condition.worst = Math.max(condition.worst, WEIGHT[one.verdict]);
  }
}
const byKey = new Map(decisions.map((one) => [one.key, one]));
const byId = new Map(obligations.map((one) => [one.id, one]));
const testByName = new Map(tests.map((one) => [one.name, one]));
const sources = new Map(raw.sources.map(([file, lines]) => [raw.files[file], lines]));
const place = (one) => `${one.file}:${one.span[0]}:${one.span[1]}`;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

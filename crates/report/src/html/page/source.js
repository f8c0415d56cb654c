// The source, a marker per decision in its margin.
const sourceView = document.getElementById("view-source");
let shownFile = null;
function showSource(file, line, decision) {
  const names = [...new Set([...sources.keys(), ...decisions.map((one) => one.file)])];
  const name = names.includes(file) ? file : names[0];
  if (name === undefined) {
    sourceView.replaceChildren(h("p", { class: "note" }, "The store has no source text and no decisions."));
    return;
  }
  if (shownFile !== name) {
    shownFile = name;
    const choose = h("select", { id: "file", onchange: (event) => { location.hash = `#/source/${encodeURIComponent(event.target.value)}`; } },
      names.map((one) => h("option", { value: one, selected: one === name }, one)));
    sourceView.replaceChildren(
      h("div", { class: "filters" }, h("label", null, "file", choose),
        h("button", { type: "button", onclick: () => nextOpen(1) }, "Next open decision"),
        h("span", { role: "status", id: "source-status" }, counted(decisionsOf(name).length, "decision"))),
      sources.has(name) ? sourceText(name) : decisionList(name));
  }
  document.getElementById("file").value = name;
  for (const target of sourceView.querySelectorAll(".target")) target.classList.remove("target");
  if (decision) openDecision(decision);
  const at = decision ? decision.span[0] : line;
  const row = at && document.getElementById(`L${at}`);
  if (row) {
    row.classList.add("target");
    row.scrollIntoView({ block: decision ? "start" : "center" });
  }
}
const decisionsOf = (file) => decisions.filter((one) => one.file === file);
function worstByLine(file) {
  const worst = new Map();
  for (const one of obligations) {
    if (one.file === file) worst.set(one.span[0], Math.max(worst.get(one.span[0]) ?? 0, WEIGHT[one.verdict]));
  }
  return worst;
}
function sourceText(file) {
  const worst = worstByLine(file);
  const starting = new Map();
  const conditions = new Map();
  for (const one of decisionsOf(file)) {
    if (!starting.has(one.span[0])) starting.set(one.span[0], []);
    starting.get(one.span[0]).push(one);
    for (const condition of one.conditions) {
      for (let line = condition.span[0]; line <= condition.span[2]; line++) {
        if (!conditions.has(line)) conditions.set(line, []);
        conditions.get(line).push(condition);
      }
    }
  }
  const lines = sources.get(file).map((text, index) => {
    const number = index + 1;
    const state = worst.has(number) ? VERDICTS[worst.get(number)] : "";
    return h("div", { class: `line ${state}`, id: `L${number}` },
      h("a", { class: "number", href: lineLink(file, number), "aria-label": `Line ${number}${state ? ", " + state : ""}` }, String(number)),
      h("span", { class: "marks" }, marks(starting.get(number) || [])),
      h("span", { class: "text" }, annotated(text, number, conditions.get(number) || [])));
  });
  const most = Math.max(1, ...[...starting.values()].map((list) => new Set(list.map((one) => one.span.join(":"))).size));
  return h("div", { class: "source", role: "group", "aria-label": `Source of ${file}`, style: `--marks: ${Math.min(most, 5)}` }, lines);
}
// One marker for each decision; copies of one in several calls share it.
function marks(list) {
  const places = new Map();
  for (const one of list) {
    const key = one.span.join(":");
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(one);
  }
  return [...places.values()].map((same) => {
    const worst = Math.max(0, ...same.map((one) => one.worst));
    const text = same.length > 1 ? `${SIGNS[worst]}${same.length}×` : `${SIGNS[worst]}${same[0].conditions.length}`;
    const label = `Decision ${same[0].text}: ${VERDICTS[worst]}${same.length > 1 ? ", in " + counted(same.length, "call") : ""}`;
    return h("button", {
      type: "button", class: `mark ${VERDICTS[worst]}`, "aria-expanded": "false", "aria-label": label, title: label, "data-decision": same[0].index,
      onclick: (event) => toggle(event.currentTarget, same),
    }, text);
  });
}
// Every stretch of a line belongs to the smallest condition around it.
function annotated(text, number, list) {
  if (!list.length) return [text];
  const characters = [...text];
  const size = (condition) => (condition.span[2] - condition.span[0]) * 1e6 + condition.span[3] - condition.span[1];
  const sorted = [...list].sort((a, b) => size(b) - size(a));
  const owner = new Array(characters.length).fill(null);
  for (const condition of sorted) {
    const start = condition.span[0] === number ? condition.span[1] - 1 : 0;
    const end = condition.span[2] === number ? condition.span[3] - 1 : characters.length;
    for (let at = start; at < Math.min(end, characters.length); at++) owner[at] = condition;
  }
  const parts = [];
  for (let at = 0; at < characters.length;) {
    let end = at;
    while (end < characters.length && owner[end] === owner[at]) end++;
    const piece = characters.slice(at, end).join("");
    const worst = owner[at] ? owner[at].worst : -1;
    parts.push(worst < 0 ? piece : h("span", { class: `condition ${VERDICTS[worst]}`, title: VERDICTS[worst] }, piece));
    at = end;
  }
  return parts;
}
function toggle(mark, same) {
  const line = mark.closest(".line");
  const open = mark.getAttribute("aria-expanded") === "true";
  for (const other of line.querySelectorAll(".mark")) other.setAttribute("aria-expanded", "false");
  while (line.nextElementSibling && line.nextElementSibling.classList.contains("panel")) line.nextElementSibling.remove();
  if (open) return;
  mark.setAttribute("aria-expanded", "true");
  line.after(...same.map(decisionPanel));
}
function openDecision(one) {
  const row = document.getElementById(`L${one.span[0]}`);
  const mark = row && [...row.querySelectorAll(".mark")].find((mark) => {
    const first = decisions[Number(mark.dataset.decision)];
    return first.span.join(":") === one.span.join(":");
  });
  if (!mark) return;
  if (mark.getAttribute("aria-expanded") !== "true") mark.click();
}
// Without the text of a file its decisions are a list.
function decisionList(file) {
  return h("div", null, h("p", { class: "note warning" }, "The text of this file was not stored."), decisionsOf(file).map((one) =>
    h("details", { id: `L${one.span[0]}` }, h("summary", null, badge(Math.max(0, one.worst)), ` ${one.span[0]}:${one.span[1]} `, h("code", null, one.text)), decisionPanel(one))));
}
function nextOpen() {
  const open = decisionsOf(shownFile).filter((one) => one.worst === 3).sort((a, b) => a.span[0] - b.span[0]);
  const status = document.getElementById("source-status");
  if (!open.length) { status.textContent = "No decision is open"; return; }
  const current = sourceView.querySelector(".target");
  const line = current ? Number(current.id.slice(1)) : 0;
  const next = open.find((one) => one.span[0] > line) || open[0];
  location.hash = decisionLink(next);
}

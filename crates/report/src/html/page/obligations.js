// All obligations, filtered and sorted; rows are made as they are needed.
const CHUNK = 150;
const obligationsView = document.getElementById("view-obligations");
const filter = { q: "", criterion: "", verdict: "", file: "", sort: "place", down: false };
let obligationBody = null;
function obligationRow(one) {
  const opener = h("button", { type: "button", class: "opener", "aria-expanded": "false", onclick: () => expand(opener, () => facts(one)) }, words(one.text));
  return h("tr", { "data-id": one.id }, h("td", { class: "c-verdict" }, badge(one.verdict)), h("td", { class: "c-criterion" }, one.title),
    h("td", { class: "c-place" }, place(one)),
    h("td", null, opener, h("div", { class: "brief" }, `${one.title}, ${place(one)}`), one.reason ? h("div", { class: "reason" }, one.reason) : null,
      one.lost.map((text) => h("div", { class: "reason" }, linked(text)))));
}
function expand(opener, content) {
  const row = opener.closest("tr");
  // In a narrow window some columns are not shown, and must not take room below.
  const columns = [...row.cells].filter((cell) => cell.checkVisibility()).length;
  const open = opener.getAttribute("aria-expanded") === "true";
  opener.setAttribute("aria-expanded", String(!open));
  if (open) row.nextElementSibling.remove();
  else row.after(h("tr", { class: "open" }, h("td", { colspan: columns }, content())));
}
function obligationTable(list, caption) {
  return h("div", { class: "scroll" }, h("table", { class: "list" }, h("caption", { class: "sr" }, caption),
    h("thead", null, h("tr", null, h("th", { scope: "col", class: "c-verdict" }, "verdict"), h("th", { scope: "col", class: "c-criterion" }, "criterion"), h("th", { scope: "col", class: "c-place" }, "place"), h("th", { scope: "col" }, "what is asked"))),
    h("tbody", null, list.map(obligationRow))));
}
const ORDERS = {
  verdict: (a, b) => WEIGHT[b.verdict] - WEIGHT[a.verdict],
  criterion: (a, b) => raw.criteria.findIndex(([name]) => name === a.criterion) - raw.criteria.findIndex(([name]) => name === b.criterion),
  place: (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.span[0] - b.span[0] || a.span[1] - b.span[1],
  text: (a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0),
};
function chosen() {
  const q = filter.q.toLowerCase();
  const found = obligations.filter((one) =>
    (!filter.criterion || one.criterion === filter.criterion) && (!filter.verdict || VERDICTS[one.verdict] === filter.verdict) &&
    (!filter.file || one.file === filter.file) &&
    (!q || one.text.toLowerCase().includes(q) || one.id.toLowerCase().includes(q) || (one.reason || "").toLowerCase().includes(q)));
  const order = ORDERS[filter.sort] || ORDERS.place;
  const sign = filter.down ? -1 : 1;
  return found.sort((a, b) => sign * order(a, b) || a.index - b.index);
}
function showObligations(query) {
  for (const name of ["q", "criterion", "verdict", "file"]) filter[name] = query.get(name) || "";
  filter.sort = query.get("sort") || "place";
  filter.down = query.get("down") === "1";
  if (!obligationBody) buildObligations();
  for (const name of ["q", "criterion", "verdict", "file"]) {
    const field = document.getElementById(`filter-${name}`);
    if (field !== document.activeElement) field.value = filter[name];
  }
  fillObligations();
}
// The address says what is shown, so that it can be sent to somebody.
function refilter() {
  const query = new URLSearchParams();
  for (const name of ["q", "criterion", "verdict", "file"]) {
    filter[name] = document.getElementById(`filter-${name}`).value;
    if (filter[name]) query.set(name, filter[name]);
  }
  if (filter.sort !== "place") query.set("sort", filter.sort);
  if (filter.down) query.set("down", "1");
  history.replaceState(null, "", `#/obligations${query.size ? "?" + query : ""}`);
  fillObligations();
}
function buildObligations() {
  const select = (name, label, options) => h("label", null, label, h("select", { id: `filter-${name}`, onchange: refilter },
    h("option", { value: "" }, "all"), options.map(([value, text]) => h("option", { value }, text))));
  const files = [...new Set(obligations.map((one) => one.file))].sort();
  const column = (name, label, className) => h("th", { scope: "col", class: className, "data-sort": name },
    h("button", { type: "button", onclick: () => { filter.down = filter.sort === name && !filter.down; filter.sort = name; refilter(); } }, label));
  obligationBody = h("tbody", null);
  obligationsView.replaceChildren(
    h("div", { class: "filters", role: "search" },
      h("label", null, "text, id or reason", h("input", { id: "filter-q", type: "search", oninput: refilter })),
      select("criterion", "criterion", raw.criteria), select("verdict", "verdict", VERDICTS.map((name) => [name, name])),
      select("file", "file", files.map((name) => [name, name])),
      h("button", { type: "button", onclick: () => { for (const name of ["q", "criterion", "verdict", "file"]) document.getElementById(`filter-${name}`).value = ""; refilter(); } }, "Clear"),
      h("span", { role: "status", id: "found" })),
    h("div", { class: "scroll" }, h("table", { class: "list" }, h("caption", { class: "sr" }, "Obligations"),
      h("thead", null, h("tr", null, column("verdict", "verdict", "c-verdict"), column("criterion", "criterion", "c-criterion"), column("place", "place", "c-place"), column("text", "what is asked"))),
      obligationBody)),
    h("button", { type: "button", class: "more", id: "more", onclick: () => addRows() }, "Show more"));
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) addRows(); }, { rootMargin: "600px" }).observe(document.getElementById("more"));
}
let pending = [];
function fillObligations() {
  pending = chosen();
  document.getElementById("found").textContent = `${pending.length} of ${counted(obligations.length, "obligation")}`;
  for (const head of obligationsView.querySelectorAll("th[data-sort]")) {
    if (head.dataset.sort === filter.sort) head.setAttribute("aria-sort", filter.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  obligationBody.replaceChildren();
  addRows();
}
function addRows() {
  obligationBody.append(...pending.splice(0, CHUNK).map(obligationRow));
  const more = document.getElementById("more");
  more.hidden = pending.length === 0;
  more.textContent = `Show more (${pending.length} left)`;
}
function showObligation(id) {
  const one = byId.get(id);
  obligationBody = null;
  if (!one) {
    obligationsView.replaceChildren(h("p", { class: "note warning" }, "There is no obligation ", h("code", null, id), " in this report."));
    return;
  }
  obligationsView.replaceChildren(h("h2", null, badge(one.verdict), " ", one.title), facts(one),
    h("p", null, h("a", { href: "#/obligations" }, "All obligations")),
    ...(one.decision ? [decisionPanel(one.decision)] : []));
}

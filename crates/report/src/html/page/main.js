// Which part is shown follows the address, so that every part can be linked to.
const VIEWS = ["overview", "source", "obligations", "tests", "mutation", "about"];
function show(name) {
  for (const view of VIEWS) document.getElementById(`view-${view}`).hidden = view !== name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
function route() {
  if (location.hash && !location.hash.startsWith("#/")) return;
  const [path, query] = location.hash.slice(2).split("?");
  const [part, ...rest] = path.split("/");
  const argument = (at) => { try { return rest[at] === undefined ? null : decodeURIComponent(rest[at]); } catch { return null; } };
  if (part === "source") { show("source"); showSource(argument(0), Number((argument(1) || "").replace("L", "")) || null, null); }
  else if (part === "decision") {
    const one = byKey.get(argument(0));
    show("source");
    if (one) showSource(one.file, null, one);
    else showSource(null, null, null);
  } else if (part === "obligations") { show("obligations"); showObligations(new URLSearchParams(query || "")); }
  else if (part === "obligation") { show("obligations"); showObligation(argument(0)); }
  else if (part === "tests" || part === "test") { show("tests"); showTests(part === "test" ? argument(0) : null); }
  else if (part === "mutation" || part === "about") { show(part); window.scrollTo(0, 0); }
  else show("overview");
}
const THEMES = ["auto", "dark", "light"];
const themeButton = document.getElementById("theme");
function setTheme(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
  themeButton.textContent = { auto: "◐ auto", dark: "● dark", light: "○ light" }[theme];
  themeButton.setAttribute("aria-label", `Colours: ${theme === "auto" ? "as the system" : theme}`);
  themeButton.dataset.theme = theme;
  try { localStorage.setItem("obligato-theme", theme); } catch { /* a page from a file may have no storage */ }
}
themeButton.addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(themeButton.dataset.theme) + 1) % 3]));
let remembered = null;
try { remembered = localStorage.getItem("obligato-theme"); } catch { /* as above */ }
setTheme(THEMES.includes(remembered) ? remembered : "auto");
window.addEventListener("hashchange", route);
route();
document.documentElement.dataset.ready = "yes";

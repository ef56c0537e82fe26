"use strict";
// Live tables: one event stream per browser, shared by its tabs; the page is fetched anew when its table changed.

const root = document.body.dataset.root;
const news = new BroadcastChannel("talion");
const watched = new Set();
let source = null;

const table = () => document.getElementById("table");
const shownTable = () => table() ?? document.getElementById("replay");

// -------------------------------------------------------------------- one stream for all tabs

function listen() {
  if (source) source.close();
  const query = watched.size ? "?watch=" + [...watched].join(",") : "";
  source = new EventSource(root + "/api/events" + query);
  for (const kind of ["match", "table", "chat"]) {
    source.addEventListener(kind, (event) => {
      const message = { kind, ...JSON.parse(event.data) };
      news.postMessage(message);
      heard(message);
    });
  }
}

function wantsWatching(of) {
  // A table's id is watched; a seat of mine is followed anyway.
  if (of.includes("-") || watched.has(of)) return;
  watched.add(of);
  if (source) listen();
}

news.onmessage = ({ data }) => (data.watch ? wantsWatching(data.watch) : heard(data));

if (table()) {
  wantsWatching(table().dataset.of);
  news.postMessage({ watch: table().dataset.of });
  // Whichever tab holds the lock keeps the stream; when it closes, the next one takes over.
  navigator.locks.request("talion stream", () => {
    listen();
    return new Promise(() => {});
  });
}

// -------------------------------------------------------------------- drawing what changed

let fetching = false;
let again = false;

function heard(message) {
  const here = table();
  if (!here || message.of !== here.dataset.of) return;
  if (message.kind === "match" && String(message.number) === here.dataset.number) return;
  refresh();
}

async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    const reply = await fetch(location.pathname + location.search, { headers: { accept: "text/html" } });
    if (reply.ok) show(await reply.text());
  } finally {
    fetching = false;
  }
  if (again) {
    again = false;
    refresh();
  }
}

function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const asked = table()?.dataset.asked;
  const change = () => {
    // A page asked for earlier may come later: what is shown never goes back.
    const next = page.getElementById("table");
    const here = table();
    if (next && here?.dataset.of === next.dataset.of && Number(next.dataset.number) < Number(here.dataset.number)) return;
    const typed = keepTyped();
    const before = remembered();
    document.title = page.title;
    document.getElementById("main").replaceWith(page.getElementById("main"));
    typed();
    nameCards();
    markChanges(before);
    tidyGuide();
    if (asked === "no" && table()?.dataset.asked === "yes") myTurn();
  };
  nameCards();
  if (document.startViewTransition && moves()) {
    // One change may overtake another; the one overtaken is shown at once.
    const moved = document.startViewTransition(change);
    moved.ready.catch(() => {});
    moved.finished.catch(() => {});
  } else change();
}

// What was on the table, so that what changed can be marked.
function remembered() {
  const here = shownTable();
  return {
    numbers: [...(here?.querySelectorAll("[data-n]") ?? [])].map((number) => number.textContent),
    cards: new Set([...(here?.querySelectorAll("[data-card]") ?? [])].map((card) => card.dataset.card)),
    lines: Number(here?.querySelector(".log ol")?.getAttribute("start") ?? 0),
  };
}

function markChanges(before) {
  const here = shownTable();
  if (!here) return;
  const numbers = [...here.querySelectorAll("[data-n]")];
  if (numbers.length === before.numbers.length) {
    numbers.forEach((number, i) => number.classList.toggle("changed", number.textContent !== before.numbers[i]));
  }
  if (before.cards.size) {
    for (const card of here.querySelectorAll("[data-card]")) {
      card.classList.toggle("new", !before.cards.has(card.dataset.card));
    }
  }
  const log = here.querySelector(".log ol");
  if (log && before.lines) {
    const news = Number(log.getAttribute("start")) - before.lines;
    [...log.children].slice(0, Math.max(0, news)).forEach((line) => line.classList.add("new"));
  }
}

// What somebody is typing, where the focus is and what is unfolded stay as they are.
function keepTyped() {
  const words = document.querySelector("input[name=words]")?.value;
  const focus = document.activeElement?.name;
  const open = [...document.querySelectorAll("details")].map((fold) => fold.open);
  return () => {
    const field = document.querySelector("input[name=words]");
    if (field && words) field.value = words;
    if (focus === "words") field?.focus();
    const folds = [...document.querySelectorAll("details")];
    if (folds.length === open.length) folds.forEach((fold, i) => (fold.open = open[i]));
  };
}

function nameCards() {
  const named = new Set();
  for (const card of document.querySelectorAll("[data-card]")) {
    // A card may be drawn twice, where it lies and where it is spoken of; one of the two moves.
    const first = !named.has(card.dataset.card);
    named.add(card.dataset.card);
    card.style.viewTransitionName = first ? "card-" + card.dataset.card : "none";
  }
}

// -------------------------------------------------------------------- forms, without leaving the page

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!table() || form.method !== "post") return;
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) {
    event.preventDefault();
    return;
  }
  event.preventDefault();
  const words = form.querySelector("input[name=words]");
  const body = new URLSearchParams(new FormData(form, event.submitter));
  if (words) words.value = "";
  const reply = await fetch(form.action, { method: "POST", body });
  const to = new URL(reply.url);
  if (reply.redirected && to.pathname !== location.pathname) location.assign(reply.url);
  else show(await reply.text());
});

// -------------------------------------------------------------------- looking back: moments, at a pace of one's own

let running = 0;

function atReplay() {
  const run = document.getElementById("run");
  if (!run) return;
  run.hidden = document.getElementById("pace").hidden = false;
  run.textContent = running ? "Pause" : "Run";
  document.querySelector(".slider input[type=range]").addEventListener("change", (event) => event.target.form.requestSubmit());
}

async function goTo(url) {
  const pace = document.querySelector("#pace select")?.value;
  const reply = await fetch(url);
  if (!reply.ok) return;
  show(await reply.text());
  history.replaceState(null, "", url);
  setTimeout(() => {
    const select = document.querySelector("#pace select");
    if (select && pace) select.value = pace;
    atReplay();
  }, 30);
}

function runOn() {
  const here = document.getElementById("replay");
  if (!running || !here) return;
  if (here.dataset.at === here.dataset.last) {
    running = 0;
    atReplay();
    return;
  }
  goTo(here.querySelector("a[rel=next]").href).then(() => {
    running = setTimeout(runOn, Number(document.querySelector("#pace select").value));
  });
}

document.addEventListener("click", (event) => {
  if (!document.getElementById("replay") || !(event.target instanceof Element)) return;
  const link = event.target.closest("#replay .asked a");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    goTo(link.href);
  } else if (event.target.id === "run") {
    if (running) clearTimeout(running);
    running = running ? 0 : 1;
    event.target.textContent = running ? "Pause" : "Run";
    runOn();
  }
});
atReplay();

// -------------------------------------------------------------------- a card in full: hover, focus, long press

let pressed = null;

function openSheet(card) {
  const sheet = document.getElementById("sheet-" + card.dataset.sheet);
  if (!sheet || sheet.classList.contains("open")) return;
  closeSheets();
  sheet.classList.add("open");
  // Beside the card, on the side where there is room.
  const at = card.getBoundingClientRect();
  const wide = sheet.offsetWidth;
  const left = at.right + wide + 12 < innerWidth ? at.right + 8 : Math.max(8, at.left - wide - 8);
  sheet.style.left = left + "px";
  sheet.style.right = "auto";
  sheet.style.top = Math.max(8, Math.min(at.top, innerHeight - sheet.offsetHeight - 8)) + "px";
}

function closeSheets() {
  for (const sheet of document.querySelectorAll(".sheet.open")) sheet.classList.remove("open");
}

const cardOf = (event) => (event.target instanceof Element ? event.target.closest("[data-sheet]") : null);
let hovering = 0;
document.addEventListener("pointerover", (event) => {
  clearTimeout(hovering);
  const card = event.pointerType === "mouse" && cardOf(event);
  if (card) hovering = setTimeout(() => openSheet(card), 450);
  else if (event.pointerType === "mouse" && !event.target.closest?.(".sheet")) closeSheets();
});
document.addEventListener("focusin", (event) => {
  const card = event.target.matches?.(":focus-visible") && cardOf(event);
  if (card) openSheet(card);
  else if (!event.target.closest?.(".sheet")) closeSheets();
});
document.addEventListener("touchstart", (event) => {
  const card = cardOf(event);
  if (card) pressed = setTimeout(() => openSheet(card), 500);
  else if (!event.target.closest?.(".sheet")) closeSheets();
}, { passive: true });
for (const end of ["touchend", "touchmove", "touchcancel"]) {
  document.addEventListener(end, () => clearTimeout(pressed), { passive: true });
}
document.addEventListener("click", (event) => {
  const about = event.target.closest?.("a.about");
  if (about) {
    event.preventDefault();
    openSheet(about.closest("[data-sheet]"));
  } else if (event.target.closest?.(".sheet .close")) {
    event.preventDefault();
    closeSheets();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSheets();
  const typing = event.target.matches?.("input, select, textarea");
  if (event.key === "r" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    document.querySelector(".rules-key")?.click();
  }
});

// -------------------------------------------------------------------- comfort: sound, motion, notices, the guide

document.documentElement.classList.add("scripted");

function kept(name, otherwise) {
  const box = document.getElementById(name);
  if (!box) return;
  box.checked = (localStorage.getItem("talion " + name) ?? otherwise) === "yes";
  box.addEventListener("change", () => {
    localStorage.setItem("talion " + name, box.checked ? "yes" : "no");
    if (name === "notify" && box.checked) window.Notification?.requestPermission();
    document.body.classList.toggle("still", !moves());
  });
}

function moves() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return !calm && document.getElementById("motion")?.checked !== false;
}

function myTurn() {
  if (document.getElementById("sound")?.checked) chime();
  if (document.hidden && document.getElementById("notify")?.checked && window.Notification?.permission === "granted") {
    new Notification(document.title);
  }
}

function chime() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const soft = audio.createGain();
  tone.frequency.value = 392;
  soft.gain.setValueAtTime(0.08, audio.currentTime);
  soft.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.5);
  tone.connect(soft).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}

// The guide of a first match stays closed once it has been closed.
function tidyGuide() {
  for (const guide of document.querySelectorAll("[data-guide]")) {
    const name = "talion guide " + guide.dataset.guide;
    if (localStorage.getItem(name)) guide.open = false;
    guide.addEventListener("toggle", () => {
      if (!guide.open) localStorage.setItem(name, "closed");
      else localStorage.removeItem(name);
    });
  }
}

kept("sound", "no");
kept("motion", "yes");
kept("notify", "no");
document.body.classList.toggle("still", !moves());
tidyGuide();
nameCards();

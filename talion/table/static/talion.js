"use strict";
// Live tables: one event stream per browser, shared by its tabs; the page is fetched anew when its table changed.

const root = document.body.dataset.root;
const news = new BroadcastChannel("talion");
const watched = new Set();
let source = null;

const table = () => document.getElementById("table");

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
  const change = () => {
    const typed = keepTyped();
    document.title = page.title;
    document.getElementById("main").replaceWith(page.getElementById("main"));
    typed();
    nameCards();
  };
  nameCards();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (document.startViewTransition && !calm) document.startViewTransition(change);
  else change();
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
  for (const card of document.querySelectorAll("[data-card]")) {
    card.style.viewTransitionName = "card-" + card.dataset.card;
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

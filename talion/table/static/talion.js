"use strict";
// Live tables: one event stream per browser, shared by its tabs; the page is fetched anew when its table changed.

const root = document.body.dataset.root;
const news = new BroadcastChannel("talion " + root);

const table = () => document.getElementById("table");
const shownTable = () => table() ?? document.getElementById("replay");

// -------------------------------------------------------------------- one stream for all tabs

// A browser has six connections to a host, whatever the number of its tabs: so one tab keeps the stream, and passes on what
// it hears. The tabs settle by messages which one does; locks would be simpler, but there are none over plain http, as in a
// house. The timers of a hidden tab are held back, its messages are not: so the one who keeps the stream only ever answers.

const me = Math.random();
const watched = new Set();
let source = null;
let keeper = null;
let answered = true;

// Ask who keeps the stream, and say what is to be heard of; whoever had no answer to the last question keeps it.
function tend() {
  if (source) return;
  if (!answered) return keep();
  answered = false;
  ask();
}

const ask = () => news.postMessage({ asks: me, of: table()?.dataset.of });

function keep() {
  watch(table()?.dataset.of);
  listen();
  news.postMessage({ keeps: me });
}

function listen() {
  source?.close();
  const query = watched.size ? "?watch=" + [...watched].join(",") : "";
  const opened = (source = new EventSource(root + "/api/events" + query));
  opened.addEventListener("open", () => say({ trouble: "" }));
  opened.addEventListener("error", () => {
    say({ trouble: UNREACHABLE });
    // After a broken connection the browser tries again by itself; after a reply that is no stream, it does not. Then the
    // first tab that comes to it opens another.
    if (opened.readyState === EventSource.CLOSED) leave(2000);
  });
  for (const kind of ["match", "table", "chat"]) {
    opened.addEventListener(kind, (event) => say({ kind, ...JSON.parse(event.data) }));
  }
}

function watch(of) {
  // A table's id is watched; a seat of mine is followed anyway.
  if (!of || of.includes("-") || watched.has(of)) return;
  watched.add(of);
  if (source) listen();
}

function release() {
  source?.close();
  source = null;
}

function leave(wait) {
  if (!source) return;
  release();
  news.postMessage({ leaves: wait });
  isLeft(wait);
}

function isLeft(wait) {
  answered = false;
  setTimeout(tend, wait + 200 * Math.random());
}

function isAsked(of) {
  if (!source) return;
  watch(of);
  news.postMessage({ keeps: me });
}

function isKept(by) {
  answered = true;
  if (source && by > me) return news.postMessage({ keeps: me }); // of two, the lower number goes on
  release();
  if (keeper !== by) ask(); // a new keeper has to be told what is to be heard of
  keeper = by;
}

// To this tab and to the others.
function say(message) {
  news.postMessage(message);
  heard(message);
}

if (table()) {
  news.onmessage = ({ data }) => {
    if (data.asks) isAsked(data.of);
    else if (data.keeps) isKept(data.keeps);
    else if (data.leaves !== undefined) isLeft(data.leaves);
    else heard(data);
  };
  tend();
  setTimeout(tend, 100 + 200 * Math.random());
  setInterval(tend, 3000);
  addEventListener("pagehide", () => leave(0));
  addEventListener("pageshow", (event) => event.persisted && refresh());
}

// -------------------------------------------------------------------- drawing what changed

const UNREACHABLE = "The table cannot be reached. Trying again…";
let asking = 0; // requests on their way that bring a page of the table
let again = false; // something was told meanwhile that their pages may not have
let known = Number(table()?.dataset.number ?? 0); // how far the newest page is that came, shown or soon to be
let wanted = 0; // how far the match is said to be since they were asked for

function heard(message) {
  if (message.trouble !== undefined) {
    showWords("trouble", message.trouble);
    if (!message.trouble) refresh(); // the stream begins: what was told before it is seen now
    return;
  }
  const here = table();
  if (here?.querySelector(`[data-seat="${message.of}"]:not([aria-current])`)) return refresh();
  if (!here || message.of !== here.dataset.of) return;
  if (message.kind !== "match") return refresh();
  if (message.number <= known) return;
  wanted = message.number;
  if (!asking) refresh();
}

function showWords(id, words) {
  const place = document.getElementById(id);
  place.textContent = words;
  place.hidden = !words;
  if (id === "notice") leavesAlone();
}

// A notice lies over the table: it goes by itself when there was time to read it.
let reading = 0;
function leavesAlone() {
  clearTimeout(reading);
  const words = document.getElementById("notice").textContent;
  if (words && table()) reading = setTimeout(() => showWords("notice", ""), 3000 + 70 * words.length);
}

function unreachable() {
  showWords("trouble", UNREACHABLE);
  setTimeout(refresh, 2000);
}

async function refresh() {
  if (!table()) return;
  if (asking) {
    again = true;
    return;
  }
  begin();
  try {
    const reply = await fetch(since(location.pathname + location.search), { headers: { accept: "text/html" } });
    // That a seat is no longer one's own is said by a page too.
    const page = reply.ok || [403, 404].includes(reply.status) ? await pageOf(reply) : null;
    if (page) {
      showWords("trouble", "");
      await show(page);
    } else unreachable();
  } catch {
    unreachable();
  } finally {
    end();
  }
}

// An answer is replied with the table as it stands then: what is told of it meanwhile is no reason to ask once more.
function begin() {
  asking += 1;
  wanted = 0;
}

function end() {
  asking -= 1;
  if (asking || !(again || wanted > known)) return;
  again = false;
  refresh();
}

// The page in a reply; none if something between us and the server replied.
async function pageOf(reply) {
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return page.getElementById("main") ? page : null;
}

// A new page of the table: first what happened since the last one is played out, then it is shown. Of those that come
// meanwhile the newest is next.
let showing = null;
let newest = null;

function show(page) {
  newest = page;
  known = Math.max(known, Number(page.getElementById("table")?.dataset.number ?? 0));
  showing ??= showAll().finally(() => (showing = null));
  return showing;
}

async function showAll() {
  while (newest) {
    const page = newest;
    newest = null;
    // A match that begins is another kind of page.
    const begins = page.body.matches(".at-table") !== document.body.matches(".at-table");
    if (begins && page.getElementById("table")) return location.reload();
    await playOut(page);
    await draw(page); // the next page is asked for with what happened after this one
  }
}

// In one go, or as a movement of everything that lies elsewhere now.
async function change(how) {
  nameCards();
  if (!document.startViewTransition || !moves()) return how();
  // One change may overtake another; the one overtaken is shown at once.
  const moved = (moving = document.startViewTransition(how));
  document.body.classList.add("moving");
  moved.ready.catch(() => {});
  await moved.finished.catch(() => {});
  if (moving !== moved) return;
  moving = null;
  document.body.classList.remove("moving");
}

// It is done when the table is drawn; what moves goes on moving.
function draw(page) {
  const asked = table()?.dataset.asked;
  return new Promise((drawn) => {
    change(() => {
      try {
        lay(page, asked);
      } finally {
        drawn();
      }
    });
  });
}

function lay(page, asked) {
  // A page asked for earlier may come later: what is shown never goes back, nor is a question put aside.
  const next = page.getElementById("table");
  const here = table();
  if (next && !here) return;
  if (next && here.dataset.of === next.dataset.of && Number(next.dataset.number) < Number(here.dataset.number)) return;
  const before = remembered();
  document.title = page.title;
  morph(document.getElementById("main"), page.getElementById("main"));
  shownAt = Date.now();
  toldTo = Number(document.querySelector(".told")?.dataset.lines ?? 0);
  nameCards();
  markChanges(before);
  laid();
  atReplay();
  if (!table() && here) document.getElementById("main").focus(); // something is asked in the table's place
  if (asked === "no" && table()?.dataset.asked === "yes") myTurn();
}

// -------------------------------------------------------------------- what happened is played out, one thing after the other

let hurry = null; // ends the play-out that is on
let toldTo = 0; // up to which line of the log the latest frame told: a page asked for while it was told brings it once more

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const paceOfPlay = () => Number(document.getElementById("pace-of-play")?.value ?? 1);

// A page is asked for with what happened since the lines of the log that are shown now, if it is to be seen.
function since(path) {
  const told = document.querySelector(".told");
  const lines = told && table() && moves() && paceOfPlay() && !document.hidden ? told.dataset.lines : "";
  return `${path}${path.includes("?") ? "&" : "?"}since=${lines}`;
}

async function playOut(page) {
  const [next, here, frames] = [page.getElementById("table"), table(), page.getElementById("frames")];
  if (!next || !here || !frames || Number(next.dataset.number) <= Number(here.dataset.number)) return;
  const all = [...frames.querySelectorAll("template")];
  const untold = all.filter((frame) => Number(frame.dataset.lines) > toldTo);
  if (all.length && !untold.length) return;
  await playFrames(untold, Number(frames.dataset.count), next.querySelector("#stage"));
}

// A frame brings its stage; or only what is told, while all the rest lay as it lies now.
function stageOf(frame, now) {
  const stage = frame.content.getElementById("stage");
  if (stage) return stage;
  const same = now.cloneNode(true);
  same.querySelector("#ribbon").replaceWith(frame.content.getElementById("ribbon"));
  return same;
}

async function playFrames(frames, count, now) {
  if (!frames.length) {
    if (count) showWords("notice", `Much has happened since you last looked: ${count} things. What happened shows them.`);
    return;
  }
  let skip;
  const skipped = new Promise((done) => (skip = done));
  hurry?.();
  hurry = () => {
    skip(true);
    moving?.skipTransition();
  };
  const mine = hurry;
  document.body.classList.add("playing-out");
  putBack();
  const you = table().dataset.you;
  const quick = Math.max(250, Math.min(700, 4500 / frames.length)); // a usual answer is told in less than five seconds
  for (const frame of frames) {
    toldTo = Number(frame.dataset.lines);
    const each = quick * paceOfPlay() * (frame.dataset.by === you ? 0.6 : 1);
    document.documentElement.style.setProperty("--each", Math.round(each * 0.6) + "ms");
    const seen = change(() => {
      const before = remembered();
      morph(document.getElementById("stage"), stageOf(frame, now));
      nameCards();
      markChanges({ ...before, lines: 0 });
      fit();
    });
    if (await Promise.race([Promise.all([seen, wait(each)]).then(() => false), skipped])) break;
  }
  if (hurry !== mine) return;
  hurry = null;
  document.documentElement.style.removeProperty("--each");
  document.body.classList.remove("playing-out");
}

// A click or a key skips to the end, and does nothing else.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, (event) => {
    if (!hurry || event.target.closest?.("input, select, textarea, .tools, .feed")) return;
    hurry();
    skippedAt = Date.now();
    event.stopImmediatePropagation();
  }, true);
}
let skippedAt = 0;
addEventListener("click", (event) => {
  if (Date.now() - skippedAt > 400 || event.target.closest?.(".tools, .feed")) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, true);

// While cards move, the browser sees no clicks on them: whoever presses ends the movement, and the click is given to what lies there.
let moving = null;
addEventListener("pointerdown", () => moving?.skipTransition(), true);
addEventListener("click", (event) => {
  if (event.target !== document.documentElement || !table()) return;
  const meant = document.elementFromPoint(event.clientX, event.clientY);
  if (meant && meant !== document.documentElement) meant.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: event.clientX, clientY: event.clientY }));
});

// What was on the table, so that what changed can be marked.
function remembered() {
  const here = shownTable();
  const numbers = [...(here?.querySelectorAll("[data-n]") ?? [])].map((number) => [number.dataset.n, number.textContent]);
  const crowd = here?.querySelector("[data-crowd]");
  return {
    numbers: new Map(numbers),
    lines: Number(here?.querySelector(".told")?.dataset.lines ?? 0),
    dice: [...(here?.querySelectorAll("[data-dice] > *") ?? [])].map(faceOf),
    crowd: crowd?.dataset.crowd,
    people: peopleIn(crowd).map((one) => ({ one, says: one.dataset.says, thing: one.dataset.thing, at: one.getBoundingClientRect() })),
  };
}

const faceOf = (die) => die.getAttribute("aria-label") ?? "";
const peopleIn = (crowd) => [...(crowd?.querySelectorAll("[data-falls]") ?? [])];

// Dice that were not there before, or lay on another face, roll.
function rollDice(before) {
  const old = [...before];
  for (const die of document.querySelectorAll("[data-dice] > *")) {
    const at = old.indexOf(faceOf(die));
    die.classList.toggle("rolls", at < 0);
    if (at >= 0) old.splice(at, 1);
  }
}

// Of whom there are fewer in a room than before, and fewer in all rooms, one falls.
function letFall(before) {
  const crowd = shownTable().querySelector("[data-crowd]");
  if (!moves() || !crowd || crowd.dataset.crowd !== before.crowd) return;
  const left = peopleIn(crowd);
  const number = (list, name, value) => list.filter((one) => one[name] === value).length;
  const fewer = (name, value) => number(now, name, value) < number(before.people, name, value);
  const now = left.map((one) => ({ says: one.dataset.says, thing: one.dataset.thing }));
  for (const { one, says, thing, at } of before.people) {
    if (!at.width || !fewer("says", says) || !fewer("thing", thing)) continue;
    now.push({ says, thing });
    const ghost = one.cloneNode(true);
    for (const name of ["data-thing", "data-falls", "tabindex", "role", "aria-label"]) ghost.removeAttribute(name);
    ghost.classList.remove("lit", "taken");
    ghost.classList.add("falls");
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, { left: at.left + "px", top: at.top + "px", width: at.width + "px", height: at.height + "px" });
    document.querySelector(".match").append(ghost);
    setTimeout(() => ghost.remove(), 900);
  }
}

// Numbers that changed let the difference float off them; dice roll, who is killed falls, new lines of the feed light up.
function markChanges(before) {
  const here = shownTable();
  if (!here) return;
  rollDice(before.dice);
  letFall(before);
  for (const number of here.querySelectorAll("[data-n]")) {
    const was = before.numbers.get(number.dataset.n);
    if (was !== undefined && was !== number.textContent) float(number, Number(number.textContent) - Number(was));
  }
  const told = here.querySelector(".told");
  if (!told || !before.lines) return;
  const news = Number(told.dataset.lines) - before.lines;
  [...told.querySelectorAll("p")].forEach((line, i) => line.classList.toggle("new", i < news));
}

function float(number, change) {
  if (!change || !moves()) return;
  const at = number.getBoundingClientRect();
  if (!at.width) return;
  const mark = document.createElement("span");
  mark.className = change > 0 ? "floats more" : "floats";
  mark.textContent = change > 0 ? `+${change}` : `−${-change}`;
  mark.style.left = at.right + 2 + "px";
  mark.style.top = at.top + "px";
  mark.setAttribute("aria-hidden", "true");
  (number.closest(".match") ?? document.body).append(mark);
  mark.addEventListener("animationend", () => mark.remove());
  setTimeout(() => mark.remove(), 2000);
}

// Make `here` like `next`, keeping every element that both have: what somebody presses, types, unfolds or has in focus
// stays under their hand while the rest of the table changes.
function morph(here, next) {
  if (isOurs(here)) return;
  if (here.nodeType !== Node.ELEMENT_NODE) {
    if (here.nodeValue !== next.nodeValue) here.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...here.attributes]) {
    if (!next.hasAttribute(name) && !isTheirs(here, name)) here.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (here.getAttribute(name) !== value && !isTheirs(here, name)) here.setAttribute(name, value);
  }
  if (here.matches("input[type=range]")) here.value = next.value;
  const known = new Map([...here.childNodes].filter(keyOf).map((child) => [keyOf(child), child]));
  let at = here.firstChild;
  for (const child of [...next.childNodes]) {
    const key = keyOf(child);
    const same = key ? known.get(key) : at && !keyOf(at) && at.nodeName === child.nodeName ? at : undefined;
    if (!same || same.nodeName !== child.nodeName) {
      here.insertBefore(child, at);
      continue;
    }
    known.delete(key);
    if (same === at) at = at.nextSibling;
    else here.insertBefore(same, at);
    morph(same, child);
  }
  while (at) {
    const rest = at.nextSibling;
    if (!isOurs(at)) at.remove();
    at = rest;
  }
}

// What makes an element the same one in two pages: an option's button never turns into another option's.
const keyOf = (node) => node.id || node.dataset?.thing || (node.nodeName === "BUTTON" && node.value) || "";

// What the person at the screen has done to an element, which the server does not know: unfolded it.
const isTheirs = (element, attribute) =>
  (attribute === "open" && element.matches("details")) || ((attribute === "style" || attribute === "data-opened") && element.matches("[popover], .grid .card")) ||
  (attribute === "hidden" && element.matches(".grid .card"));

// What our script has put on the page stays: what is held in the hand, what floats.
const isOurs = (node) => node.nodeType === Node.ELEMENT_NODE && node.matches("#held, #turns, .floats, .falls, .would, .gallery input");

function nameCards() {
  const named = new Set();
  for (const card of document.querySelectorAll("[data-card]")) {
    // A card may be drawn twice, where it lies and where it is spoken of; one of the two moves. What is not shown does not.
    const first = !named.has(card.dataset.card) && card.checkVisibility() && inItsRow(card);
    named.add(card.dataset.card);
    card.style.viewTransitionName = first ? "card-" + card.dataset.card : "none";
  }
}

// What moves is drawn over everything: so in a row that is swiped, what its edge cuts off does not.
function inItsRow(card) {
  const rows = [card.closest(".cards"), card.closest(".swept")].filter((row) => row && row.scrollWidth > row.clientWidth + 2);
  const at = rows.length && card.getBoundingClientRect();
  return rows.map((row) => row.getBoundingClientRect()).every((box) => at.left > box.left - 4 && at.right < box.right + 4);
}

// -------------------------------------------------------------------- clocks

let shownAt = Date.now();

setInterval(() => {
  for (const clock of document.querySelectorAll("[data-runs]")) {
    clock.textContent = inWords(Math.max(0, clock.dataset.left - Math.round((Date.now() - shownAt) / 1000)));
  }
}, 1000);

function inWords(seconds) {
  const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
  const two = (number) => String(number).padStart(2, "0");
  if (days) return `${days} ${days === 1 ? "day" : "days"} ${hours % 24} h`;
  return hours ? `${hours} h ${two(minutes % 60)} min` : `${minutes}:${two(seconds % 60)}`;
}

// -------------------------------------------------------------------- forms, without leaving the page

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!table() || form.method !== "post") return;
  event.preventDefault();
  putBack();
  showWords("notice", "");
  begin();
  try {
    await send(form, new URLSearchParams(new FormData(form, event.submitter)));
  } finally {
    end();
  }
});

async function send(form, body) {
  let reply, page;
  try {
    reply = await fetch(since(form.action), { method: "POST", body });
    page = await pageOf(reply);
  } catch {
    return unreachable();
  }
  if (!reply.ok || !page) return refused(reply, page);
  if (!page.getElementById("table") && !reply.redirected) return openOver(page); // are you sure?
  closeOver();
  const words = form.querySelector("input[name=words]");
  if (words) words.value = "";
  if (reply.redirected && new URL(reply.url).pathname !== location.pathname) return location.assign(reply.url);
  showWords("notice", page.getElementById("notice").textContent);
  await show(page);
}

// What was done does not count. The table stays as it is, so that one can try again, or something else.
function refused(reply, page) {
  showWords("notice", page?.getElementById("problem")?.textContent ?? "That did not reach the table. Try again.");
  if (reply.status !== 429) refresh();
}

// -------------------------------------------------------------------- looking back: moments, at a pace of one's own

let running = 0;

function atReplay() {
  const run = document.getElementById("run");
  if (!run) return;
  run.hidden = document.getElementById("pace").hidden = false;
  run.textContent = running ? "Pause" : "Run";
}

document.addEventListener("change", ({ target }) => {
  if (target.matches(".slider input[type=range]")) target.form.requestSubmit();
});

async function goTo(url) {
  const reply = await fetch(url);
  const page = reply.ok && (await pageOf(reply));
  if (!page) return;
  show(page);
  history.replaceState(null, "", url);
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
  const link = event.target.closest("#replay .ribbon a");
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

// -------------------------------------------------------------------- comfort: sound, motion, notices, the guide

document.documentElement.classList.add("scripted");

function kept(name, otherwise) {
  const box = document.getElementById(name);
  if (!box) return;
  box.checked = (localStorage.getItem("talion " + name) ?? otherwise) === "yes";
  box.addEventListener("change", () => {
    localStorage.setItem("talion " + name, box.checked ? "yes" : "no");
    if (name === "notify" && box.checked) Notification.requestPermission();
    settle();
  });
}

function moves() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return !calm && document.getElementById("motion")?.checked !== false;
}

function myTurn() {
  if (document.getElementById("sound")?.checked) chime();
  if (document.hidden && document.getElementById("notify")?.checked) notifyMe();
}

// Over plain http there are no notices, and a phone's browser may have them for installed pages alone.
const canNotify = () => window.isSecureContext && "Notification" in window;

function notifyMe() {
  if (!canNotify() || Notification.permission !== "granted") return;
  try {
    new Notification(document.title);
  } catch {
    document.getElementById("notify").checked = false;
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
for (const guide of document.querySelectorAll("[data-guide]")) {
  if (localStorage.getItem("talion guide " + guide.dataset.guide)) guide.open = false;
}
document.addEventListener("toggle", ({ target }) => {
  if (!target.dataset?.guide) return;
  if (target.open) localStorage.removeItem("talion guide " + target.dataset.guide);
  else localStorage.setItem("talion guide " + target.dataset.guide, "closed");
}, true);

kept("sound", "no");
kept("motion", "yes");
kept("notify", "no");
kept("oneclick", "no");
kept("spare", "yes");
const pace = document.getElementById("pace-of-play");
if (pace) {
  pace.value = localStorage.getItem("talion pace") ?? "1";
  pace.addEventListener("change", () => localStorage.setItem("talion pace", pace.value));
}
const notices = document.getElementById("notify")?.closest("label");
if (notices) notices.hidden = !canNotify();
leavesAlone();
const settle = () => document.body.classList.toggle("still", !moves());
settle();
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", settle);
nameCards();

"use strict";
// Acting on the things themselves. Every option is a button of the ribbon that says by which things one gets to it: its path. Here
// the things on the first steps of paths are lit; taking one up lights those that come next; at the end of a path the option
// is done. What has no thing on the table stays a button.

let options = []; // { button, path, any, verb, means, name }
let held = []; // the things taken up so far
const why = { number: null, page: null };

const ribbon = () => document.getElementById("ribbon");
const heldBar = () => document.getElementById("held");
const things = () => [...document.querySelectorAll("#stage [data-thing]")];
const thingsNamed = (name) => things().filter((thing) => thing.dataset.thing === name);
const isShown = (thing) => thing.checkVisibility() && !thing.closest("[popover]:not(:popover-open)");
const pileOf = (thing) => thing.closest("[popover]:not(:popover-open)");

// -------------------------------------------------------------------- what lies where

// After every change of the table: which options there are, and where they lie.
function laid() {
  for (const aside of document.querySelectorAll(".ending .aside")) aside.hidden = false;
  const drawn = new Set(things().map((thing) => thing.dataset.thing));
  options = [...document.querySelectorAll("#options .act")].map((button) => {
    const path = button.dataset.path.split(" ").filter((name) => drawn.has(name));
    button.classList.toggle("placed", path.length > 0);
    const name = button.querySelector(".what").textContent;
    return { button, path, any: "any" in button.dataset, verb: button.dataset.verb, means: button.dataset.means ?? "", name };
  });
  held = held.length && fitting(held).length ? held : [];
  closeMenu();
  light();
  openDraft();
  fit();
  bringLit();
  edges();
  spare();
  tellTurns();
}

// The only thing one can do is done by itself after a moment, unless it is grave, was just taken back, or one wants to be asked.
// Where other people could learn from the pace what one holds, it takes as long as one of one's own latest thoughts took: then
// nobody can tell a question with one answer from one with many. Whoever clicks does not wait.
let spared = 0;
let tookBack = false;
let asked = { number: null, at: 0 };
const thoughts = [4000, 6500, 9000]; // until there are some of one's own

function thought() {
  if (options.length < 2 || ribbon()?.matches(".window")) return;
  thoughts.push(Date.now() - asked.at);
  if (thoughts.length > 20 || thoughts.length === 4) thoughts.splice(0, thoughts.length === 4 ? 3 : 1);
}

function spareAfter() {
  if (table().dataset.alone === "yes") return moves() ? 900 : 300;
  return thoughts[Math.floor(Math.random() * thoughts.length)];
}

function spare() {
  clearTimeout(spared);
  const number = table()?.dataset.number;
  if (asked.number !== number) asked = { number, at: Date.now() };
  ribbon()?.classList.remove("sparing");
  const only = options.length === 1 && options[0].button;
  if (!only || only.matches(".grave") || tookBack || localStorage.getItem("talion spare") === "no") return;
  if (ribbon()?.matches(".window") || document.querySelector(".ended")) return; // a window has a pace of its own
  ribbon()?.classList.toggle("sparing", table().dataset.alone !== "yes");
  spared = setTimeout(() => only.isConnected && !document.querySelector("dialog[open], .menu:popover-open") && act(options[0]), spareAfter());
}
document.addEventListener("submit", (event) => {
  tookBack = event.target.matches(".take-back");
  if (event.target.id === "answer") thought();
}, true);

// Where the match turned is worked out when somebody looks.
async function tellTurns() {
  const place = document.getElementById("turns");
  if (!place || place.dataset.told) return;
  place.dataset.told = "yes";
  const reply = await fetch(place.dataset.load).catch(() => null);
  const page = reply?.ok && (await pageOf(reply));
  const list = page && page.querySelector("ol.turns");
  if (list) place.replaceChildren(list);
}

document.addEventListener("click", async (event) => {
  const share = event.target.closest?.("[data-share]");
  if (share && window.isSecureContext && navigator.clipboard) {
    event.preventDefault();
    await navigator.clipboard.writeText(share.href).catch(() => {});
    showWords("notice", "The link is copied: whoever opens it can watch the match.");
  }
  const shut = event.target.closest?.("[data-shut]");
  if (shut) document.getElementById(shut.dataset.shut).hidden = true;
});

// What is still to come of an option's path after these things; nothing at all if it does not go that way. What is shared out is
// given in any order.
function rest(option, path) {
  if (!option.any) return path.every((name, i) => option.path[i] === name) ? option.path.slice(path.length) : null;
  const left = [...option.path];
  return path.every((name) => left.includes(name) && left.splice(left.indexOf(name), 1)) ? left : null;
}

const fitting = (path) => options.filter((option) => rest(option, path));
const nextOf = (option) => (option.any ? rest(option, held) : rest(option, held)?.slice(0, 1)) ?? [];

function light() {
  const now = fitting(held);
  const next = new Set(now.flatMap(nextOf));
  document.querySelectorAll(".would").forEach((words) => words.remove());
  for (const thing of things()) {
    const name = thing.dataset.thing;
    const lit = next.has(name);
    thing.classList.toggle("lit", lit);
    thing.classList.toggle("taken", held.includes(name) && !(lit && held.at(-1) !== name));
    if (lit) label(thing, now.filter((option) => nextOf(option).includes(name)));
    else unlabel(thing, held.length ? fitting([name]).length > 0 : false);
  }
  for (const pile of document.querySelectorAll("#stage [data-opens]")) {
    const inside = document.getElementById(pile.dataset.opens);
    pile.classList.toggle("holds-lit", Boolean(inside?.querySelector(".lit")));
    pile.classList.toggle("lit", pile.classList.contains("lit") || Boolean(inside?.querySelector(".lit")));
  }
  document.querySelector(".match")?.classList.toggle("holding", held.length > 0);
  sayHeld(now);
  sayLit(now);
  if (held.length) bringLit();
  fitRibbon();
}

// A lit thing is a button, for keyboards and screen readers too; what would happen is written on it.
function label(thing, now) {
  thing.tabIndex = 0;
  thing.setAttribute("role", "button");
  const what = now.length === 1 ? `${now[0].name}. ${now[0].means}` : `${now.length} things to do`;
  thing.setAttribute("aria-label", `${saysOf(thing)}: ${what}`);
  if (!held.length || !isShown(thing)) return;
  const words = document.createElement("span");
  words.className = "would";
  words.textContent = shortly(now);
  words.setAttribute("aria-hidden", "true");
  const picture = thing.querySelector(":scope > .emblem");
  if (!picture) return void thing.append(words);
  // On a card it stands where the picture is, so that every word of the card is still read; where there is no room, at its foot.
  picture.after(words);
  words.classList.toggle("at-foot", thing.scrollHeight > thing.clientHeight + 1);
}

function unlabel(thing, stays) {
  if (thing.getAttribute("role") === "button" && !stays) {
    thing.removeAttribute("tabindex");
    thing.removeAttribute("role");
    thing.matches(".plate") ? thing.setAttribute("aria-label", saysOf(thing)) : thing.removeAttribute("aria-label");
  }
}

const saysOf = (thing) => thing?.dataset.says ?? "";
const unique = (list) => [...new Set(list)];

function shortly(now) {
  if (now.length > 1) return unique(now.map((option) => option.verb)).join(" or ");
  const [{ means, verb, name }] = now;
  return means && means.length <= 64 ? means : name.length <= 40 ? name : verb;
}

// The ribbon says what is held, what becomes of it, and offers what can be done with it right here.
function sayHeld(now) {
  const bar = heldBar();
  if (!bar) return;
  bar.hidden = !held.length;
  bar.replaceChildren();
  if (!held.length) return;
  const here = now.filter((option) => option.path.length === held.length);
  const further = now.filter((option) => option.path.length > held.length);
  const title = document.createElement("strong");
  const last = thingsNamed(held.at(-1))[0];
  const only = now.length === 1 ? now[0] : null;
  const [what, verbs] = [saysOf(last), unique(now.map((option) => option.verb)).join(", ")];
  title.textContent = only ? capital(only.name) : what === verbs ? capital(what) : `${capital(what)}: ${verbs}`;
  const words = document.createElement("span");
  words.className = "why";
  words.textContent = only ? only.means : further.length ? "Choose one that is lit." : "";
  const acts = document.createElement("span");
  acts.className = "acts";
  for (const option of here) acts.append(doing(option, here.length === 1 && !further.length && !option.any ? capital(option.verb) : capital(option.name)));
  const back = document.createElement("button");
  back.type = "button";
  back.className = "act back-again";
  back.textContent = "Put back";
  back.addEventListener("click", putBack);
  acts.append(back);
  bar.append(title, words, acts);
  bar.setAttribute("aria-live", "polite");
}

// Under the question: what a click on something lit is good for.
function sayLit(now) {
  const question = ribbon()?.querySelector(".question");
  question?.querySelector(".can")?.remove();
  const verbs = unique(now.filter((option) => option.path.length).map((option) => option.verb.replaceAll("_", " ")));
  if (!question || !verbs.length || held.length) return;
  const words = document.createElement("p");
  words.className = "can";
  words.textContent = `Click what is lit: ${verbs.join(", ")}.`;
  question.append(words);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function doing(option, words) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "act" + (option.button.matches(".grave") ? " grave" : "");
  const what = document.createElement("span");
  what.className = "what";
  what.textContent = words;
  button.append(what);
  if (option.means) {
    const means = document.createElement("span");
    means.className = "means";
    means.textContent = option.means;
    button.append(means);
  }
  button.addEventListener("click", () => act(option));
  return button;
}

// -------------------------------------------------------------------- taking up, putting down

function act(option) {
  putBack();
  document.getElementById("answer").requestSubmit(option.button);
}

function putBack() {
  closeMenu();
  if (!held.length) return;
  held = [];
  light();
}

// A thing was clicked. The first click takes up and shows, the second does it.
function touch(thing) {
  const name = thing.dataset.thing;
  const again = held.at(-1) === name;
  const next = fitting([...held, name]);
  if (next.length) return take([...held, name], thing);
  if (again) {
    const here = fitting(held).filter((option) => option.path.length === held.length);
    if (here.length === 1) return act(here[0]);
    if (here.length > 1) return openMenu(thing, here);
    return putBack();
  }
  if (held.length && fitting([name]).length) {
    held = [];
    return take([name], thing);
  }
  if (held.length) return putBack();
  explain(thing);
}

function take(path, thing) {
  const now = fitting(path);
  const here = now.filter((option) => option.path.length === path.length);
  const sure = path.length > 1 || document.getElementById("oneclick")?.checked;
  if (now.length === 1 && here.length === 1 && sure) return act(here[0]);
  held = path;
  light();
  if (here.length > 1 && here.length === now.length) openMenu(thing, here);
  else openPileOfNext(now);
}

// If all that can come next lies in one closed pile, it is opened.
function openPileOfNext(now) {
  const next = unique(now.flatMap(nextOf)).flatMap(thingsNamed);
  const piles = unique(next.map(pileOf));
  if (next.length && piles.length === 1 && piles[0]) {
    openPile(piles[0]);
    piles[0].dataset.opened = "";
  }
}

function openDraft() {
  for (const pile of document.querySelectorAll("[popover][data-opened]:popover-open")) if (!pile.querySelector(".lit, .taken")) pile.hidePopover();
  const first = unique(options.flatMap(nextOf)).flatMap(thingsNamed);
  const piles = unique(first.map(pileOf));
  if (held.length || !first.length || piles.length !== 1 || !piles[0]) return;
  openPile(piles[0]);
  piles[0].dataset.opened = "";
}

// A pile opens between the plates and the question, or beside the plates, wherever there is more room.
function openPile(pile) {
  if (!pile.matches(":popover-open")) pile.showPopover();
  const stage = document.getElementById("stage").getBoundingClientRect();
  const line = ribbon()?.getBoundingClientRect() ?? stage;
  const plates = [...document.querySelectorAll(".plate")].map((plate) => plate.getBoundingClientRect()).filter((plate) => plate.bottom < line.top && plate.width);
  const room = (left, top) => ({ left: left + 8, top: top + 6, width: stage.right - left - 16, height: line.top - top - 12 });
  const area = ({ width, height }) => Math.max(0, width) * Math.max(0, height);
  const rooms = [room(stage.left, Math.max(stage.top, ...plates.map((plate) => plate.bottom))), room(Math.max(stage.left, ...plates.map((plate) => plate.right)), stage.top)];
  const best = rooms.sort((one, two) => area(two) - area(one))[0];
  // Where that is too low for a card, it opens over the plates: the question stays in sight.
  const { left, top, width, height } = best.height < 180 ? room(stage.left, stage.top) : best;
  const high = Math.max(150, height);
  for (const [name, value] of Object.entries({ left, top, width, maxWidth: width, maxHeight: high })) pile.style[name] = value + "px";
  search(pile);
  shrinkGrid(pile, high);
  // It covers no more than its cards need, as near as can be to the pile it shows.
  pile.style.width = "fit-content";
  const opener = document.querySelector(`#stage [data-opens="${pile.id}"]`)?.getBoundingClientRect();
  const middle = opener ? (opener.left + opener.right) / 2 : left + width / 2;
  pile.style.left = Math.max(left, Math.min(middle - pile.offsetWidth / 2, left + width - pile.offsetWidth)) + "px";
}

// Among many cards one can look for words.
function search(pile) {
  const grid = pile.querySelector(".grid");
  if (grid.children.length < 13 || pile.querySelector("input")) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Look for a word";
  field.setAttribute("aria-label", "Look for a word on these cards");
  field.addEventListener("input", () => {
    const words = field.value.trim().toLowerCase();
    for (const card of grid.children) card.hidden = !card.textContent.toLowerCase().includes(words);
  });
  pile.querySelector("h3 small").after(field);
}

// Cards of an open pile are as large as lets all of them be seen at once, if that is large enough to tell them apart.
function shrinkGrid(pile, room) {
  const grid = pile.querySelector(".grid");
  const number = grid.children.length;
  const [wide, high] = [grid.clientWidth, room - 64];
  const least = "draft" in pile.dataset ? 176 : 96; // cards one chooses from are read, and leafed through if they are many
  let size = 240;
  while (size > least && Math.ceil(number / Math.max(1, Math.floor((wide + 10) / (size / 1.4 + 10)))) * (size + 10) > high) size -= 4;
  for (const card of grid.children) {
    card.style.setProperty("--h", size + "px");
    card.style.setProperty("--w", size / 1.4 + "px");
  }
  fit(grid);
}

// -------------------------------------------------------------------- a menu, where several verbs fit one thing

let menu = null;

function closeMenu() {
  menu?.remove();
  menu = null;
}

function showMenu(thing, ...inside) {
  closeMenu();
  menu = document.createElement("div");
  menu.className = "menu";
  menu.popover = "auto";
  menu.append(...inside);
  document.querySelector(".match").append(menu);
  menu.showPopover();
  menu.addEventListener("toggle", (event) => event.newState === "closed" && event.target === menu && putBack());
  beside(menu, thing.getBoundingClientRect());
  menu.querySelector("button")?.focus({ preventScroll: true, focusVisible: false });
}

function openMenu(thing, now) {
  showMenu(thing, ...now.map((option) => doing(option, capital(option.name))));
}

// Beside a place, inside the window.
function beside(box, at) {
  const [wide, high] = [box.offsetWidth, box.offsetHeight];
  const left = at.right + 8 + wide < innerWidth ? at.right + 8 : at.left - 8 - wide > 0 ? at.left - 8 - wide : Math.min(at.left, innerWidth - wide - 8);
  const over = left < at.right && left + wide > at.left;
  const top = over ? (at.bottom + high + 8 < innerHeight ? at.bottom + 6 : at.top - high - 6) : at.top;
  box.style.left = Math.max(6, left) + "px";
  box.style.top = Math.max(6, Math.min(top, innerHeight - high - 6)) + "px";
}

// -------------------------------------------------------------------- why can't I

async function explain(thing) {
  const link = document.querySelector(".tools a[href$='/why']");
  if (!link || !thing.dataset.thing) return;
  const number = document.getElementById("table").dataset.number;
  if (why.number !== number) {
    const reply = await fetch(link.href);
    if (!reply.ok) return;
    why.number = number;
    why.page = await pageOf(reply);
  }
  const lines = [...(why.page?.querySelectorAll("[data-path]") ?? [])].filter((line) => line.dataset.path.split(" ").includes(thing.dataset.thing));
  const said = [...new Map(lines.map((line) => [line.textContent, line])).values()]; // two cards of one name are refused in the same words
  const words = said.slice(0, 4).map((line) => {
    const p = document.createElement("p");
    p.append(...[...line.childNodes].map((node) => node.cloneNode(true)));
    return p;
  });
  if (!words.length) {
    const p = document.createElement("p");
    p.textContent = `${saysOf(thing) || "This"}: nothing can be done with it now.`;
    words.push(p);
  }
  showMenu(thing, ...words);
}

// -------------------------------------------------------------------- the pointer

let press = null; // where the pointer went down on a lit thing, for drags
let dragged = false;

// What is meant by pointing somewhere: the innermost thing that is lit or in the hand, and if none is, the innermost of all. Somebody who stands
// in a lit room is not in its way.
function stageThing({ target }) {
  if (!(target instanceof Element)) return null;
  return target.closest("#stage .lit, #stage .taken") ?? target.closest("#stage [data-thing], #stage [data-opens]");
}

document.addEventListener("click", (event) => {
  if (!document.getElementById("stage") || event.defaultPrevented) return;
  if (dragged) {
    dragged = false;
    event.preventDefault();
    return;
  }
  const look = event.target.closest?.("#stage button[popovertarget]:not([popovertargetaction])");
  if (look) {
    event.preventDefault(); // it would open where it can, not where it should
    const pile = document.getElementById(look.getAttribute("popovertarget"));
    return pile.matches(":popover-open") ? pile.hidePopover() : openPile(pile);
  }
  if (event.target.closest?.("a, button, input, select, summary, .menu, dialog")) return;
  const thing = stageThing(event);
  if (!thing) return void (event.target.closest?.("#stage") && putBack());
  const inside = thing.dataset.opens && document.getElementById(thing.dataset.opens);
  if (inside && !(thing.dataset.thing && fitting([...held, thing.dataset.thing]).length)) return openPile(inside);
  if (thing.dataset.thing) touch(thing);
});

document.addEventListener("pointerdown", (event) => {
  const thing = event.button === 0 && event.pointerType !== "touch" && stageThing(event);
  dragged = false;
  press = thing?.matches?.(".lit[data-thing], .taken") ? { thing, x: event.clientX, y: event.clientY, moved: false } : null;
});

document.addEventListener("pointermove", (event) => {
  if (!press) return;
  const [x, y] = [event.clientX - press.x, event.clientY - press.y];
  if (!press.moved && Math.hypot(x, y) < 12) return;
  if (!press.moved) {
    press.moved = dragged = true;
    if (held.at(-1) !== press.thing.dataset.thing) {
      held = [press.thing.dataset.thing];
      if (!fitting(held).length) held = [];
      light();
    }
    closeGlass();
    press.thing.classList.add("dragging");
  }
  press.thing.style.translate = `${x}px ${y}px`;
});

document.addEventListener("pointerup", (event) => {
  if (!press?.moved) return void (press = null);
  const { thing, x, y } = press;
  press = null;
  thing.style.translate = "";
  thing.classList.remove("dragging");
  setTimeout(() => (dragged = false), 0);
  const below = document.elementFromPoint(event.clientX, event.clientY)?.closest("#stage [data-thing].lit");
  if (below && below !== thing) return touch(below);
  const here = fitting(held).filter((option) => option.path.length === held.length);
  const far = Math.hypot(event.clientX - x, event.clientY - y) > 70;
  if (far && here.length === 1 && fitting(held).length === 1) return act(here[0]);
  if (far && here.length > 1) return openMenu(thing, here);
  putBack();
});

document.addEventListener("keydown", (event) => {
  if (!document.getElementById("stage")) return;
  if (event.key === "Escape" && (held.length || menu)) {
    putBack();
    closeGlass();
    return;
  }
  const typing = event.target.matches?.("input, select, textarea, button, a, summary");
  if ((event.key === "Enter" || event.key === " ") && event.target.matches?.("#stage [data-thing][role=button]")) {
    event.preventDefault();
    const name = event.target.dataset.thing;
    touch(event.target);
    if (held.at(-1) === name) focusNext();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
  if (typing && event.key.length > 1) return;
  document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
});

// After taking something up by keyboard one stands on the first place where it can be put down.
function focusNext() {
  const first = things().find((thing) => thing.matches(".lit") && isShown(thing));
  (first ?? heldBar()?.querySelector("button"))?.focus({ preventScroll: true });
}

// -------------------------------------------------------------------- the whole card, beside the one that is looked at

let glass = null;
let looking = 0;

function closeGlass() {
  clearTimeout(looking);
  glass?.remove();
  glass = null;
}

// A card that is large enough to be read needs no glass. A plate shows what is known of its seat's hand.
function isRead(card) {
  const words = card.querySelector(".says");
  const large = words?.checkVisibility() && parseFloat(getComputedStyle(words).fontSize) >= 10.5;
  return large && new DOMMatrix(getComputedStyle(card).transform).a > 0.5; // upright
}

function copyOf(card) {
  const copy = card.cloneNode(true);
  for (const name of ["data-thing", "data-card", "style", "tabindex", "role", "aria-label", "id"]) copy.removeAttribute(name);
  copy.classList.remove("lit", "taken");
  return copy;
}

function lookAt(card) {
  closeGlass();
  if (!card.isConnected || card.matches(".back, .none") || press?.moved) return;
  const shown = card.matches(".plate") ? [...card.querySelectorAll(".beneath > .card")] : card.querySelector(".name") && !isRead(card) ? [card] : [];
  if (!shown.length) return;
  glass = document.createElement("div");
  glass.className = "glass";
  glass.setAttribute("aria-hidden", "true");
  glass.append(...shown.map(copyOf));
  glass.popover = "manual";
  document.querySelector(".match").append(glass);
  glass.showPopover();
  const feed = document.getElementById("feed");
  if (feed?.checkVisibility()) {
    // Over the feed: beside the table, and over nothing that can be clicked.
    const [at, beside] = [card.getBoundingClientRect(), feed.getBoundingClientRect()];
    glass.style.left = Math.max(8, beside.right - glass.offsetWidth - 10) + "px";
    glass.style.top = Math.max(beside.top + 6, Math.min(at.top, innerHeight - glass.offsetHeight - 8)) + "px";
  } else beside(glass, card.getBoundingClientRect());
  fit(glass);
}

const cardOf = (event) => (event.target instanceof Element ? event.target.closest(".stage .card, .stage .plate") : null);
document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  closeGlass();
  const card = cardOf(event);
  if (card) looking = setTimeout(() => lookAt(card), 380);
});
document.addEventListener("focusin", (event) => {
  const card = event.target.matches?.(":focus-visible") && cardOf(event);
  if (card) lookAt(card);
  else closeGlass();
});
document.addEventListener("touchstart", (event) => {
  closeGlass();
  const card = cardOf(event);
  if (card) looking = setTimeout(() => lookAt(card), 450);
}, { passive: true });
for (const end of ["touchend", "touchmove", "touchcancel"]) document.addEventListener(end, () => clearTimeout(looking), { passive: true });

// -------------------------------------------------------------------- rows that are swiped say at which edge there is more

// A row that is swiped comes to where something of it can be clicked, if nothing of it in sight can.
function bringLit() {
  for (const row of document.querySelectorAll("#stage .cards, #stage .swept")) {
    if (row.scrollWidth <= row.clientWidth + 2) continue;
    const box = row.getBoundingClientRect();
    const lit = [...row.querySelectorAll(".lit")].map((thing) => thing.getBoundingClientRect());
    if (!lit.length || lit.some((at) => at.left >= box.left - 2 && at.right <= box.right + 2)) continue;
    row.scrollLeft += lit[0].left - box.left - 10;
  }
}

function edges() {
  for (const row of document.querySelectorAll("#stage .cards, #stage .swept")) {
    const room = row.scrollWidth - row.clientWidth;
    row.classList.toggle("more-left", room > 2 && row.scrollLeft > 4);
    row.classList.toggle("more-right", room > 2 && row.scrollLeft < room - 4);
  }
}
document.addEventListener("scroll", (event) => event.target.matches?.(".cards, .swept") && edges(), { capture: true, passive: true });

// -------------------------------------------------------------------- no text is cut: a card's words shrink until they fit

function fit(within = document.getElementById("stage")) {
  fitPlates(within);
  const cards = [...(within?.querySelectorAll(".card") ?? [])].filter((card) => card.clientHeight && card.querySelector(".says, .name"));
  for (const card of cards) {
    card.style.removeProperty("--f");
    card.classList.remove("bare", "tiny", "mute", "wordy");
  }
  const spills = (box) => box && (box.scrollWidth > box.clientWidth + 1 || (box.matches(".card") && box.scrollHeight > box.clientHeight + 1));
  const full = (card) => spills(card) || spills(card.querySelector(":scope > .name"));
  let large = cards.filter(full).map((card) => [card, parseFloat(getComputedStyle(card).getPropertyValue("--f"))]);
  for (let part = 0.95; part >= 0.5 && large.length; part -= 0.05) {
    for (const [card, f] of large) card.style.setProperty("--f", (f * part).toFixed(4));
    large = large.filter(([card]) => full(card));
  }
  // A picture that would be a mere strip lies behind the words.
  const isStrip = (card) => {
    const picture = card.querySelector(":scope > .emblem");
    return picture && picture.clientHeight && picture.clientHeight < 0.14 * card.clientHeight;
  };
  for (const card of cards.filter(isStrip)) card.classList.add("wordy");
  // Where even that is too much, a small card shows its name over its picture, or its numbers before it, or its emblem alone: the
  // whole card is a look away.
  for (const how of ["bare", "tiny", "mute"]) {
    for (const [card, f] of large) {
      card.classList.remove("wordy", "bare");
      card.classList.add(how);
      card.style.setProperty("--f", f);
    }
    large = large.filter(([card]) => full(card) || (how === "bare" && isStrip(card)));
  }
}

// A plate that is too full for its words gets a smaller picture, then smaller words; then a name is one line, and what is told
// elsewhere too is left out.
function fitPlates(within) {
  let full = [...(within?.querySelectorAll(".plate") ?? [])];
  for (const plate of full) {
    plate.classList.remove("snug", "terse");
    plate.style.removeProperty("--small");
  }
  const steps = ["snug", 0.93, 0.86, "terse", 0.8, 0.72, 0.64, 0.56, 0.48];
  for (const step of steps) {
    full = full.filter((plate) => plate.clientHeight && (plate.scrollHeight > plate.clientHeight + 1 || plate.scrollWidth > plate.clientWidth + 1));
    for (const plate of full) typeof step === "string" ? plate.classList.add(step) : plate.style.setProperty("--small", step);
  }
}

// Buttons that do not fit into the ribbon are set closer; if that is not enough, the ribbon is higher.
function fitRibbon() {
  const line = ribbon();
  if (!line) return;
  const steps = ["brief", "dense", "alone", "tall"];
  line.classList.remove(...steps);
  const spills = (box) => box && (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1);
  for (const step of steps) if (spills(line) || spills(line.querySelector(":scope > .acts"))) line.classList.add(step);
}

// After the window has changed, everything finds its size and place again.
function fits() {
  fit();
  fitRibbon();
  document.querySelectorAll("#stage .gallery:popover-open").forEach(openPile);
  edges();
}

let fittingLater = 0;
addEventListener("resize", () => {
  clearTimeout(fittingLater);
  fittingLater = setTimeout(fits, 120);
});
document.fonts?.ready.then(() => fit());

// -------------------------------------------------------------------- what opens over the table: rules, log, hint, questions

const over = document.getElementById("over");

function openOver(page, at = "") {
  const inside = over.querySelector(".over-in");
  const shut = document.createElement("button");
  shut.type = "button";
  shut.className = "shut";
  shut.textContent = "Close";
  shut.addEventListener("click", closeOver);
  inside.replaceChildren(shut, ...page.getElementById("main").childNodes);
  if (!over.open) over.showModal();
  over.scrollTop = 0;
  if (at) document.getElementById(at)?.scrollIntoView({ block: "center" });
  else (inside.querySelector("[name=confirmed]") ?? shut).focus();
}

function closeOver() {
  if (!over?.open) return;
  over.close();
  // What a hint spoke of is pointed at.
  const path = over.querySelector(".hinted")?.dataset.path.split(" ") ?? [];
  for (const thing of path.flatMap(thingsNamed)) {
    thing.classList.add("pointed");
    setTimeout(() => thing.classList.remove("pointed"), 4000);
  }
}
over?.addEventListener("cancel", (event) => {
  event.preventDefault();
  closeOver();
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-over]");
  if (event.target === over) return closeOver();
  // A link back to the table, inside what is over it, closes it.
  const back = event.target.closest?.("#over a");
  if (back && document.getElementById("table") && new URL(back.href).pathname === location.pathname) {
    event.preventDefault();
    return closeOver();
  }
  if (!link || !document.getElementById("stage") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const reply = await fetch(link.href).catch(() => null);
  const page = reply && (await pageOf(reply));
  if (page) openOver(page, new URL(link.href).hash.slice(1));
});

document.addEventListener("click", (event) => {
  for (const fold of document.querySelectorAll(".fold[open]")) if (!fold.contains(event.target)) fold.open = false;
});

if (document.getElementById("stage")) laid();

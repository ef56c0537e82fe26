"use strict";
// The bench while one types, and a run while it goes on. Without this script both are plain forms.

const bench = document.querySelector(".bench");
if (bench) {
  const form = bench.querySelector("form.writing");
  const part = (name) => bench.querySelector("." + name);
  // What is typed lives here until it is saved: a save gives the set another number.
  const kept = ["draft", location.pathname, form.elements.number.value, form.elements.name.value].join(" ");
  let waiting = 0, asked = 0, latest = null, at = null;

  const written = () => Object.fromEntries([...form.querySelectorAll("[name^='field.']")].map((one) => [one.name.slice(6), one.value]));
  const made = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text, className: name || "" });

  async function read() {
    const number = ++asked;
    const said = at && at.name.startsWith("field.") ? at : null;
    const body = { name: form.elements.name.value, like: form.elements.like.value, fields: written(), field: said ? said.name.slice(6) : "", caret: said ? said.selectionStart || 0 : 0 };
    try {
      const reply = await fetch(bench.dataset.read, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      if (!reply.ok || number !== asked) return;
      show(await reply.json());
    } catch { /* what was typed is kept here, and read when the server is back */ }
  }

  function show(found) {
    latest = found.at || null;
    if (found.front) part("looks").innerHTML = found.front;  // drawn by the server, all words escaped
    const here = latest && latest.problem ? at.name.slice(6).split(".").at(-1) + ":" : null;  // said at its place, and once
    const problems = found.problems.filter((words) => !here || !words.startsWith(here)).map((words) => made("pre", words));
    if (here) problems.unshift(place(latest));
    part("problems").replaceChildren(...problems);
    const next = latest ? latest.next : [];
    part("next").hidden = !next.length;
    part("choices").replaceChildren(...next.map((one) => {
      const button = made("button", one.words.trim());
      button.type = "button";
      button.addEventListener("click", () => take(one));
      return button;
    }));
    touches(found.touches || []);
    const list = part("reading").querySelector("ul");
    if (latest) list.replaceChildren(...latest.read.map((one) => {
      const item = document.createElement("li");
      item.append(made("span", one.words, "phrase"), " " + one.phrase + " ");
      const rule = made(one.rule ? "a" : "span", one.rule, "rule");
      rule.title = one.says;
      if (one.rule) rule.href = bench.dataset.rules + "#" + one.rule;
      item.append(rule);
      return item;
    }));
  }

  function touches(found) {
    const box = part("touches");
    box.querySelector("ul").replaceChildren(...(found.length ? found.map((one) => {
      const item = made("li", one.what + ": ");
      one.cards.forEach((name, number) => {
        const link = made("a", name);
        link.href = box.dataset.card + "?" + new URLSearchParams({ name });
        item.append(number ? ", " : "", link);
      });
      if (one.more) item.append(" and " + one.more + " more");
      return item;
    }) : [made("li", "No other card says anything like it.")]));
  }

  function place(found) {
    const words = at.value, box = document.createElement("pre");
    box.append(words.slice(0, found.column), made("mark", words.slice(found.column) || "…"), "\n" + found.problem + ".");
    for (const one of found.phrases) box.append("\n" + one.phrase + (one.example ? "\n   “" + one.example + "” (" + one.card + ")" : ""));
    return box;
  }

  function take(one) {
    if (!at || !latest) return;
    note();
    const caret = at.selectionStart;
    at.setRangeText(one.insert, Math.min(latest.place, caret), caret, "end");
    at.focus();
    changed();
    note();
  }

  // What was written, step by step: undo and redo go through it, and it outlives a save.
  const steps = (() => { try { return JSON.parse(sessionStorage.getItem(stepsKey()) || "null"); } catch { return null; } })() || { done: [], undone: [] };
  function stepsKey() { return "steps " + location.pathname + " " + form.elements.name.value; }
  let pausing = 0;
  function note() {
    clearTimeout(pausing);
    const now = JSON.stringify(written());
    if (steps.done.at(-1) !== now) { steps.done.push(now); steps.done.splice(0, steps.done.length - 100); steps.undone = []; }
    remember();
  }
  function remember() {
    form.querySelector(".undo").disabled = steps.done.length < 2;
    form.querySelector(".redo").disabled = !steps.undone.length;
    try { sessionStorage.setItem(stepsKey(), JSON.stringify(steps)); } catch { /* private windows */ }
  }
  function step(from, to) {
    if (from === steps.done ? from.length < 2 : !from.length) return;
    to.push(from.pop());
    const there = JSON.parse(steps.done.at(-1));
    for (const one of form.querySelectorAll("[name^='field.']")) one.value = there[one.name.slice(6)] ?? "";
    remember();
    changed();
  }

  function changed() {
    try { localStorage.setItem(kept, JSON.stringify(written())); } catch { /* private windows */ }
    clearTimeout(waiting);
    waiting = setTimeout(read, 120);
  }

  form.addEventListener("input", (event) => { at = event.target; changed(); clearTimeout(pausing); pausing = setTimeout(note, 500); });
  form.querySelector(".undo").addEventListener("click", () => { note(); step(steps.done, steps.undone); });
  form.querySelector(".redo").addEventListener("click", () => step(steps.undone, steps.done));
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) step(steps.undone, steps.done); else { note(); step(steps.done, steps.undone); }
  });
  form.addEventListener("focusin", (event) => { if (event.target.matches("[data-said]")) { at = event.target; clearTimeout(waiting); waiting = setTimeout(read, 120); } });
  form.addEventListener("keyup", (event) => { if (event.target === at && /^(Arrow|Home|End)/.test(event.key)) { clearTimeout(waiting); waiting = setTimeout(read, 120); } });
  form.addEventListener("keydown", (event) => {
    // Tab completes only right after typing; otherwise it moves on, as everywhere.
    if (event.key !== "Tab" || event.shiftKey || event.target !== at || !latest || !latest.next.length || latest.ends || !latest.next[0].insert.trim()) return;
    event.preventDefault();
    take(latest.next[0]);
  });
  try {
    const typed = JSON.parse(localStorage.getItem(kept) || "null");
    if (typed) {
      for (const one of form.querySelectorAll("[name^='field.']")) one.value = typed[one.name.slice(6)] ?? one.value;
      read();
    }
  } catch { /* nothing was kept */ }
  form.querySelector(".steps").hidden = false;
  note();
}

// Looking for a position takes a moment, and one should see that something happens.
const trying = document.querySelector("form.try");
if (trying) {
  const button = trying.querySelector("button"), says = button.textContent;
  trying.addEventListener("submit", () => { button.textContent = "Looking for a position …"; setTimeout(() => { button.disabled = true; }); });
  addEventListener("pageshow", () => { button.textContent = says; button.disabled = false; });
}

// A file that somebody has on their disk goes into the box below it.
for (const place of document.querySelectorAll(".from-file")) {
  const box = place.querySelector("textarea"), file = Object.assign(document.createElement("input"), { type: "file", accept: ".toml,.csv,text/csv" });
  file.setAttribute("aria-label", "A file on this device");
  file.addEventListener("change", async () => { if (file.files[0]) box.value = await file.files[0].text(); });
  box.closest("p").before(file);
}

const run = document.querySelector(".run[data-poll]");
if (run && run.dataset.poll) {
  const look = async () => {
    try {
      const reply = await fetch(run.dataset.poll), found = reply.ok ? await reply.json() : null;
      if (found && !found.going) return location.reload();
      if (found && found.found.done !== undefined) {
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
        for (const name of ["progress", ".count", ".verdict", ".live-figures"]) {
          const old = document.querySelector(name), fresh = page.querySelector(name);
          if (old && fresh) old.replaceWith(fresh);
        }
      }
    } catch { /* the server is away; ask again */ }
    setTimeout(look, 1500);
  };
  setTimeout(look, 800);
}

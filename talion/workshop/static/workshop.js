"use strict";
// The bench while one types, and a run while it goes on. Without this script both are plain forms.

const bench = document.querySelector(".bench");
if (bench) {
  const form = bench.querySelector("form.writing");
  const part = (name) => bench.querySelector("." + name);
  // What is typed lives here until it is saved, with the revision it was typed over.
  const drawer = (what, card) => `${what} ${new URL(form.action).pathname} ${card}`;
  const kept = drawer("draft", form.elements.name.value), stepsKept = drawer("steps", form.elements.name.value);
  let waiting = 0, asked = 0, latest = null, at = null, typing = false, away = false;

  const fields = () => [...form.querySelectorAll("[name^='field.']")];
  const written = () => Object.fromEntries(fields().map((one) => [one.name.slice(6), one.value]));
  const made = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text, className: name || "" });
  const saved = bench.dataset.typed ? "" : JSON.stringify(written());
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(read, 120); };

  async function read() {
    clearTimeout(waiting);
    const number = ++asked;
    const said = at && at.name.startsWith("field.") ? at : null;
    const body = { name: form.elements.name.value, like: form.elements.like.value, number: Number(form.elements.number.value), fields: written(), field: said ? said.name.slice(6) : "", caret: said ? said.selectionStart || 0 : 0 };
    const reply = await fetch(bench.dataset.read, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
    if (number !== asked) return;
    const large = reply && reply.status === 413;  // more than is ever read: it can be saved none the less, or its refusal says why
    away = !large && !(reply && reply.ok);
    part("away").hidden = !away;
    if (away) waiting = setTimeout(read, 2000);
    if (away || large) return;
    const found = await reply.json();
    if (number !== asked) return;
    if (found.at) found.at.of = body.fields[body.field];
    show(found);
  }

  function show(found) {
    latest = found.at || null;
    if (found.front) part("looks").innerHTML = found.front;  // drawn by the server, all words escaped
    part("meanwhile").hidden = !found.meanwhile;
    part("meanwhile").textContent = found.meanwhile;
    const faults = found.faults.filter((fault) => !beingWritten(fault));
    for (const one of fields()) {
      const here = faults.filter((fault) => "field." + fault.field === one.name);
      const box = document.getElementById(one.getAttribute("aria-describedby"));
      if (here.length) one.setAttribute("aria-invalid", "true"); else one.removeAttribute("aria-invalid");
      say(box, here);
    }
    const places = new Set(fields().map((one) => one.name));
    say(part("whole"), faults.filter((fault) => !places.has("field." + fault.field)));
    const next = latest ? latest.next : [];
    part("next").hidden = !next.length;
    if (latest) at.after(part("next"));
    part("choices").replaceChildren(...next.map((one) => {
      const button = made("button", one.words.trim());
      button.type = "button";
      button.tabIndex = -1;  // for the pointer; Tab goes from field to field
      button.addEventListener("click", () => take(one));
      return button;
    }));
    touches(found.touches || []);
    const list = part("reading").querySelector("ul");
    const rule = (id, says) => Object.assign(made("a", id, "rule"), { title: says, href: bench.dataset.rules + "#" + id });
    const item = (...parts) => { const one = made("li", ""); one.append(...parts); return one; };
    // Of the sentence at the caret each phrase; else all sentences that can be read.
    const here = latest ? latest.read : [];
    const phrases = here.map((one) => item(made("span", one.words, "phrase"), " " + one.phrase + " ", one.rule ? rule(one.rule, one.says) : ""));
    const sentences = found.lines.map((one) => item(one.text, ...one.rules.flatMap(([id, says]) => [" ", rule(id, says)])));
    list.replaceChildren(...(here.length ? phrases : sentences.length ? sentences : [made("li", "No sentence on it can be read yet.")]));
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

  // Nobody is told off in the middle of a sentence.
  function beingWritten(fault) {
    if (!latest || !latest.unfinished || document.activeElement !== at || "field." + fault.field !== at.name) return false;
    const sentence = fault.read + (fault.wrong === "…" ? "" : fault.wrong);
    return at.value.slice(0, at.selectionStart).replace(/[\s.]+$/, "").endsWith(sentence.trim());
  }

  function say(box, faults) {
    const words = faults.map((fault) => {
      const one = made("pre", "");
      if (fault.wrong) one.append(fault.read, made("mark", fault.wrong), "\n");
      one.append(fault.why + (fault.more ? "\n" + fault.more : ""));
      return one;
    });
    if (words.map((one) => one.textContent).join() !== [...box.children].map((one) => one.textContent).join()) box.replaceChildren(...words);
  }

  function take(one) {
    if (!at || !latest || latest.of !== at.value) return;  // it was offered for other words
    note();
    const caret = at.selectionStart;
    at.setRangeText(one.insert, Math.min(latest.place, caret), caret, "end");
    at.focus();
    changed();
    note();
  }

  // What was written, step by step: undo and redo go through it, and it outlives a save.
  const steps = (() => { try { return JSON.parse(sessionStorage.getItem(stepsKept) || "null"); } catch { return null; } })() || { done: [], undone: [] };
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
    try { sessionStorage.setItem(stepsKept, JSON.stringify(steps)); } catch { /* private windows */ }
  }
  function step(from, to) {
    if (from === steps.done ? from.length < 2 : !from.length) return;
    to.push(from.pop());
    const there = JSON.parse(steps.done.at(-1));
    for (const one of fields()) one.value = there[one.name.slice(6)] ?? "";
    remember();
    changed();
  }

  function changed() {
    const now = JSON.stringify(written());
    part("unsaved").hidden = now === saved;
    try {
      if (now === saved) localStorage.removeItem(kept);
      else localStorage.setItem(kept, JSON.stringify({ over: form.elements.number.value, fields: written() }));
    } catch { /* private windows */ }
    soon();
  }

  form.addEventListener("input", (event) => { at = event.target; typing = true; changed(); clearTimeout(pausing); pausing = setTimeout(note, 500); });
  form.addEventListener("submit", (event) => {
    if (away) { event.preventDefault(); part("away").scrollIntoView({ block: "nearest" }); read(); }
    else if (event.submitter && event.submitter.value === "restore") try { localStorage.removeItem(kept); } catch { /* private windows */ }
  });
  // Whoever tries or measures a card means what is typed: it is saved first.
  for (const other of document.querySelectorAll("form[data-then]")) other.addEventListener("submit", (event) => {
    if (JSON.stringify(written()) === saved) return;
    event.preventDefault();
    const more = { then: other.dataset.then, position: other.elements.position ? other.elements.position.value : "" };
    form.querySelectorAll(".more").forEach((one) => one.remove());
    for (const [name, value] of Object.entries(more)) form.append(Object.assign(made("input", "", "more"), { type: "hidden", name, value }));
    form.requestSubmit(form.querySelector("[value=save]"));
  });
  // Whoever copies or renames it means what is typed, too.
  for (const other of document.querySelectorAll(".copy form")) other.addEventListener("submit", () => {
    other.querySelectorAll(".more").forEach((one) => one.remove());
    if (JSON.stringify(written()) !== saved) for (const one of fields()) other.append(Object.assign(made("input", "", "more"), { type: "hidden", name: one.name, value: one.value }));
  });
  form.querySelector(".undo").addEventListener("click", () => { note(); step(steps.done, steps.undone); });
  form.querySelector(".redo").addEventListener("click", () => step(steps.undone, steps.done));
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) step(steps.undone, steps.done); else { note(); step(steps.done, steps.undone); }
  });
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[value=save]"));
  });
  form.addEventListener("focusin", (event) => { if (event.target.matches("[data-said]")) { typing = false; at = event.target; soon(); } });
  form.addEventListener("focusout", (event) => { if (event.target === at) soon(); });
  form.addEventListener("keyup", (event) => { if (event.target === at && /^(Arrow|Home|End)/.test(event.key)) soon(); });
  form.addEventListener("keydown", async (event) => {
    // Tab completes what is being typed; otherwise, and after Escape, it moves on, as everywhere.
    if (event.key === "Escape") typing = false;
    if (event.key !== "Tab" || event.shiftKey || event.target !== at || !at.matches("[data-said]") || !typing) return;
    const old = !latest || latest.of !== at.value;
    if (!old && !goesOn()) return;
    event.preventDefault();
    if (old) await read();
    if (goesOn()) take(latest.next[0]); else typing = false;
  });
  function goesOn() {
    return latest && latest.of === at.value && !latest.ends && latest.next.length && latest.next[0].insert.trim()
      && latest.next[0].insert !== at.value.slice(latest.place, at.selectionStart);
  }
  try {
    if (bench.dataset.saved || bench.dataset.typed) localStorage.removeItem(kept);
    if (bench.dataset.was) localStorage.removeItem(drawer("draft", bench.dataset.was));
    if (bench.dataset.typed) changed();
    const typed = JSON.parse(localStorage.getItem(kept) || "null");
    if (typed && JSON.stringify(typed.fields) === saved) localStorage.removeItem(kept);  // it was saved on the way to something else
    else if (typed) {
      for (const one of fields()) one.value = typed.fields[one.name.slice(6)] ?? one.value;
      form.elements.number.value = typed.over;  // what others have saved since then is not overwritten unasked
      changed();
    }
  } catch { /* nothing was kept */ }
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });  // one comes back; others, or oneself, may have saved since
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

// What is chosen on the shelf is shown at once.
const filter = document.querySelector("form.filter");
if (filter) filter.addEventListener("change", (event) => { if (event.target.type !== "search") filter.requestSubmit(); });

// A file that somebody has on their disk goes into the box below it.
for (const place of document.querySelectorAll(".from-file")) {
  const box = place.querySelector("textarea"), file = Object.assign(document.createElement("input"), { type: "file", accept: ".toml,.csv,text/csv" });
  file.setAttribute("aria-label", "A file on this device");
  file.addEventListener("change", async () => { if (file.files[0]) box.value = await file.files[0].text(); });
  box.closest("p").after(file);
}

const run = document.querySelector(".run[data-poll]");
if (run && run.dataset.poll) {
  const folds = (page) => [...page.querySelectorAll(".live-figures details")];
  const look = async () => {
    let here = false;
    try {
      const reply = await fetch(run.dataset.poll), found = reply.ok ? await reply.json() : null;
      here = reply.ok;
      if (found && !found.going) return location.reload();
      if (found && found.found.done !== undefined) {
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
        const open = folds(document).filter((one) => one.open).map((one) => one.dataset.fold);
        for (const one of folds(page)) one.open = open.includes(one.dataset.fold);  // what one unfolded stays so
        for (const name of ["progress", ".count", ".verdict", ".live-figures"]) {
          const old = document.querySelector(name), fresh = page.querySelector(name);
          if (old && fresh) old.replaceWith(fresh);
        }
      }
    } catch { here = false; }
    run.querySelector(".away").hidden = here;
    setTimeout(look, 1500);
  };
  setTimeout(look, 800);
}

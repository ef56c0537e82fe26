"use strict";
// The bench while one types, and a run while it goes on. Without this script both are plain forms.

const bench = document.querySelector(".bench");
if (bench) {
  const form = bench.querySelector("form.writing");
  const part = (name) => bench.querySelector("." + name);
  const kept = "draft " + location.pathname + " " + form.elements.name.value;
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
    if (found.front) part("face").innerHTML = found.front;  // drawn by the server, all words escaped
    const problems = found.problems.map((words) => made("pre", words));
    if (latest && latest.problem) problems.unshift(place(latest));
    part("problems").replaceChildren(...problems);
    const next = latest ? latest.next : [];
    part("next").hidden = !next.length;
    part("choices").replaceChildren(...next.map((one) => {
      const button = made("button", one.words.trim());
      button.type = "button";
      button.addEventListener("click", () => take(one));
      return button;
    }));
    const list = part("reading").querySelector("ul");
    if (latest) list.replaceChildren(...latest.read.map((one) => {
      const item = document.createElement("li");
      item.append(made("span", one.words, "phrase"), " " + one.phrase + " ");
      const rule = made("span", one.rule, "rule");
      rule.title = one.says;
      item.append(rule);
      return item;
    }));
  }

  function place(found) {
    const words = at.value, box = document.createElement("pre");
    box.append(words.slice(0, found.column), made("mark", words.slice(found.column) || "…"), "\n" + found.problem + ".");
    for (const one of found.phrases) box.append("\n" + one.phrase + (one.example ? "\n   “" + one.example + "” (" + one.card + ")" : ""));
    return box;
  }

  function take(one) {
    if (!at || !latest) return;
    const caret = at.selectionStart;
    at.setRangeText(one.insert, Math.min(latest.place, caret), caret, "end");
    at.focus();
    changed();
  }

  function changed() {
    try { sessionStorage.setItem(kept, JSON.stringify(written())); } catch { /* private windows */ }
    clearTimeout(waiting);
    waiting = setTimeout(read, 120);
  }

  form.addEventListener("input", (event) => { at = event.target; changed(); });
  form.addEventListener("focusin", (event) => { if (event.target.matches("[data-said]")) { at = event.target; clearTimeout(waiting); waiting = setTimeout(read, 120); } });
  form.addEventListener("keyup", (event) => { if (event.target === at && /^(Arrow|Home|End)/.test(event.key)) { clearTimeout(waiting); waiting = setTimeout(read, 120); } });
  form.addEventListener("keydown", (event) => {
    // Tab completes only right after typing; otherwise it moves on, as everywhere.
    if (event.key !== "Tab" || event.shiftKey || event.target !== at || !latest || !latest.next.length || latest.ends || !latest.next[0].insert.trim()) return;
    event.preventDefault();
    take(latest.next[0]);
  });
  form.addEventListener("submit", () => { try { sessionStorage.removeItem(kept); } catch { /* private windows */ } });
  try {
    const typed = JSON.parse(sessionStorage.getItem(kept) || "null");
    if (typed) {
      for (const one of form.querySelectorAll("[name^='field.']")) one.value = typed[one.name.slice(6)] ?? one.value;
      read();
    }
  } catch { /* nothing was kept */ }
}

const run = document.querySelector(".run[data-poll]");
if (run && run.dataset.poll) {
  const look = async () => {
    try {
      const reply = await fetch(run.dataset.poll), found = reply.ok ? await reply.json() : null;
      if (found && !found.going) return location.reload();
      if (found && found.found.done) {
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html").querySelector(".run");
        if (page) for (const name of ["progress", ".count", ".verdict", ".promises", ".figures"]) {
          const old = run.querySelector(name), fresh = page.querySelector(name);
          if (old && fresh) old.replaceWith(fresh);
        }
      }
    } catch { /* the server is away; ask again */ }
    setTimeout(look, 1500);
  };
  setTimeout(look, 800);
}

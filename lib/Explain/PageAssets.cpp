//===- PageAssets.cpp - Style and script of the page ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text has a contrast of 4.5 and more against what is behind it, in the light and in
// the dark; colours never say alone what something is.
//
//===----------------------------------------------------------------------===//
#include "PageAssets.h"

namespace isozyme {

const char *const PageStyle = R"css(
:root { color-scheme: light dark;
  --back: #ffffff; --panel: #f6f8fa; --rule: #d5dae0; --text: #1c2126; --dim: #59626c;
  --link: #0a58b8; --active: #12692f; --kept: #b26a00; --keptback: #fff0cf; --kepttext: #6d4200;
  --error: #b3261e; --errorback: #fdecea; --call: #7a3e9d; --loop: #0a58b8; --over: #eef3f9;
  --key: #8a2d6b; --num: #0a58b8; --str: #2c6b2f; }
@media (prefers-color-scheme: dark) { :root {
  --back: #11161b; --panel: #1a2129; --rule: #333d48; --text: #e4e9ee; --dim: #9ba7b3;
  --link: #7ab7ff; --active: #57c878; --kept: #e3a83d; --keptback: #42340f; --kepttext: #ffdf95;
  --error: #ff8f87; --errorback: #3d1a18; --call: #d3a4f0; --loop: #7ab7ff; --over: #1d2732;
  --key: #e79ccb; --num: #8dc2ff; --str: #9bd29d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 13px; }
.page { max-width: 1560px; margin: 0 auto; padding: 20px 28px 60px; }
h1 { font-size: 17px; font-weight: 600; margin: 0 0 8px; }
h1 code { font-size: 16px; }
h2 { font-size: 24px; line-height: 1.25; margin: 0 0 2px; }
h3 { font-size: 16px; margin: 30px 0 8px; }
h4 { font-size: 15px; margin: 0 0 6px; }
h5 { font-size: 13px; margin: 14px 0 2px; display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; }
h5 code { font-weight: 600; overflow-wrap: anywhere; }
p { margin: 2px 0; }
a { color: var(--link); }
.dim, .type { color: var(--dim); font-weight: 400; }
nav ul { display: flex; flex-wrap: wrap; gap: 6px 18px; list-style: none; padding: 8px 0; margin: 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
.derivation { padding-top: 22px; }
.derivation + .derivation { margin-top: 48px; border-top: 1px solid var(--rule); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 28px; list-style: none; margin: 12px 0; padding: 0; color: var(--dim); }
.facts b { color: var(--text); font-size: 17px; }
dl { margin: 8px 0; display: flex; flex-wrap: wrap; gap: 2px 28px; }
dl div { display: flex; gap: 8px; }
dt code { font-weight: 600; }
dd { margin: 0; color: var(--dim); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 14px 0 8px; padding: 0;
  color: var(--dim); font-size: 13px; }
.legend li { border-left: 4px solid var(--rule); padding-left: 8px; }
.legend .active { border-color: var(--active); }
.legend .kept { border-color: var(--kept); }
.legend .word { border: 0; padding: 0; }
.legend code { color: var(--text); }
.hint { display: none; }
.scripted .hint { display: list-item; }
.touch { display: none; }
@media (hover: none) { .mouse { display: none; } .touch { display: inline; } }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; align-items: start; }
.body.open { grid-template-columns: minmax(0, 1fr) 380px; }
.code { border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; }
.titles, .line { display: grid; grid-template-columns: 3em minmax(0, 1.1fr) minmax(0, 1fr); }
.titles { background: var(--panel); border-bottom: 1px solid var(--rule); color: var(--dim); font-size: 13px; }
.titles span { padding: 5px 12px; }
.line { border-left: 4px solid transparent; scroll-margin: 40vh; }
.line[tabindex] { cursor: pointer; }
.line[tabindex]:hover, .line:target { background: var(--over); }
.line:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
.line.pinned { background: var(--over); box-shadow: inset 0 0 0 1px var(--link); }
.line.active { border-left-color: var(--active); }
.line.kept { border-left-color: var(--kept); }
.line.error { border-left-color: var(--error); background: var(--errorback); }
.source code, .derivative code { line-height: 1.6; }
.number { text-align: right; color: var(--dim); padding: 1px 10px 1px 0; font: 12px/1.78 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  user-select: none; }
.source { padding: 1px 12px 1px 4px; }
.source code, .derivative code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.derivative { padding: 1px 12px; border-left: 1px solid var(--rule); }
.derivative code { display: block; padding-left: 1.6em; text-indent: -1.6em; color: var(--active); }
.derivative code.where { color: var(--dim); }
.line.inactive .source code, .line.empty .source code { color: var(--dim); }
.key { color: var(--key); } .num { color: var(--num); } .str { color: var(--str); }
.com { color: var(--dim); font-style: italic; }
mark { background: var(--keptback); color: inherit; border-radius: 3px; padding: 0 1px; box-shadow: 0 1px 0 var(--kept); }
.chip { display: inline-block; margin-left: 10px; padding: 0 7px; border-radius: 9px; font-size: 12px; line-height: 1.5;
  border: 1px solid var(--rule); color: var(--dim); }
h5 .chip { margin-left: 0; font-weight: 400; }
.chip.again { border-color: transparent; padding: 0; }
.chip.keep { background: var(--keptback); border-color: var(--keptback); color: var(--kepttext); }
.chip.loop { color: var(--loop); }
.chip.call { color: var(--call); }
.message { font-size: 13px; margin: 4px 0; padding: 3px 8px; border-left: 3px solid var(--rule); background: var(--panel); }
.message.error { border-color: var(--error); background: var(--errorback); }
.message.error b { color: var(--error); }
.message.warning { border-color: var(--kept); }
aside { display: none; position: sticky; top: 16px; max-height: calc(100vh - 32px); overflow: auto; background: var(--panel);
  border: 1px solid var(--rule); border-radius: 6px; padding: 14px 16px; font-size: 13px; }
aside.open { display: block; }
aside ol { margin: 2px 0 6px; padding-left: 20px; overflow-wrap: anywhere; }
aside pre, .derivation pre { margin: 2px 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; }
aside pre { color: var(--active); }
aside details { margin-top: 14px; }
aside details details pre, aside details > pre { color: var(--text); white-space: pre; overflow-x: auto; font-size: 12px; }
summary { cursor: pointer; color: var(--link); }
.close { position: sticky; top: 0; float: right; font: inherit; color: var(--link); background: var(--panel);
  border: 1px solid var(--rule); border-radius: 4px; padding: 2px 10px; cursor: pointer; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; padding: 4px 18px 4px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
td code { white-space: nowrap; }
th { font-weight: 600; white-space: nowrap; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--link); }
th button::after { content: " \2195"; color: var(--dim); font-size: 11px; }
th[aria-sort=ascending] button::after { content: " \2191"; color: var(--text); }
th[aria-sort=descending] button::after { content: " \2193"; color: var(--text); }
td small { color: var(--dim); margin-left: 8px; white-space: nowrap; }
.try { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: baseline; margin: 0 0 10px; color: var(--dim); }
.try input { width: 8em; font: inherit; padding: 1px 6px; border: 1px solid var(--dim); border-radius: 4px;
  background: var(--back); color: var(--text); }
.try output { color: var(--text); font-weight: 600; }
@media (max-width: 1180px) {
  .body.open { grid-template-columns: minmax(0, 1fr); padding-bottom: 50vh; }
  aside.open { position: fixed; left: 0; right: 0; bottom: 0; top: auto; max-height: 50vh; z-index: 2;
    border-radius: 10px 10px 0 0; box-shadow: 0 -4px 24px rgba(0, 0, 0, .25); overscroll-behavior: contain; }
}
@media (max-width: 760px) {
  .page { padding: 14px 12px 60px; }
  h2 { font-size: 20px; }
  .titles span:last-child { display: none; }
  .titles, .line { grid-template-columns: 2.6em minmax(0, 1fr); }
  .derivative { grid-column: 2; border-left: 0; padding: 0 12px 2px 20px; }
  .derivative:empty { display: none; }
  code { font-size: 12px; }
  .chip { margin-left: 6px; }
}
@media print {
  aside, aside.open, .try, .hint, .scripted .hint { display: none; }
  .body, .body.open { display: block; }
  .line { break-inside: avoid; }
  .line.pinned { background: none; box-shadow: none; }
}
)css";

const char *const PageScript = R"js(
(function () {
  "use strict";
  // A line that is clicked, tapped or chosen by the keyboard is shown in the panel, which takes no
  // room before.
  document.documentElement.classList.add("scripted");
  document.querySelectorAll(".derivation").forEach(function (section) {
    var aside = section.querySelector("aside"), body = section.querySelector(".body"), pinned = null;
    function fill(line) {
      var details = section.querySelector('template[data-for="' + line.id + '"]');
      var close = document.createElement("button");
      close.type = "button"; close.className = "close"; close.textContent = "Close";
      close.addEventListener("click", function () { pin(null); line.focus(); });
      aside.textContent = "";
      aside.append(close, details.content.cloneNode(true));
      aside.scrollTop = 0;
    }
    function pin(line) {
      if (pinned) { pinned.classList.remove("pinned"); pinned.setAttribute("aria-expanded", "false"); }
      pinned = line === pinned ? null : line;
      if (pinned) { fill(pinned); pinned.classList.add("pinned"); pinned.setAttribute("aria-expanded", "true"); }
      aside.classList.toggle("open", !!pinned);
      body.classList.toggle("open", !!pinned);
      if (pinned && aside.getBoundingClientRect().left < pinned.getBoundingClientRect().right) {
        // The panel lies over the lower half of the window: what it tells of stays in sight.
        var hidden = pinned.getBoundingClientRect().bottom - aside.getBoundingClientRect().top;
        if (hidden > 0) window.scrollBy(0, hidden + 8);
      }
    }
    section.querySelectorAll(".line[tabindex]").forEach(function (line) {
      line.addEventListener("click", function () {
        if (!String(window.getSelection())) pin(line);
      });
      line.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pin(line); }
      });
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && pinned) pin(null);
    });
    section.addEventListener("click", function (event) {
      var link = event.target.closest('td a[href^="#"]');
      var line = link && document.getElementById(link.hash.slice(1));
      if (line && line !== pinned) pin(line);
    });
    if (location.hash.startsWith("#" + section.id + "b")) {
      var wanted = document.getElementById(location.hash.slice(1));
      if (wanted && wanted.classList.contains("line")) pin(wanted);
    }
  });

  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.from(table.querySelectorAll("th"));
    heads.forEach(function (head, column) {
      head.querySelector("button").addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.from(table.tBodies[0].rows);
        function key(row) {
          var cell = row.cells[column];
          return cell.dataset.value || cell.dataset.sort || cell.textContent.trim();
        }
        rows.sort(function (a, b) {
          return key(a).localeCompare(key(b), "en", { numeric: true }) * (down ? -1 : 1);
        });
        table.tBodies[0].append.apply(table.tBodies[0], rows);
      });
    });
  });

  // Sizes for given trip counts. A formula is a sum of products of numbers and names.
  function sizeText(bytes) {
    var units = ["bytes", "kB", "MB", "GB", "TB", "PB"], unit = 0;
    while (bytes >= 1000 && unit < 5) { bytes /= 1000; ++unit; }
    return (unit ? bytes.toPrecision(3) : String(bytes)) + " " + units[unit];
  }
  function evaluate(formula, values) {
    Object.keys(values).sort(function (a, b) { return b.length - a.length; }).forEach(function (name) {
      formula = formula.split(" ").join("\u0001").split(name.split(" ").join("\u0001"))
        .join("(" + values[name] + ")").split("\u0001").join(" ");
    });
    var sum = 0, sign = 1;
    if (!/^[-+*() \d.]+$/.test(formula)) return NaN;
    formula.replace(/[()]/g, "").split(/ (?=[-+] )/).forEach(function (term) {
      sign = term.startsWith("- ") ? -1 : 1;
      sum += sign * term.replace(/^[-+] /, "").split(" * ").reduce(function (a, b) { return a * Number(b); }, 1);
    });
    return sum;
  }
  document.querySelectorAll(".try").forEach(function (form) {
    var table = form.nextElementSibling, inputs = form.querySelectorAll("input");
    function update() {
      var values = {}, total = 0;
      inputs.forEach(function (input) { values[input.dataset.name] = Number(input.value) || 0; });
      table.querySelectorAll("[data-formula]").forEach(function (cell) {
        var bytes = evaluate(cell.dataset.formula, values), note = cell.querySelector("small");
        if (!note) { note = document.createElement("small"); cell.append(note); }
        note.textContent = isNaN(bytes) || /^\d+$/.test(cell.dataset.formula) ? "" : sizeText(bytes);
        cell.dataset.value = isNaN(bytes) ? cell.dataset.formula : String(bytes);
        total += bytes;
      });
      form.querySelector("output").textContent = isNaN(total) ? "" : sizeText(total);
    }
    form.addEventListener("input", update);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    update();
  });
}());
)js";

} // namespace isozyme

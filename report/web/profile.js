// SPDX-License-Identifier: Apache-2.0
// Hot spots: a click on a column sorts its table, largest first, and again the other way; the search field leaves
// the rows of functions and lines that have every word.
"use strict";
(() => {
  const section = document.getElementById("profile-bar")?.closest("section");
  if (!section) return;
  const key = (row, column) => {
    const cell = row.cells[column], data = cell.querySelector("data");
    if (data) return Number(data.value);
    const text = cell.textContent.trim();
    return cell.classList.contains("n") ? Number(text || 0) : text;
  };
  for (const table of section.querySelectorAll(".sorted table")) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const name = head.textContent, button = document.createElement("button");
      button.type = "button";
      button.className = "head";
      button.textContent = name;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const number = head.classList.contains("n");
        const first = number ? "descending" : "ascending";
        const order = head.getAttribute("aria-sort") === first ? (number ? "ascending" : "descending") : first;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const rows = [...body.rows].map((row) => [key(row, column), row]);
        rows.sort(([a], [b]) => sign * (a < b ? -1 : a > b ? 1 : 0));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }
  const field = document.getElementById("profile-search");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    for (const row of section.querySelectorAll(":scope > .sorted tbody tr, details > .sorted tbody tr")) {
      const text = (row.textContent + (row.querySelector("[title]")?.title || "")).toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  document.getElementById("profile-bar").hidden = false;
})();

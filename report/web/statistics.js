// SPDX-License-Identifier: Apache-2.0
// The search field above the table of statistics: leaves the rows that have every word, and their components.
// The page opens with the words of its address: report.html#statistics=miss+latency.
"use strict";
(() => {
  const field = document.getElementById("statistics-search");
  if (!field) return;
  const groups = [...document.querySelectorAll("#statistics-table tbody")].map((body) => ({
    body,
    heading: body.rows[0].textContent.toLowerCase(),
    rows: [...body.rows].slice(1).map((row) => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const status = document.getElementById("statistics-count");
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    let shown = 0, all = 0;
    for (const { body, heading, rows } of groups) {
      let any = false;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word) || heading.includes(word));
        any = any || !row.hidden;
        shown += !row.hidden;
        ++all;
      }
      body.hidden = !any;
    }
    status.textContent = words.length ? `${shown} of ${all}` : `${all} statistics`;
  };
  field.value = new URLSearchParams(location.hash.slice(1)).get("statistics") || "";
  field.addEventListener("input", search);
  search();
  document.getElementById("statistics-bar").hidden = false;
})();

// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"

namespace psim::report {
namespace {

/// Returns the class of a status: agrees, explained, differs or other.
const char* class_of(const std::string& status) {
  if (status == "agrees") return "agrees";
  if (status == "differs, explained") return "explained";
  return status == "differs" || status == "failed" ? "differs" : "other";
}

std::string status_cell(const ReproductionRow& row, const std::string& decisions) {
  std::string text = escape(row.status);
  if (!row.decision.empty())
    text = decisions.empty() ? fmt::format("{}: {}", text, escape(row.decision))
                             : fmt::format("<a href=\"file://{0}/{1}\" title=\"{1}\">{2}</a>",
                                           escape(decisions), escape(row.decision), text);
  return fmt::format("<td class=\"{}\">{}</td>", class_of(row.status), text);
}

std::string rows_table(const ReproductionSection& section, const std::string& decisions) {
  std::string out =
      "<table><thead><tr><th>quantity</th><th>source</th><th>paper</th><th>psim</th><th>error</th>"
      "<th>goal</th><th>status</th></tr></thead><tbody>\n";
  for (const ReproductionRow& row : section.rows)
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n",
                       escape(row.text), escape(row.source), escape(row.paper), escape(row.ours),
                       escape(row.error), escape(row.goal), status_cell(row, decisions));
  return out + "</tbody></table>\n";
}

std::string summary_table(const std::vector<ReproductionSection>& sections) {
  std::string out =
      "<table><thead><tr><th>experiment</th><th>of</th><th>agree</th><th>differ, explained</th>"
      "<th>differ</th><th>not run</th><th>CPU time, s</th></tr></thead><tbody>\n";
  for (const ReproductionSection& section : sections) {
    const auto with = [&](const char* status) {
      return std::ranges::count(section.rows, status, &ReproductionRow::status);
    };
    out += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td>"
        "<td>{4}</td><td>{5}</td><td>{6:.1f}</td></tr>\n",
        escape(section.name), escape(section.source), with("agrees"), with("differs, explained"),
        with("differs") + with("failed"), with("not run"), section.cpu_seconds);
  }
  return out + "</tbody></table>\n";
}

}  // namespace

std::string reproduction_page(const std::string& note, const std::string& decisions,
                              const std::vector<ReproductionSection>& sections) {
  std::string page =
      page_begin("Published results", std::string(chart_css()) +
                                          "td.agrees { color: #2f9e63; } td.explained { color: #b8860b; } "
                                          "td.differs { color: #c0392b; } td.other { color: var(--dim); }\n");
  page += fmt::format("<header><h1>Published results</h1><p class=\"dim\">{}</p></header>\n<main>\n",
                      escape(note));
  page += "<section>" + summary_table(sections) + "</section>\n";
  for (const ReproductionSection& section : sections) {
    page += fmt::format("<section id=\"{}\"><h2>{}: {}</h2>\n<p class=\"dim\">{}; <code>{}</code></p>\n",
                        escape(section.name), escape(section.name), escape(section.title),
                        escape(section.source), escape(section.command));
    page += rows_table(section, decisions);
    for (const Chart& chart : section.charts) {
      const std::string drawn = chart_svg(chart);
      if (!drawn.empty()) page += fmt::format("<h3>{}</h3>\n{}", escape(chart.title), drawn);
    }
    page += fmt::format("<details><summary>output</summary><pre>{}</pre></details>\n</section>\n",
                        escape(section.output));
  }
  page += "</main>\n";
  return page + page_end(nlohmann::ordered_json::object(), {});
}

}  // namespace psim::report

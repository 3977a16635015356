// SPDX-License-Identifier: Apache-2.0
#include "report/study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"
#include "base/result_document.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/page.h"
#include "report/report.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostBytes = 1'400'000;  ///< of values, so that the page stays below 2 MB
constexpr std::size_t kMostRegions = 20;       ///< of a run, each with columns of its own

/// Returns a number with eight digits, and anything else as it is.
Json eight_digits(const Json& value) {
  if (!value.is_number_float()) return value;
  return parse_number<double>(fmt::format("{:.8g}", value.get<double>())).value_or(0);
}

std::string select(const char* id, const char* label) {
  return fmt::format("<label>{} <select id=\"study-{}\"></select></label>", label, id);
}

std::string check(const char* id, const char* label) {
  return fmt::format("<label><input type=\"checkbox\" id=\"study-{}\"> {}</label>", id, label);
}

std::string study_section(const char* id, const char* title, const std::string& inside) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\" id=\"{0}-section\"><h2 id=\"{0}\">{1}</h2>\n{2}</section>\n", id,
      title, inside);
}

}  // namespace

Study::Column& Study::column(Group group, const std::string& key) {
  const auto at = std::ranges::lower_bound(index_, key, {}, &std::pair<std::string, std::size_t>::first);
  if (at != index_.end() && at->first == key) {
    Column& found = columns_[at->second];
    // Machines and results have some names in common.
    return found.group == group ? found : column(group, (group == Group::Key ? "key." : "result.") + key);
  }
  index_.insert(at, {key, columns_.size()});
  return columns_.emplace_back(Column{group, key, {}});
}

void Study::put(Group group, const std::string& key, const Json& value) {
  if (!value.is_number() && !value.is_string() && !value.is_boolean()) return;
  Column& to = column(group, key);
  to.values.resize(names_.size());
  to.values.back() = value.is_boolean() ? Json(value.get<bool>() ? "true" : "false") : eight_digits(value);
}

/// Adds all numbers and texts below a value, and the mean of a distribution. Lists have no columns.
void Study::put_all(Group group, const std::string& prefix, const Json& value) {
  if (value.is_object() && value.contains("samples") && value.contains("mean")) {
    put(group, prefix + ".mean", value["mean"]);
  } else if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      put_all(group, prefix.empty() ? key : prefix + "." + key, inner);
  } else {
    put(group, prefix, value);
  }
}

void Study::add(const std::string& name, const Json& document) {
  names_.push_back(name);
  put(Group::Key, "command", document.value("command", ""));
  std::string program = title_of_result(document);
  std::size_t number = 0;
  if (document.contains("arguments")) {
    for (const Json& argument : document["arguments"]) {
      const std::string text = argument.is_string() ? argument.get<std::string>() : argument.dump();
      const auto parsed = parse_number<double>(text);
      put(Group::Key, fmt::format("argument.{}", ++number), parsed ? Json(*parsed) : Json(text));
    }
    program = program.substr(0, program.find(' '));
  }
  put(Group::Key, "program", program);
  for (const char* key : {"ranks", "seed", "partial"})
    if (document.contains(key)) put(Group::Key, key, document[key]);
  for (const char* key : {"machine", "node", "network"})
    if (document.contains(key)) put_all(Group::Key, std::string(key) == "machine" ? "" : key, document[key]);
  for (const char* first : {"cycles", "seconds", "ipc", "instructions"})  // in front of all others
    if (document.contains(first)) put(Group::Result, first, document[first]);
  for (const auto& [key, value] : document.items()) {
    constexpr std::string_view kOthers[] = {
        "schema",  "version", "command",    "ranks", "seed", "partial",     "machine",   "node",
        "network", "inputs",  "statistics", "host",  "page", "result_hash", "arguments", "profile"};
    if (std::ranges::find(kOthers, key) == std::end(kOthers)) put_all(Group::Result, key, value);
  }
  if (document.contains("regions") && document["regions"].is_array())
    for (std::size_t i = 0; i < std::min(kMostRegions, document["regions"].size()); ++i) {
      const Json& region = document["regions"][i];
      for (const char* key : {"cycles", "instructions", "flops", "energy_joules"})
        if (region.is_object() && region.contains("name") && region["name"].is_string() &&
            region.contains(key))
          put(Group::Result, fmt::format("region.{}.{}", region["name"].get<std::string>(), key),
              region[key]);
    }
  if (document.contains("statistics")) put_all(Group::Statistic, "", document["statistics"]);
  if (document.contains("host"))
    for (const char* key : {"cpu_seconds", "wall_seconds", "peak_rss_bytes"})
      if (document["host"].contains(key)) put(Group::Host, std::string("host.") + key, document["host"][key]);
}

void Study::add_missing(const std::vector<std::string>& names) {
  missing_.insert(missing_.end(), names.begin(), names.end());
}

bool Study::varies(const Column& column) const {
  if (column.values.size() < names_.size()) return true;
  return std::ranges::any_of(column.values,
                             [&](const Json& value) { return value != column.values.front(); });
}

/// Returns the columns that vary, keys first, and a few in any case. A text is stated
/// once.
Json Study::data(std::size_t& dropped) const {
  constexpr std::string_view kAlways[] = {"cycles", "seconds", "energy.total_joules"};
  constexpr const char* kGroups[] = {"key", "result", "statistic", "host"};
  Json columns = Json::array();
  std::size_t bytes = 0;
  for (const Group group : {Group::Key, Group::Result, Group::Host, Group::Statistic})
    for (const Column& one : columns_) {
      const bool always = std::ranges::find(kAlways, one.key) != std::end(kAlways);
      if (one.group != group || (!varies(one) && !always)) continue;
      Json values = one.values, texts = Json::array();
      for (std::size_t i = values.size(); i < names_.size(); ++i) values.push_back(nullptr);
      if (std::ranges::any_of(values, [](const Json& value) { return value.is_string(); }))
        for (Json& value : values) {
          if (value.is_null()) continue;
          if (!value.is_string()) value = value.dump();
          auto known = std::find(texts.begin(), texts.end(), value);
          if (known == texts.end()) texts.push_back(value), known = std::prev(texts.end());
          value = known - texts.begin();
        }
      Json column{
          {"key", one.key}, {"group", kGroups[static_cast<int>(group)]}, {"values", std::move(values)}};
      if (!texts.empty()) column["texts"] = std::move(texts);
      bytes += column.dump(-1, ' ', false, Json::error_handler_t::replace).size();
      if (bytes > kMostBytes)
        ++dropped;
      else
        columns.push_back(std::move(column));
    }
  return {{"runs", names_}, {"columns", std::move(columns)}};
}

std::string Study::page(const std::string& title, const std::vector<std::string>& left_out) const {
  std::size_t dropped = 0;
  const Json study = data(dropped);
  const auto keys =
      std::ranges::count_if(study["columns"], [](const Json& column) { return column["group"] == "key"; });
  std::string page = page_begin(escape(title));
  page += "<header><div><h1>" + escape(title) + "</h1>\n<p class=\"dim\">psim report: a study</p></div>" +
          theme_button() + "</header>\n<main>\n<dl class=\"cards\" aria-label=\"summary\">\n" +
          card("Runs", count(names_.size())) +
          card("Keys that vary", count(static_cast<std::uint64_t>(keys))) +
          card("Values that vary", count(study["columns"].size() - static_cast<std::size_t>(keys))) +
          (missing_.empty() ? "" : card("Runs without a result", count(missing_.size()))) +
          (left_out.empty() ? "" : card("Files left out", count(left_out.size()))) + "</dl>\n";
  if (dropped != 0)
    page += fmt::format(
        "<p class=\"note\">{} statistics that vary are left out, so that the page stays small.</p>\n",
        dropped);
  page +=
      "<noscript><p class=\"flag\">The study needs scripts; psim run --sweep --csv writes a "
      "table.</p></noscript>\n"
      "<div class=\"bar sticky\"><label>Filter <input type=\"text\" id=\"study-filter\" placeholder=\"word, "
      "key=value, "
      "cycles&lt;2e6\"></label><span id=\"study-count\" class=\"dim\" role=\"status\"></span></div>\n";
  page += study_section("plane", "Two values of all runs",
                        "<div class=\"bar\"><span class=\"bar\">" + select("x", "Across") +
                            select("x-best", "better") + check("x-log", "log") +
                            "</span><span class=\"bar\">" + select("y", "Up") + select("y-best", "better") +
                            check("y-log", "log") + "</span>" + select("colour", "Colour") +
                            "</div>\n<figure class=\"chart\"><div id=\"study-legend\"></div><div "
                            "class=\"plot\" id=\"study-plane\"></div></figure>\n<p "
                            "class=\"note\" id=\"study-front\" role=\"status\"></p>\n");
  page += study_section("map", "A value over two keys",
                        "<div class=\"bar\">" + select("map-x", "Across") + select("map-y", "Down") +
                            select("map-value", "Value") +
                            "</div>\n<figure class=\"chart\"><div class=\"plot\" "
                            "id=\"study-map\"></div></figure>\n<p class=\"note\" "
                            "id=\"study-map-note\"></p>\n");
  page += study_section(
      "parallel", "All keys of all runs",
      "<p class=\"note\">A line for each run; the front is thick, picked runs are drawn last.</p>\n<figure "
      "class=\"chart\"><div class=\"plot\" id=\"study-parallel\"></div></figure>\n");
  page += study_section(
      "runs", "Runs",
      "<p class=\"note\">Pick two runs to see them side by side. A click on a head sorts.</p>\n<div "
      "class=\"scroll tall\"><table "
      "id=\"study-table\"><caption>Runs</caption><thead></thead><tbody></tbody></"
      "table></div>\n<p class=\"bar\"><button type=\"button\" id=\"study-more\" hidden>Show "
      "all</button></p>\n");
  page += study_section("pair", "Side by side", "<div id=\"study-pair\"></div>\n");
  if (!missing_.empty()) {
    constexpr std::size_t kListed = 200;
    std::string items;
    for (std::size_t i = 0; i < std::min(kListed, missing_.size()); ++i)
      items += "<li>" + escape(missing_[i]) + "</li>\n";
    page += study_section("missing", "Runs without a result",
                          "<p class=\"note\">These points are planned. The page made again has those that "
                          "have ended meanwhile.</p>\n"
                          "<ul>" +
                              items + "</ul>\n" +
                              (missing_.size() > kListed ? fmt::format("<p class=\"note\">{} more.</p>\n",
                                                                       missing_.size() - kListed)
                                                         : ""));
  }
  if (!left_out.empty()) {
    std::string items;
    for (const std::string& line : left_out) items += "<li>" + escape(line) + "</li>\n";
    page += study_section("left-out", "Files left out", "<ul>" + items + "</ul>\n");
  }
  Table same("Equal in all runs", {{"Key", Table::Kind::Text}, {"Value"}});
  for (const Column& one : columns_)
    if (one.group != Group::Statistic && !varies(one))
      same.add({escape(one.key), shown_value(one.key, one.values.front())});
  page += study_section("same", "Equal in all runs",
                        "<details><summary>Keys and values</summary>" + same.html() + "</details>\n");
  page += fmt::format(
      "</main>\n<footer>psim {}. This file is self-contained; numbers have eight digits, and the results "
      "all. Charts: "
      "Observable Plot and D3, ISC licence, &copy; 2020 Observable, 2010 Mike Bostock.</footer>\n",
      version());
  return page + page_end({{"study", study}}, {web::report_js, web::plot_js, web::figures_js, web::study_js});
}

}  // namespace psim::report

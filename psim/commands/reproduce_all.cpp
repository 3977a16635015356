// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/reproduce_all.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "base/result_document.h"
#include "papers/explanation.h"
#include "papers/psim_process.h"
#include "papers/published.h"
#include "papers/reproduction.h"
#include "psim/commands/result_file.h"
#include "report/figure.h"

namespace psim::commands {
namespace {

namespace fs = std::filesystem;
using reproduce::JudgedValue;
using reproduce::Published;
using reproduce::PublishedFigure;
using reproduce::ReproducedExperiment;

/// Returns the folder of the decisions: in the source tree, or with the installed documentation.
std::string decisions_folder() {
  fs::path folder = executable_path().parent_path();
  std::error_code ignored;
  for (int level = 0; level < 4; ++level, folder = folder.parent_path())
    for (const char* below : {"docs/decisions", "share/doc/psim/docs/decisions"})
      if (fs::is_directory(folder / below, ignored)) return (folder / below).string();
  return "";
}

using report::Chart;
using Json = nlohmann::ordered_json;

/// The series of a figure by name, in order of their first point.
using SeriesPoints = std::vector<std::pair<Chart::Series, Json>>;

Json& points_of(SeriesPoints& all, const std::string& name, bool published) {
  for (auto& [series, points] : all)
    if (series.name == name) return points;
  return all.emplace_back(Chart::Series{.name = name, .dashed = published}, Json::array()).second;
}

/// Adds a value of the figure: the paper's number and ours.
void add_value(SeriesPoints& all, const JudgedValue& one) {
  const reproduce::PublishedValue& value = *one.value;
  const double x = parse_number<double>(value.x).value_or(0);
  const std::string of = value.series.empty() ? "" : value.series + ", ";
  if (value.paper) points_of(all, of + "paper", true).push_back({x, *value.paper, value.x});
  if (one.ours) points_of(all, of + "psim", false).push_back({x, *one.ours, value.x});
}

Json charts_of(const ReproducedExperiment& experiment) {
  Json charts = Json::array();
  for (const PublishedFigure& figure : experiment.published.figures) {
    Chart chart(figure.title, {figure.x_name, "", figure.log_x}, {figure.y_name, "", figure.log_y},
                figure.kind == PublishedFigure::Kind::Bars       ? Chart::Kind::Bars
                : figure.kind == PublishedFigure::Kind::Timeline ? Chart::Kind::Timeline
                                                                 : Chart::Kind::Lines);
    SeriesPoints all;
    for (const JudgedValue& one : experiment.values)
      if (one.value->figure == figure.name) add_value(all, one);
    for (const reproduce::PublishedCurve& curve : experiment.published.curves) {
      if (curve.figure != figure.name || experiment.result.is_null()) continue;
      const auto [x, y] = curve.points(experiment.result);
      Json& points = points_of(all, curve.series, false);
      for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
    }
    for (const auto& [series, points] : all) {
      chart.series(series);
      for (const Json& point : points) chart.add(point);
    }
    charts.push_back(chart.json());
  }
  return charts;
}

/// Returns an experiment as its page shows it.
Json page_of(const ReproducedExperiment& experiment) {
  const Published& published = experiment.published;
  Json page{{"name", published.name},
            {"title", published.title},
            {"source", fmt::format("paper {}, {}", published.paper, published.source)},
            {"command", fmt::format("psim {}", fmt::join(experiment.command, " "))},
            {"cpu_seconds", experiment.cpu_seconds},
            {"rows", Json::array()},
            {"charts", charts_of(experiment)},
            {"output", experiment.output + experiment.failure}};
  for (const JudgedValue& one : experiment.values) {
    page["rows"].push_back({{"text", one.value->text},
                            {"source", one.value->source},
                            {"paper", one.paper_text()},
                            {"ours", one.ours_text()},
                            {"error", one.error_text()},
                            {"goal", one.goal_text()},
                            {"status", text_of(one.outcome)},
                            {"decision", one.decision()},
                            {"tried", one.tried_text()},
                            {"difference", nullptr},
                            {"tolerance", nullptr}});
    if (const auto error = one.error()) page["rows"].back()["difference"] = *error;
    if (one.value->tolerance) page["rows"].back()["tolerance"] = *one.value->tolerance;
  }
  return page;
}

void fill_in(ResultDocument& result, const std::vector<ReproducedExperiment>& all, bool quick) {
  nlohmann::ordered_json& body = result.body();
  body["experiment"] = "all";
  body["quick"] = quick;
  for (const ReproducedExperiment& one : all) {
    body["experiments"].push_back({{"name", one.published.name},
                                   {"paper", one.published.paper},
                                   {"title", one.published.title},
                                   {"source", one.published.source},
                                   {"failure", one.failure},
                                   {"values", json_of(one, false)}});
    const Json causes = json_of(one.causes);
    if (!causes.empty()) body["experiments"].back()["causes"] = causes;
    result.host()["experiments"].push_back({{"name", one.published.name},
                                            {"status", text_of(one.outcome())},
                                            {"command", one.command},
                                            {"simulations_cpu_seconds", one.cpu_seconds},
                                            {"values", json_of(one, true)}});
  }
}

}  // namespace

void add_experiments(ResultDocument& result, const std::vector<ReproducedExperiment>& all,
                     const std::string& title) {
  result.page()["title"] = title;
  result.page()["decisions"] = decisions_folder();
  for (const ReproducedExperiment& one : all) result.page()["experiments"].push_back(page_of(one));
}

int reproduce_all(const reproduce::ExperimentOptions& options, const std::string& only, bool explains,
                  const ReproductionFiles& files) {
  reproduce::prepare_to_keep(options.into);
  std::vector<Published> published;
  for (const std::string& name : reproduce::published_names())
    if (only.empty() || only == name) published.push_back(reproduce::load_published(name));
  ResultDocument result("reproduce", files.json);
  std::optional<OutputFile> page, csv;
  if (!files.report.empty()) page.emplace(files.report, "--report");
  if (!files.csv.empty()) csv.emplace(files.csv, "--csv");
  std::vector<ReproducedExperiment> all;
  for (Published& one : published) {
    reproduce::restrict_to(one, options.only, options.sample, options.cause);
    all.push_back(reproduce::reproduce(std::move(one), options.quick, options));
    if (std::string_view failure = all.back().failure; !options.only.empty() && !failure.empty())
      throw UserError(std::string(failure.substr(failure.starts_with("psim: ") ? 6 : 0)));
    if (explains) reproduce::explain(all.back(), options.quick, options);
    console::print("{}", table_of(all.back()));
  }
  const auto count = [&](reproduce::Outcome outcome) {
    std::size_t number = 0;
    for (const ReproducedExperiment& one : all)
      number += static_cast<std::size_t>(std::ranges::count(one.values, outcome, &JudgedValue::outcome));
    return number;
  };
  using reproduce::Outcome;
  const int status =
      std::ranges::any_of(all, [](const ReproducedExperiment& one) { return status_of(one) != 0; }) ? 1 : 0;
  const std::string by_run = explains
                                 ? fmt::format(" {} are explained by a run, {} are not explained by any,",
                                               count(Outcome::ExplainedByRun), count(Outcome::NotExplained))
                                 : "";
  console::print("{} values agree,{} {} differ and are explained, {} differ, {} failed, {} were not run\n",
                 count(Outcome::Agrees), by_run, count(Outcome::Explained), count(Outcome::Differs),
                 count(Outcome::Failed), count(Outcome::NotRun));
  fill_in(result, all, options.quick);
  result.host()["exit_status"] = status;  // values that depend on the host are judged, too
  if (csv) csv->write(csv_of(all)), csv->commit();
  add_experiments(result, all,
                  fmt::format("Published results: psim reproduce {}{}{}", only.empty() ? "--all" : only,
                              options.quick ? " --quick" : "", explains ? " --explain" : ""));
  result.finish();
  write_page(page, result);
  return status;
}

}  // namespace psim::commands

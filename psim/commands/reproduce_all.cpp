// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/reproduce_all.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "papers/psim_process.h"
#include "papers/published.h"
#include "papers/reproduction.h"
#include "report/reproduction_page.h"

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

report::ChartSeries& series_of(report::Chart& chart, const std::string& name, bool published) {
  for (report::ChartSeries& series : chart.series)
    if (series.name == name) return series;
  chart.series.push_back({name, published, {}});
  return chart.series.back();
}

/// Adds a value of the figure: the paper's number and ours.
void add_value(report::Chart& chart, const JudgedValue& one) {
  const reproduce::PublishedValue& value = *one.value;
  double x = 0;
  std::from_chars(value.x.data(), value.x.data() + value.x.size(), x);
  const std::string of = value.series.empty() ? "" : value.series + ", ";
  if (value.paper) series_of(chart, of + "paper", true).points.push_back({x, *value.paper, value.x});
  if (one.ours) series_of(chart, of + "psim", false).points.push_back({x, *one.ours, value.x});
}

std::vector<report::Chart> charts_of(const ReproducedExperiment& experiment) {
  std::vector<report::Chart> charts;
  for (const PublishedFigure& figure : experiment.published.figures) {
    report::Chart chart{figure.title,
                        figure.x_name,
                        figure.y_name,
                        report::Chart::Kind::Lines,
                        figure.log_x,
                        figure.log_y,
                        {}};
    if (figure.kind == PublishedFigure::Kind::Bars) chart.kind = report::Chart::Kind::Bars;
    if (figure.kind == PublishedFigure::Kind::Timeline) chart.kind = report::Chart::Kind::Timeline;
    for (const JudgedValue& one : experiment.values)
      if (one.value->figure == figure.name) add_value(chart, one);
    for (const reproduce::PublishedCurve& curve : experiment.published.curves) {
      if (curve.figure != figure.name || experiment.result.is_null()) continue;
      const auto [x, y] = curve.points(experiment.result);
      report::ChartSeries& series = series_of(chart, curve.series, false);
      for (std::size_t i = 0; i < x.size(); ++i) series.points.push_back({x[i], y[i], ""});
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

report::ReproductionSection section_of(const ReproducedExperiment& experiment) {
  const Published& published = experiment.published;
  report::ReproductionSection section{published.name,
                                      published.title,
                                      fmt::format("paper {}, {}", published.paper, published.source),
                                      fmt::format("psim {}", fmt::join(experiment.command, " ")),
                                      std::string(text_of(experiment.outcome())),
                                      experiment.cpu_seconds,
                                      {},
                                      charts_of(experiment),
                                      experiment.output + experiment.failure};
  for (const JudgedValue& one : experiment.values)
    section.rows.push_back({one.value->text, one.value->source, one.paper_text(), one.ours_text(),
                            one.error_text(), one.goal_text(), std::string(text_of(one.outcome)),
                            one.outcome == reproduce::Outcome::Explained ? one.value->explained : ""});
  return section;
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
    result.host()["experiments"].push_back({{"name", one.published.name},
                                            {"status", text_of(one.outcome())},
                                            {"command", one.command},
                                            {"simulations_cpu_seconds", one.cpu_seconds},
                                            {"values", json_of(one, true)}});
  }
}

}  // namespace

int reproduce_all(const reproduce::ExperimentOptions& options, const ReproductionFiles& files) {
  reproduce::prepare_to_keep(options.into);
  std::vector<Published> published;
  for (const std::string& name : reproduce::published_names())
    published.push_back(reproduce::load_published(name));
  ResultDocument result("reproduce", files.json);
  std::optional<OutputFile> page, csv;
  if (!files.report.empty()) page.emplace(files.report, "--report");
  if (!files.csv.empty()) csv.emplace(files.csv, "--csv");
  std::vector<ReproducedExperiment> all;
  for (Published& one : published) {
    all.push_back(reproduce::reproduce(std::move(one), options.quick, options));
    console::print("{}", table_of(all.back()));
  }
  const auto count = [&](reproduce::Outcome outcome) {
    std::size_t number = 0;
    for (const ReproducedExperiment& one : all)
      number += static_cast<std::size_t>(std::ranges::count(one.values, outcome, &JudgedValue::outcome));
    return number;
  };
  using reproduce::Outcome;
  const int status = status_of(all);
  console::print("{} values agree, {} differ and are explained, {} differ, {} failed, {} were not run\n",
                 count(Outcome::Agrees), count(Outcome::Explained), count(Outcome::Differs),
                 count(Outcome::Failed), count(Outcome::NotRun));
  fill_in(result, all, options.quick);
  result.host()["exit_status"] = status;  // values that depend on the host are judged, too
  if (csv) csv->write(csv_of(all)), csv->commit();
  if (page) {
    std::vector<report::ReproductionSection> sections;
    for (const ReproducedExperiment& one : all) sections.push_back(section_of(one));
    page->write(
        report::reproduction_page(fmt::format("psim reproduce --all{}", options.quick ? " --quick" : ""),
                                  decisions_folder(), sections));
    page->commit();
  }
  result.finish();
  return status;
}

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/csv_field.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/printable.h"
#include "base/run_progress.h"
#include "papers/experiment.h"
#include "papers/kernel_files.h"
#include "papers/network_run.h"
#include "papers/psim_process.h"

namespace psim::reproduce {

namespace {

/// Returns a word as it is typed in a shell.
std::string typed(const std::string& word) {
  return word.find_first_of(" |;<>") == std::string::npos ? word : "'" + word + "'";
}

}  // namespace

std::string typed_command(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--jobs" || words[i] == "--into") {  // no run depends on them
      ++i;
      continue;
    }
    text += (text.empty() ? "" : " ") + typed(words[i]);
  }
  return text;
}

std::string text_of(const std::vector<TriedCause>& causes) {
  std::string text;
  for (const TriedCause& tried : causes) {
    text += fmt::format("  cause {}: {} ({})\n", tried.cause->name, tried.cause->text, tried.cause->source);
    for (const TriedCause::Run& run : tried.runs) {
      text += fmt::format("    {} = {}: ", tried.cause->set, run.value);
      if (!run.failure.empty())
        text += fmt::format("failed: {}\n", run.failure);
      else
        text += fmt::format("{} of {} values agree, before {}; psim {}\n", run.agree, run.of, run.before,
                            typed_command(run.command));
    }
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<TriedCause>& causes) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const TriedCause& tried : causes)
    for (const TriedCause::Run& run : tried.runs)
      runs.push_back({{"cause", tried.cause->name},
                      {"value", run.value},
                      {"agree", run.agree},
                      {"before", run.before},
                      {"of", run.of},
                      {"failure", run.failure}});
  return runs;
}
namespace {

/// Returns the CPU time that a result states, with that of simulations that were kept.
double cpu_seconds_of(const nlohmann::ordered_json& result) {
  const auto host = result.find("host");
  if (host == result.end()) return 0;
  double sum = 0;
  if (host->contains("runs"))
    for (const nlohmann::ordered_json& run : (*host)["runs"]) sum += run.value("cpu_seconds", 0.0);
  return std::max(sum, host->value("cpu_seconds", 0.0) + host->value("simulations_cpu_seconds", 0.0));
}

/// Returns true for the words of `psim reproduce`, which keeps its simulations itself.
bool is_experiment(const std::vector<std::string>& words) { return words.front() == "reproduce"; }

std::string number_text(double value, const std::string& unit) {
  return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
}

}  // namespace

std::string_view text_of(Outcome outcome) {
  constexpr std::string_view kTexts[] = {
      "agrees", "explained by a run", "differs, explained", "not explained", "differs", "shown", "not run",
      "failed"};
  return kTexts[static_cast<std::size_t>(outcome)];
}

Outcome judge(const PublishedValue& value, std::optional<double> ours) {
  constexpr double kRounding = 1e-12;
  // Without a place in our result it is an input, or a time of one of several hosts.
  if (!ours) return value.find.empty() ? Outcome::Shown : Outcome::NotRun;
  bool judged = false, good = true;
  const auto require = [&](bool holds) { judged = true, good = good && holds; };
  if (value.statement) require(*ours != 0);
  if (value.tolerance) require(std::abs(*ours / *value.paper - 1) <= *value.tolerance + kRounding);
  if (value.least) require(*ours >= *value.least);
  if (value.most) require(*ours <= *value.most);
  if (!judged) return Outcome::Shown;
  if (good) return Outcome::Agrees;
  return value.explained.empty() ? Outcome::Differs : Outcome::Explained;
}

std::optional<double> JudgedValue::error() const {
  if (!ours || !value->paper || *value->paper == 0) return std::nullopt;
  return *ours / *value->paper - 1;
}

std::string JudgedValue::paper_text() const {
  if (value->statement) return "so";
  return value->paper ? number_text(*value->paper, value->unit) : "";
}

std::string JudgedValue::ours_text() const {
  if (!ours) return "";
  return value->statement ? (*ours != 0 ? "so" : "not so") : number_text(*ours, value->unit);
}

std::string JudgedValue::error_text() const {
  const std::optional<double> difference = error();
  return difference ? fmt::format("{:+.1f} %", 100 * *difference) : "";
}

std::string JudgedValue::tried_text() const {
  if (!tried_least) return "";
  const std::string range =
      value->statement ? "" : fmt::format("; {:.4g} … {:.4g}", *tried_least, *tried_most);
  return fmt::format("psim {}{}", tried, range);
}

std::string JudgedValue::reason_text() const {
  if (outcome == Outcome::ExplainedByRun) return ": " + tried_text();
  if (outcome == Outcome::NotExplained)
    return fmt::format(": no run of {} reaches it, the nearest is {}; docs/decisions/{}",
                       fmt::join(inputs, ", "), tried_text(), value->explained);
  return outcome == Outcome::Explained ? ": docs/decisions/" + value->explained : "";
}

std::string JudgedValue::decision() const {
  return outcome == Outcome::Explained || outcome == Outcome::NotExplained ? value->explained : "";
}

std::string JudgedValue::goal_text() const {
  if (value->tolerance) return fmt::format("{:g} %", 100 * *value->tolerance);
  if (value->least && value->most) return fmt::format("{:g} … {:g}", *value->least, *value->most);
  if (value->least) return fmt::format(">= {:g}", *value->least);
  return value->most ? fmt::format("<= {:g}", *value->most) : "";
}

Outcome ReproducedExperiment::outcome() const {
  for (const Outcome worst : {Outcome::Failed, Outcome::Differs, Outcome::NotExplained, Outcome::Explained,
                              Outcome::ExplainedByRun, Outcome::Agrees})
    if (std::ranges::any_of(values, [&](const JudgedValue& one) { return one.outcome == worst; }))
      return worst;
  return failure.empty() ? Outcome::Shown : Outcome::Failed;
}

std::vector<std::string> command_of(const Published& published, bool quick,
                                    const SimulationOptions& options) {
  std::vector<std::string> words = quick ? published.quick : published.command;
  constexpr std::string_view kPrograms = "{programs}", kKernels = "{kernels}";
  for (std::string& word : words) {
    if (word.starts_with(kPrograms)) word.replace(0, kPrograms.size(), program_directory());
    if (word.starts_with(kKernels)) word.replace(0, kKernels.size(), kernel_directory());
  }
  if (is_experiment(words)) {
    if (!find_experiment(words.at(1)).one_at_a_time)
      words.insert(words.end(), {"--jobs", std::to_string(options.jobs)});
    if (!options.into.empty()) words.insert(words.end(), {"--into", options.into});
  }
  return words;
}

void judge_values(ReproducedExperiment& experiment) {
  for (const PublishedValue& value : experiment.published.values) {
    if (!experiment.failure.empty()) {
      experiment.values.push_back({&value, std::nullopt, Outcome::Failed});
      continue;
    }
    const std::optional<double> ours = value.ours(experiment.result);
    experiment.values.push_back({&value, ours, judge(value, ours)});
  }
}

CommandOutcome run_command(const std::vector<std::string>& command, const std::string& label,
                           const SimulationOptions& options) {
  const std::string keep = is_experiment(command) ? "" : options.into;
  const std::vector<Task> task{{[&]() {
    const PsimOutcome outcome = run_or_take_psim(command, keep);
    return nlohmann::ordered_json{{"json", outcome.json},
                                  {"output", outcome.output},
                                  {"errors", outcome.errors},
                                  {"status", outcome.status}}
        .dump();
  }}};
  const auto done = nlohmann::ordered_json::parse(do_all_shown(task, {label}, 1, options.quiet).front());
  CommandOutcome made;
  made.output = done["output"].get<std::string>();
  const int status = done["status"].get<int>();
  made.result = nlohmann::ordered_json::parse(done["json"].get<std::string>(), nullptr, false);
  if (status > 1 || made.result.is_discarded()) {
    made.result = nullptr;
    made.failure = done["errors"].get<std::string>();
    while (made.failure.ends_with('\n')) made.failure.pop_back();
    if (made.failure.empty()) made.failure = fmt::format("ended with status {}", status);
  }
  made.cpu_seconds = made.result.is_object() ? cpu_seconds_of(made.result) : 0;
  return made;
}

ReproducedExperiment reproduce(Published published, bool quick, const SimulationOptions& options) {
  ReproducedExperiment made;
  made.published = std::move(published);
  made.command = command_of(made.published, quick, options);
  CommandOutcome outcome = run_command(made.command, made.published.name, options);
  made.result = std::move(outcome.result);
  made.failure = std::move(outcome.failure);
  made.output = std::move(outcome.output);
  made.cpu_seconds = outcome.cpu_seconds;
  judge_values(made);
  if (!options.into.empty()) {
    OutputFile file(fmt::format("{}/{}.txt", options.into, made.published.name), "--into");
    file.write(made.output + made.failure);
    file.commit();
  }
  return made;
}

std::string table_of(const ReproducedExperiment& experiment) {
  std::string text =
      fmt::format("{}: paper {}, {}: {}\n", experiment.published.name, experiment.published.paper,
                  experiment.published.source, experiment.published.title);
  std::size_t not_run = 0, width = 0;
  for (const JudgedValue& one : experiment.values)
    if (one.outcome == Outcome::NotRun)
      ++not_run;
    else
      width = std::max(width, characters(one.value->text));
  const auto row = [&](std::string_view name, auto... cells) {
    text += fmt::format("  {:<{}} {:>12} {:>12} {:>10} {:>13}  {}{}\n", name, width, cells...);
  };
  if (width != 0) row("", "paper", "psim", "error", "goal", "status", "");
  for (const JudgedValue& one : experiment.values)
    if (one.outcome != Outcome::NotRun)
      row(one.value->text, one.paper_text(), one.ours_text(), one.error_text(), one.goal_text(),
          text_of(one.outcome), one.reason_text());
  if (not_run != 0) text += fmt::format("  {} values were not run\n", not_run);
  text += text_of(experiment.causes);
  if (!experiment.failure.empty()) text += fmt::format("  failed: {}\n", experiment.failure);
  return text +
         fmt::format("  {}; {:.1f} s of CPU time\n\n", text_of(experiment.outcome()), experiment.cpu_seconds);
}

nlohmann::ordered_json json_of(const ReproducedExperiment& experiment, bool host) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (const JudgedValue& one : experiment.values) {
    if (one.value->find.of_host() != host) continue;
    values.push_back({{"name", one.value->name},
                      {"text", one.value->text},
                      {"unit", one.value->unit},
                      {"source", one.value->source},
                      {"paper", number(one.value->paper)},
                      {"ours", number(one.ours)},
                      {"error", number(one.error())},
                      {"tolerance", number(one.value->tolerance)},
                      {"status", text_of(one.outcome)},
                      {"decision", one.decision()},
                      {"tried_least", number(one.tried_least)},
                      {"tried_most", number(one.tried_most)},
                      {"tried", one.tried}});
  }
  return values;
}

std::string csv_of(const std::vector<ReproducedExperiment>& all) {
  std::string text =
      "experiment,value,text,unit,source,paper,ours,error,tolerance,least,most,status,decision,tried_least,"
      "tried_most,tried,cpu_seconds\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (const ReproducedExperiment& experiment : all)
    for (const JudgedValue& one : experiment.values) {
      const PublishedValue& value = *one.value;
      const std::vector<std::string> fields{experiment.published.name,
                                            value.name,
                                            value.text,
                                            value.unit,
                                            value.source,
                                            number(value.paper),
                                            number(one.ours),
                                            number(one.error()),
                                            number(value.tolerance),
                                            number(value.least),
                                            number(value.most),
                                            std::string(text_of(one.outcome)),
                                            one.outcome == Outcome::Explained ? value.explained : "",
                                            number(one.tried_least),
                                            number(one.tried_most),
                                            one.tried,
                                            fmt::format("{:.3f}", experiment.cpu_seconds)};
      std::string line;
      for (const std::string& one_field : fields) line += (line.empty() ? "" : ",") + csv_field(one_field);
      text += line + "\n";
    }
  return text;
}

int status_of(const ReproducedExperiment& experiment, bool host) {
  const auto fails = [&](const JudgedValue& one) {
    return (host || !one.value->find.of_host()) &&
           (one.outcome == Outcome::Failed || one.outcome == Outcome::Differs ||
            one.outcome == Outcome::NotExplained);
  };
  return !experiment.failure.empty() || std::ranges::any_of(experiment.values, fails) ? 1 : 0;
}

}  // namespace psim::reproduce

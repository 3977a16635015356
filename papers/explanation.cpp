// SPDX-License-Identifier: Apache-2.0
#include "papers/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace psim::reproduce {
namespace {

bool has_cause(const JudgedValue& one, const PublishedCause& cause) {
  return (one.outcome == Outcome::Explained || one.outcome == Outcome::NotExplained ||
          one.outcome == Outcome::ExplainedByRun) &&
         std::ranges::find(one.value->causes, cause.name) != one.value->causes.end();
}

/// Returns how far `ours` is from the paper's number or from the bounds; 0: a statement.
double distance(const PublishedValue& value, double ours) {
  if (value.paper) return std::abs(ours - *value.paper);
  if (value.least && ours < *value.least) return *value.least - ours;
  return value.most && ours > *value.most ? ours - *value.most : 0;
}

/// Takes ours of a run into account.
void judge_run(JudgedValue& one, double ours, const std::string& input, const std::string& command) {
  const PublishedValue& value = *one.value;
  const bool first = !one.tried_least;
  const bool nearer = first || distance(value, ours) < std::min(distance(value, *one.tried_least),
                                                                distance(value, *one.tried_most));
  one.tried_least = std::min(ours, one.tried_least.value_or(*one.ours));
  one.tried_most = std::max(ours, one.tried_most.value_or(*one.ours));
  const bool agrees = judge(value, ours) == Outcome::Agrees;
  const bool between = value.paper && *one.tried_least <= *value.paper && *value.paper <= *one.tried_most;
  if (nearer || (agrees && one.outcome != Outcome::ExplainedByRun)) one.tried = command;
  if (agrees || between)
    one.outcome = Outcome::ExplainedByRun;
  else if (one.outcome == Outcome::Explained)
    one.outcome = Outcome::NotExplained;
  if (std::ranges::find(one.inputs, input) == one.inputs.end()) one.inputs.push_back(input);
}

/// Returns true if a cause runs the part `only`, of which its own may be a group: hpl of hpl-160000-120-256.
bool runs_part(const PublishedCause& cause, const std::string& only) {
  const auto own = std::ranges::find(cause.with, "--only");
  return own == cause.with.end() || only == own[1] || only.starts_with(own[1] + "-");
}

}  // namespace

void restrict_to(Published& published, const std::string& only, bool sample, const std::string& cause) {
  if (!cause.empty()) {
    std::vector<std::string> names;
    for (const PublishedCause& one : published.causes) names.push_back(one.name);
    if (std::ranges::find(names, cause) == names.end())
      throw UserError(fmt::format("reproduce: --cause {}: {} has {}", cause.substr(0, 100), published.name,
                                  fmt::join(names, ", ")));
    std::erase_if(published.causes, [&](const PublishedCause& one) { return one.name != cause; });
  }
  std::vector<std::string> words;
  if (!only.empty()) words = {"--only", only};
  if (sample) words.emplace_back("--sample");
  for (std::vector<std::string>* command : {&published.command, &published.quick})
    command->insert(command->end(), words.begin(), words.end());
  if (!only.empty())
    std::erase_if(published.causes, [&](const PublishedCause& one) { return !runs_part(one, only); });
  for (PublishedCause& one : published.causes) {
    if (sample) std::erase(one.with, "--sample");
    const auto own = std::ranges::find(one.with, "--only");
    if (!only.empty() && own != one.with.end()) one.with.erase(own, own + 2);
  }
}

void judge_cause(ReproducedExperiment& experiment, TriedCause tried,
                 const std::vector<nlohmann::ordered_json>& results) {
  for (std::size_t run = 0; run < tried.runs.size(); ++run)
    for (JudgedValue& one : experiment.values) {
      if (results[run].is_null() || !one.ours) continue;
      const std::optional<double> ours = one.value->ours(results[run]);
      const Outcome outcome = judge(*one.value, ours);
      if (!ours || outcome == Outcome::Shown) continue;
      ++tried.runs[run].of;
      if (outcome == Outcome::Agrees) ++tried.runs[run].agree;
      if (one.outcome == Outcome::Agrees) ++tried.runs[run].before;
      if (has_cause(one, *tried.cause))
        judge_run(one, *ours, tried.cause->set, typed_command(tried.runs[run].command));
    }
  experiment.causes.push_back(std::move(tried));
}

void explain(ReproducedExperiment& experiment, bool quick, const SimulationOptions& options) {
  for (const PublishedCause& cause : experiment.published.causes) {
    if (std::ranges::none_of(experiment.values,
                             [&](const JudgedValue& one) { return has_cause(one, cause); }))
      continue;
    TriedCause tried{&cause, {}};
    std::vector<nlohmann::ordered_json> results;
    for (const std::string& value : cause.values) {
      TriedCause::Run run{value, command_of(experiment.published, quick, options)};
      std::vector<std::string> words = cause.words(value);
      // The fits of --quick go far beyond their samples, so they need exact times.
      if (quick) std::erase(words, "--sample");
      run.command.insert(run.command.end(), words.begin(), words.end());
      CommandOutcome outcome = run_command(run.command, cause.set + "=" + value, options);
      run.failure = std::move(outcome.failure);
      experiment.cpu_seconds += outcome.cpu_seconds;
      results.push_back(std::move(outcome.result));
      tried.runs.push_back(std::move(run));
    }
    judge_cause(experiment, std::move(tried), results);
  }
}

}  // namespace psim::reproduce

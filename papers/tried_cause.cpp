// SPDX-License-Identifier: Apache-2.0
#include "papers/tried_cause.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

}  // namespace psim::reproduce

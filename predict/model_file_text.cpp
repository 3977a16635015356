// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "predict/model_file.h"

namespace psim::predict {
namespace {

std::string quoted_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string errors_text(const std::string& prefix, const FitErrors& errors) {
  std::string out = fmt::format("{}points = {}\n", prefix, errors.points);
  out += fmt::format("{}terms = {}\n", prefix, quoted_toml(fmt::format("{}", fmt::join(errors.terms, "; "))));
  out += fmt::format("{}coefficients = \"{}\"\n", prefix, fmt::join(errors.coefficients, " "));
  out += fmt::format("{}covariance = \"{}\"\n", prefix, fmt::join(errors.covariance, " "));
  out += fmt::format("{}residual_variance = {}\n", prefix, errors.residual_variance);
  out += fmt::format("{}degrees_of_freedom = {}\n", prefix, errors.degrees_of_freedom);
  if (errors.growth_error != 0) out += fmt::format("{}growth_error = {}\n", prefix, errors.growth_error);
  if (!errors.alternatives.empty()) {
    out += fmt::format("{}alternatives = {}\n", prefix,
                       quoted_toml(fmt::format("{}", fmt::join(errors.alternatives, "; "))));
    out += fmt::format("{}weights = \"{}\"\n", prefix, fmt::join(errors.weights, " "));
  }
  return out;
}

}  // namespace

std::string model_file_text(const std::vector<RegionFit>& fits) {
  std::string out = "format = 1\n";
  for (const RegionFit& fit : fits) {
    out += fmt::format("\n[region.{}]\n", is_bare_key(fit.region) ? fit.region : quoted_toml(fit.region));
    out += fmt::format("parameters = \"{}\"\n", fmt::join(fit.parameters, " "));
    if (!fit.cycles.empty())
      out += fmt::format("cycles = {}\nclock = \"{} Hz\"\n", quoted_toml(fit.cycles), fit.clock_hz);
    if (!fit.seconds.empty()) out += fmt::format("seconds = {}\n", quoted_toml(fit.seconds));
    if (!fit.joules.empty()) out += fmt::format("joules = {}\n", quoted_toml(fit.joules));
    if (!fit.ranges.empty()) {
      std::vector<std::string> ranges;
      for (const Range& range : fit.ranges) ranges.push_back(fmt::format("{}..{}", range.low, range.high));
      out += fmt::format("ranges = \"{}\"\n", fmt::join(ranges, " "));
    }
    const std::pair<const char*, const std::string&> texts[] = {{"machine", fit.machine},
                                                                {"machine_sha256", fit.machine_sha256},
                                                                {"program", fit.program},
                                                                {"program_sha256", fit.program_sha256}};
    for (const auto& [key, text] : texts)
      if (!text.empty()) out += fmt::format("{} = {}\n", key, quoted_toml(text));
    if (!fit.data_bytes.empty())
      out += fmt::format("data_bytes = {}\ncache_bytes = {}\nmemory_wait = {}\n", quoted_toml(fit.data_bytes),
                         fit.cache_bytes, fit.memory_wait);
    if (!fit.of_ranks.empty()) out += fmt::format("of_ranks = \"{}\"\n", fmt::join(fit.of_ranks, " "));
    if (!fit.at_steps.empty()) {
      std::vector<std::string> ranks;
      for (const std::vector<double>& shares : fit.at_steps)
        ranks.push_back(fmt::format("{:.6g}", fmt::join(shares, " ")));
      out += fmt::format("at_steps = \"{}\"\n", fmt::join(ranks, "; "));
    }
    if (fit.time_errors) out += errors_text("", *fit.time_errors);
    if (fit.joules_errors) out += errors_text("joules_", *fit.joules_errors);
  }
  return out;
}

}  // namespace psim::predict

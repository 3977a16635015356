// SPDX-License-Identifier: Apache-2.0
#include "report/timeline/timeline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim {

std::size_t TimelineOf::job_of(std::uint32_t rank) const {
  const auto next = std::upper_bound(jobs.begin(), jobs.end(), rank,
                                     [](std::uint32_t r, const Job& job) { return r < job.first; });
  return static_cast<std::size_t>(next - jobs.begin()) - 1;
}

std::string TimelineOf::called(std::uint32_t rank) const {
  const Job& job = jobs[job_of(rank)];
  return job.name.empty() ? fmt::format("rank {}", rank)
                          : fmt::format("{}: rank {}", job.name, rank - job.first);
}

std::unique_ptr<TimelineFile> TimelineFile::make(const std::string& path) {
  if (path.ends_with(".json")) return make_perfetto_timeline(path);
  if (path.ends_with(".otf2")) return make_otf2_timeline(path);
  throw UserError(fmt::format(
      "--timeline {}: the name must end in .json (for Perfetto) or .otf2 (an OTF2 archive)", path));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> parse_numbers(const std::string& option,
                                                                   const std::string& text,
                                                                   const std::string& thing,
                                                                   std::uint32_t count) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  const auto number = [&](std::string_view word) {
    const auto value = parse_number<std::uint32_t>(word);
    if (!value || *value >= count)
      throw UserError(
          fmt::format("{} {}: \"{}\" is not a {}; expected {}s 0 … {} and ranges of them, such as 0:7,12",
                      option, text, word, thing, thing, count - 1));
    return *value;
  };
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view range = rest.substr(0, comma);
    const std::size_t colon = range.find(':');
    const std::uint32_t first = number(range.substr(0, colon));
    const std::uint32_t last = colon == std::string_view::npos ? first : number(range.substr(colon + 1));
    if (last < first)
      throw UserError(fmt::format("{} {}: the range {} ends before it begins", option, text, range));
    result.emplace_back(first, last);
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace psim

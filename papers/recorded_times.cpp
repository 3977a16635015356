// SPDX-License-Identifier: Apache-2.0
#include "papers/recorded_times.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>

namespace psim::reproduce {
namespace {

/// A line "RANK: TIME TIME …", or a line of the header, which has no times.
struct RecordedLine {
  std::string head;
  std::vector<std::uint64_t> times;  ///< ns

  explicit RecordedLine(const std::string& line) : head(line.substr(0, line.find(':'))) {
    std::istringstream rest(line.substr(std::min(line.size(), head.size() + 1)));
    for (std::uint64_t time = 0; rest >> time;) times.push_back(time);
  }
  std::string text() const {
    return times.empty() ? head : fmt::format("{}: {}", head, fmt::join(times, " "));
  }
};

std::vector<RecordedLine> lines_of(const std::string& recording) {
  std::vector<RecordedLine> lines;
  std::istringstream text(recording);
  for (std::string line; std::getline(text, line);) lines.emplace_back(line);
  return lines;
}

}  // namespace

std::string least_times(const std::vector<std::string>& recordings) {
  if (recordings.empty()) throw std::runtime_error("no recording of times");
  std::vector<RecordedLine> least = lines_of(recordings.front());
  for (const std::string& recording : recordings) {
    const std::vector<RecordedLine> other = lines_of(recording);
    if (other.size() != least.size()) throw std::runtime_error("recordings of times have other ranks");
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (other[i].head != least[i].head || other[i].times.size() != least[i].times.size())
        throw std::runtime_error(fmt::format("recordings of times differ at \"{}\": {} and {} times",
                                             least[i].head, least[i].times.size(), other[i].times.size()));
      std::ranges::transform(least[i].times, other[i].times, least[i].times.begin(),
                             [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
    }
  }
  std::string text;
  for (const RecordedLine& line : least) text += line.text() + "\n";
  return text;
}

}  // namespace psim::reproduce

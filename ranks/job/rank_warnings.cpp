// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/rank_warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim::net {
namespace {

/// Returns "rank 3", "ranks 0-3, 5 and 7", or "ranks 0, 2, … and 4 more".
std::string named(std::vector<std::uint32_t> ranks) {
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  std::vector<std::string> runs;
  std::size_t named = 0;
  while (named < ranks.size() && runs.size() < RankWarnings::kMostRuns) {
    std::size_t last = named;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    runs.push_back(last == named ? fmt::format("{}", ranks[named])
                                 : fmt::format("{}-{}", ranks[named], ranks[last]));
    named = last + 1;
  }
  if (named < ranks.size()) runs.push_back(fmt::format("{} more", ranks.size() - named));
  const std::string last = runs.back();
  runs.pop_back();
  return runs.empty() ? "ranks " + last : fmt::format("ranks {} and {}", fmt::join(runs, ", "), last);
}

}  // namespace

void RankWarnings::add(std::string_view what, std::uint32_t rank, std::uint64_t number) {
  auto kind = kinds_.find(what);
  if (kind == kinds_.end()) kind = kinds_.emplace(what, Kind{}).first;
  kind->second.ranks.push_back(rank);
  kind->second.number += number;
}

std::vector<std::string> RankWarnings::lines(std::string_view job) const {
  std::vector<std::string> all;
  for (const auto& [what, kind] : kinds_) {
    if (all.size() + 1 == kMostLines && kinds_.size() > kMostLines) {
      all.push_back(fmt::format("{} more kinds of warnings", kinds_.size() - all.size()));
      break;
    }
    std::string line = job.empty() ? "" : fmt::format("job {}: ", job);
    line += named(kind.ranks) + " " + what;
    if (kind.number != 0) line += fmt::format(": {}", kind.number);
    all.push_back(std::move(line));
  }
  return all;
}

void RankWarnings::write(Parcel& parcel) const {
  parcel.put(std::uint64_t{kinds_.size()});
  for (const auto& [what, kind] : kinds_) {
    parcel.put_text(what);
    parcel.put_all(kind.ranks);
    parcel.put(kind.number);
  }
}

void RankWarnings::read(Parcel& parcel) {
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    Kind& mine = kinds_[parcel.take_text()];
    const auto ranks = parcel.take_all<std::uint32_t>();
    mine.ranks.insert(mine.ranks.end(), ranks.begin(), ranks.end());
    mine.number += parcel.take<std::uint64_t>();
  }
}

}  // namespace psim::net

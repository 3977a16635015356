// SPDX-License-Identifier: Apache-2.0
#include "report/net/work_result.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace psim {
namespace {

using nlohmann::ordered_json;

auto work_order(const WorkOfRank& one) {
  return std::tuple(one.ranks_of_node, one.work.flops, one.work.memory_bytes, one.work.sent_bytes,
                    one.work.received_bytes);
}

/// Returns whether two ranks are of one class: their counts differ by at most a hundredth. Short messages of
/// the end of a region may count in it or after it.
bool alike(const WorkOfRank& a, const WorkOfRank& b) {
  const auto near = [](std::uint64_t x, std::uint64_t y) {
    return std::max(x, y) - std::min(x, y) <= std::max(x, y) / 100;
  };
  return a.ranks_of_node == b.ranks_of_node && near(a.work.flops, b.work.flops) &&
         near(a.work.memory_bytes, b.work.memory_bytes) && near(a.work.sent_bytes, b.work.sent_bytes) &&
         near(a.work.received_bytes, b.work.received_bytes);
}

/// Adds the sums over ranks.
void add_sums(ordered_json& to, const std::vector<WorkOfRank>& ranks, std::size_t from, std::size_t end) {
  net::RankWork sum;
  std::uint64_t ps = 0;
  for (std::size_t i = from; i < end; ++i) sum.add(ranks[i].work), ps += ranks[i].ps;
  to["seconds"] = static_cast<double>(ps) * 1e-12;
  to["flops"] = sum.flops;
  to["memory_bytes"] = sum.memory_bytes;
  to["sent_bytes"] = sum.sent_bytes;
  to["received_bytes"] = sum.received_bytes;
}

}  // namespace

ordered_json work_json(std::vector<WorkOfRank> ranks) {
  ordered_json all;
  add_sums(all, ranks, 0, ranks.size());
  std::ranges::stable_sort(ranks, std::less{}, work_order);
  std::vector<std::size_t> ends;  // of each class
  for (std::size_t i = 1, first = 0; i <= ranks.size(); ++i)
    if (i == ranks.size() || !alike(ranks[first], ranks[i])) ends.push_back(i), first = i;
  if (ends.size() > kMostWorkClasses) {
    ends.clear();
    for (std::size_t i = 1; i <= kMostWorkClasses; ++i) ends.push_back(ranks.size() * i / kMostWorkClasses);
  }
  all["classes"] = ordered_json::array();
  for (std::size_t from = 0; const std::size_t end : ends) {
    ordered_json one;
    const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(from),
               last = ranks.begin() + static_cast<std::ptrdiff_t>(end);
    one["ranks"] = end - from;
    one["first_rank"] =
        std::min_element(begin, last, [](const auto& a, const auto& b) { return a.rank < b.rank; })->rank;
    one["ranks_per_node"] = std::max_element(begin, last, [](const auto& a, const auto& b) {
                              return a.ranks_of_node < b.ranks_of_node;
                            })->ranks_of_node;
    add_sums(one, ranks, from, end);
    all["classes"].push_back(std::move(one));
    from = end;
  }
  return all;
}

void add_work(ordered_json& body, const net::RankLoad& load) {
  std::uint64_t statements = 0;
  for (const auto& job : load.jobs())
    for (const net::RankTime& time : job->results.times) statements += time.work.statements;
  if (statements == 0) return;
  std::map<std::uint32_t, std::uint32_t> on_node;
  for (const auto& job : load.jobs())
    for (std::uint32_t rank = 0; rank < job->ranks(); ++rank) ++on_node[job->node_of(rank)];
  std::vector<WorkOfRank> whole;
  std::map<std::string, std::vector<WorkOfRank>> regions;
  for (const auto& job : load.jobs()) {
    const auto rows = job->regions.rows();
    for (std::uint32_t rank = 0; rank < job->ranks(); ++rank) {
      const std::uint32_t number = job->first() + rank, sharing = on_node[job->node_of(rank)];
      const net::RankTime& time = job->results.times[rank];
      const std::uint64_t ended = time.ended == 0 ? 0 : time.ended - job->config().arrival;
      whole.push_back({number, sharing, ended, time.work});
      for (const net::Regions::Row* row : rows)
        if (row->times[rank].count != 0)
          regions[row->name].push_back({number, sharing, row->times[rank].inclusive, row->times[rank].work});
    }
  }
  body["work"] = work_json(std::move(whole));
  if (!body.contains("compute")) return;
  for (ordered_json& region : body["compute"]["regions"])
    if (auto ranks = regions.find(region["name"].get<std::string>()); ranks != regions.end())
      region["work"] = work_json(std::move(ranks->second));
}

}  // namespace psim

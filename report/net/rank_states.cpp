// SPDX-License-Identifier: Apache-2.0
#include "report/net/rank_states.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace psim {
namespace {

constexpr std::uint32_t kMostValues = 256;  // of ranks, or groups of them
constexpr std::size_t kMostPairs = 256;

/// Returns whole nanoseconds as seconds, which take few digits.
double short_seconds(double ps) { return std::round(ps * 1e-3) / 1e9; }

}  // namespace

nlohmann::ordered_json rank_times(const net::RankLoad& load) {
  std::vector<const net::RankTime*> ranks;
  for (const auto& job : load.jobs())
    for (const net::RankTime& time : job->results.times) ranks.push_back(&time);
  const std::size_t group = (ranks.size() + kMostValues - 1) / kMostValues;
  nlohmann::ordered_json json{{"ranks_a_value", group}};
  for (const auto& [name, member] : {std::pair("compute", &net::RankTime::compute),
                                     {"overhead", &net::RankTime::overhead},
                                     {"transfer", &net::RankTime::transfer},
                                     {"wait", &net::RankTime::wait}}) {
    nlohmann::ordered_json& values = json[name] = nlohmann::ordered_json::array();
    for (std::size_t first = 0; first < ranks.size(); first += group) {
      const std::size_t end = std::min(first + group, ranks.size());
      double sum = 0;
      for (std::size_t rank = first; rank < end; ++rank) sum += static_cast<double>(ranks[rank]->*member);
      values.push_back(short_seconds(sum / static_cast<double>(end - first)));
    }
  }
  return json;
}

nlohmann::ordered_json function_times(const net::Timeline& timeline) {
  const std::vector<std::string> names = timeline.functions();
  std::vector<std::uint64_t> sums(names.size());
  for (const std::uint32_t rank : timeline.observed()) {
    std::uint64_t begin = 0;
    std::uint32_t function = 0;
    timeline.events(rank, [&](const net::LogEvent& event) {
      if (event.kind == net::LogEvent::Kind::Enter) begin = event.time, function = event.function;
      if (event.kind == net::LogEvent::Kind::Leave) sums[function] += event.time - begin;
    });
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json[names[i]] = short_seconds(static_cast<double>(sums[i]));
  return json;
}

nlohmann::ordered_json message_times(const net::PairTimes& pairs) {
  const net::PairTimes::Pair all = pairs.sum();
  const auto seconds = [](std::uint64_t ps) { return short_seconds(static_cast<double>(ps)); };
  nlohmann::ordered_json json{{"pairs", pairs.pairs()},
                              {"messages", all.messages},
                              {"seconds", seconds(all.time)},
                              {"waited", seconds(all.waited)},
                              {"longest", nlohmann::ordered_json::array()}};
  if (pairs.unlisted() != 0) json["unlisted"] = pairs.unlisted();
  for (const net::PairTimes::Pair& pair : pairs.longest(kMostPairs))
    json["longest"].push_back(
        {pair.from, pair.to, pair.messages, pair.bytes, seconds(pair.time), seconds(pair.waited)});
  return json;
}

}  // namespace psim

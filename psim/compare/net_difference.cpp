// SPDX-License-Identifier: Apache-2.0
#include "psim/compare/net_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace psim::compare {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostChanges = 12;

const Json& page_part(const Json& page, const char* key) {
  static const Json kNone;
  return page.contains(key) ? page[key] : kNone;
}

const std::vector<std::pair<const char*, const char*>> kStates{{"compute", "computing"},
                                                               {"overhead", "work in calls and polls"},
                                                               {"transfer", "in transfers"},
                                                               {"wait", "waiting"}};

bool on_nodes(const Json& result) { return result.value("command", "") == "cosim"; }

double ranks_of(const Json& result) { return result.at("ranks").get<double>(); }

/// Calls f(name, times) for each region of ranks on nodes, and for the time outside of regions.
template <class F>
void for_each_region(const Json& result, F f) {
  for (const Json& region : result.at("compute").at("regions"))
    f(region.at("name").get<std::string>(), region);
  f("(outside)", result.at("compute").at("outside"));
}

Values states_of(const Json& result) {
  Values states;
  if (on_nodes(result)) {
    for_each_region(result, [&](const std::string&, const Json& times) {
      for (const auto& [key, name] : kStates) states[name] += times.value(key, 0.0) / ranks_of(result);
    });
    return states;
  }
  for (const auto& [key, name] : kStates)
    states[name] = result.at("per_rank").at(key).at("mean").get<double>();
  return states;
}

/// Returns the seconds of a mean rank in each function: of the observed ranks; all `ranks` of older results.
Values functions_of(const Json& page, double ranks) {
  Values functions;
  const Json &sums = page_part(page, "functions"), &observed = page_part(page, "observed_ranks");
  if (!observed.is_null()) ranks = observed.get<double>();
  for (const auto& [name, seconds] : sums.items()) functions[name] = seconds.get<double>() / ranks;
  return functions;
}

/// Returns the time of regions without waits, of a mean rank on a node.
Values regions_of(const Json& result) {
  Values regions;
  for_each_region(result, [&](const std::string& name, const Json& times) {
    regions[name] +=
        (times.at("compute").get<double>() + times.at("overhead").get<double>()) / ranks_of(result);
  });
  return regions;
}

/// Returns the time of a mean rank on a node by part of the CPI stack.
Values parts_of(const Json& result) {
  Values parts;
  for_each_region(result, [&](const std::string&, const Json& times) {
    const auto cycles = times.at("cycles").get<double>();
    for (const auto& [part, number] : times.at("cpi_stack").items())
      if (cycles > 0)
        parts[part] += number.get<double>() * times.at("seconds").get<double>() / cycles / ranks_of(result);
  });
  return parts;
}

/// Returns the seconds of a mean rank in each MPI function, from the energy of nodes.
Values calls_of(const Json& result) {
  Values calls;
  if (!result.contains("energy")) return calls;
  for (const Json& call : result["energy"].at("calls"))
    if (const auto name = call.at("name").get<std::string>(); !name.starts_with("("))
      calls[name] = call.at("seconds").get<double>() / ranks_of(result);
  return calls;
}

/// Returns each rank of nodes with its time by state.
std::vector<Values> times_of_nodes(const Json& result) {
  std::vector<Values> ranks;
  const auto add = [&](const Json& rank) {
    Values& times = ranks.emplace_back();
    for (const auto& [key, name] : kStates) {
      times[name] += rank.at("outside").value(key, 0.0);
      for (const Json& region : rank.at("regions")) times[name] += region.value(key, 0.0);
    }
  };
  for (const Json& node : result.at("nodes"))
    if (node.contains("ranks"))
      for (const Json& rank : node.at("ranks")) add(rank);
    else
      add(node);
  return ranks;
}

void order(std::vector<RankChange>& changes) {
  std::ranges::stable_sort(changes, [](const RankChange& x, const RankChange& y) {
    return std::abs(x.state_seconds) > std::abs(y.state_seconds);
  });
}

/// Returns the ranks of nodes whose time differs.
std::vector<RankChange> ranks_of_nodes(const Json& first, const Json& second) {
  std::vector<RankChange> ranks;
  const std::vector<Values> a = times_of_nodes(first), b = times_of_nodes(second);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::vector<Change> states = changes(a[i], b[i]);
    if (states.empty()) continue;
    RankChange one;
    one.first = one.last = static_cast<std::uint32_t>(i);
    for (const Change& state : states) one.seconds += state.seconds();
    one.state = states[0].name, one.state_seconds = states[0].seconds();
    ranks.push_back(one);
  }
  order(ranks);
  return ranks;
}

/// `all`: the number of ranks.
std::vector<RankChange> rank_changes(const Json& first, const Json& second, std::uint32_t all) {
  std::vector<RankChange> changes;
  const Json &a = page_part(first, "rank_times"), &b = page_part(second, "rank_times");
  if (a.is_null() || b.is_null()) return changes;
  const auto group = a.at("ranks_a_value").get<std::uint32_t>();
  const std::size_t count = std::min(a.at("wait").size(), b.at("wait").size());
  for (std::size_t i = 0; i < count; ++i) {
    RankChange one;
    one.first = static_cast<std::uint32_t>(i) * group;
    one.last = std::min(one.first + group, all) - 1;
    for (const auto& [key, name] : kStates) {
      const double difference = b.at(key)[i].get<double>() - a.at(key)[i].get<double>();
      one.seconds += difference;
      if (one.state.empty() || std::abs(difference) > std::abs(one.state_seconds))
        one.state = name, one.state_seconds = difference;
    }
    if (one.state_seconds != 0) changes.push_back(one);
  }
  order(changes);
  return changes;
}

/// Returns the directions of links; empty if they are of other networks.
std::vector<LinkChange> links_of(const Json& first, const Json& second) {
  const Json &a = page_part(first, "links"), &b = page_part(second, "links");
  std::vector<LinkChange> changes;
  if (a.is_null() || b.is_null() || a.at("routers_a_column") != b.at("routers_a_column")) return changes;
  const Json &rows = a.at("rows"), &others = b.at("rows");
  if (rows.size() != others.size()) return changes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].at("name") != others[i].at("name") ||
        rows[i].at("busy").size() != others[i].at("busy").size())
      return {};
    changes.push_back({rows[i].at("name").get<std::string>(), a.at("routers_a_column").get<std::uint32_t>(),
                       rows[i].at("busy").get<std::vector<double>>(),
                       others[i].at("busy").get<std::vector<double>>()});
  }
  return changes;
}

void order(std::vector<MessageChange>& changes) {
  std::erase_if(changes, [](const MessageChange& one) { return one.seconds() == 0; });
  std::ranges::stable_sort(changes, [](const MessageChange& a, const MessageChange& b) {
    return std::abs(a.seconds()) > std::abs(b.seconds());
  });
  if (changes.size() > kMostChanges) changes.resize(kMostChanges);
}

/// Returns the time of recorded messages between ranks on nodes, and adds that of all to the sums.
std::vector<MessageChange> messages_of_nodes(const Json& first, const Json& second, double& first_sum,
                                             double& second_sum) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, MessageChange> pairs;
  const auto take = [&](const Json& messages, double MessageChange::*side, double& sum) {
    for (const Json& one : messages.at("messages")) {
      const auto from = one.at("from").get<std::uint32_t>(), to = one.at("to").get<std::uint32_t>();
      MessageChange& pair = pairs[{from, to}];
      pair.from = from, pair.to = to;
      const double seconds = one.at("way").get<double>() * 1e-12;
      pair.*side += seconds;
      sum += seconds;
      if (side == &MessageChange::second) ++pair.messages;
    }
  };
  take(first, &MessageChange::first, first_sum);
  take(second, &MessageChange::second, second_sum);
  std::vector<MessageChange> changes;
  for (const auto& [ends, pair] : pairs) changes.push_back(pair);
  order(changes);
  return changes;
}

std::vector<MessageChange> messages_of(const Json& first, const Json& second) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, MessageChange> pairs;
  // A pair that a cut list leaves out waits at most as long as the last one listed.
  const auto least = [](const Json& messages) {
    const Json& longest = messages.at("longest");
    const bool cut = !longest.empty() && messages.at("pairs").get<std::size_t>() > longest.size();
    return cut ? longest.back()[5].get<double>() : 0.0;
  };
  const MessageChange unlisted{.first = least(page_part(first, "messages")),
                               .second = least(page_part(second, "messages"))};
  const auto take = [&](const Json& messages, double MessageChange::*side) {
    for (const Json& row : messages.at("longest")) {
      const auto ends = std::pair(row[0].get<std::uint32_t>(), row[1].get<std::uint32_t>());
      MessageChange& pair = pairs.try_emplace(ends, unlisted).first->second;
      pair.from = row[0].get<std::uint32_t>(), pair.to = row[1].get<std::uint32_t>();
      pair.messages = row[2].get<double>();
      pair.*side = row[5].get<double>();
    }
  };
  take(page_part(first, "messages"), &MessageChange::first);
  take(page_part(second, "messages"), &MessageChange::second);
  std::vector<MessageChange> changes;
  for (const auto& [ends, pair] : pairs) changes.push_back(pair);
  order(changes);
  return changes;
}

Values path_of(const Json& result) {
  Values causes;
  if (!result.contains("efficiency")) return causes;
  for (const Json& job : result["efficiency"].at("jobs"))
    for (const Json& cause : job.at("critical_path").at("causes")) {
      std::string name = cause.at("cause").get<std::string>();
      if (cause.contains("region")) name += " in " + cause["region"].get<std::string>();
      causes[name] += cause.at("seconds").get<double>();
    }
  return causes;
}

}  // namespace

Json changes_of(const std::vector<Change>& changes, const char* unit) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::min(kMostChanges, changes.size()); ++i)
    rows.push_back({{"name", changes[i].name},
                    {"first", changes[i].first},
                    {"second", changes[i].second},
                    {unit, changes[i].weight}});
  return rows;
}

std::optional<NetDifference> net_difference(const Json& first, const Json& first_page, const Json& second,
                                            const Json& second_page) {
  for (const Json* result : {&first, &second})
    if (!(result->value("command", "") == "net" && result->contains("per_rank")) &&
        !(on_nodes(*result) && result->contains("compute")))
      return std::nullopt;
  if (on_nodes(first) != on_nodes(second)) return std::nullopt;
  if (first.at("ranks") != second.at("ranks")) return std::nullopt;
  NetDifference difference;
  difference.nodes = on_nodes(first);
  difference.seconds = second.at("seconds").get<double>() - first.at("seconds").get<double>();
  difference.states = changes(states_of(first), states_of(second));
  const double ranks = ranks_of(first);
  const bool nodes = difference.nodes;
  const Values one = nodes ? calls_of(first) : functions_of(first_page, ranks),
               two = nodes ? calls_of(second) : functions_of(second_page, ranks);
  if (!one.empty() && !two.empty()) difference.functions = changes(one, two);
  if (nodes) {
    difference.parts = changes(parts_of(first), parts_of(second));
    difference.regions = changes(regions_of(first), regions_of(second));
    difference.energy = energy_changes(first, second);
    if (one.empty() || two.empty())
      difference.missing.push_back("functions, and energy: run both with --energy");
  }
  difference.ranks = nodes ? ranks_of_nodes(first, second)
                           : rank_changes(first_page, second_page, first.at("ranks").get<std::uint32_t>());
  if (difference.ranks.size() > kMostChanges) difference.ranks.resize(kMostChanges);
  difference.links = links_of(first_page, second_page);
  const Json::json_pointer model(nodes ? "/network/network/model" : "/machine/network/model");
  if (difference.links.empty() && first.value(model, std::string()) != "analytic")
    difference.missing.push_back(page_part(first_page, "links").is_null() ||
                                         page_part(second_page, "links").is_null()
                                     ? "links: run both with --report"
                                     : "links: the networks differ");
  const Json &a = page_part(first_page, "messages"), &b = page_part(second_page, "messages");
  if (nodes && !a.is_null() && !b.is_null()) {
    difference.messages = messages_of_nodes(a, b, difference.waited_first, difference.waited_second);
    if (a.at("left_out") != 0 || b.at("left_out") != 0)
      difference.missing.push_back(fmt::format("messages after the first {} and {}", a.at("messages").size(),
                                               b.at("messages").size()));
  } else if (!a.is_null() && !b.is_null()) {
    difference.messages = messages_of(first_page, second_page);
    difference.waited_first = a.at("waited").get<double>();
    difference.waited_second = b.at("waited").get<double>();
    for (const Json* messages : {&a, &b})
      if (messages->contains("unlisted")) {
        difference.missing.push_back(fmt::format(
            "{} of {} messages by ranks: only the first {} pairs of ranks are told apart",
            messages->at("unlisted").get<std::uint64_t>(), messages->at("messages").get<std::uint64_t>(),
            messages->at("pairs").get<std::uint64_t>()));
        break;
      }
  } else {
    difference.missing.push_back(nodes ? "messages: run both with --report"
                                       : "functions, and waits of messages: run both with --report");
  }
  const Values before = path_of(first), after = path_of(second);
  if (!before.empty() && !after.empty())
    difference.path = changes(before, after);
  else
    difference.missing.push_back("critical paths: run both with --efficiency");
  return difference;
}

Json json_of(const NetDifference& difference) {
  Json json{{"states", changes_of(difference.states)},
            {"functions", changes_of(difference.functions)},
            {"path", changes_of(difference.path)},
            {"nodes", difference.nodes},
            {"parts", changes_of(difference.parts)},
            {"energy", changes_of(difference.energy, "joules")},
            {"ranks", Json::array()},
            {"links", Json::array()},
            {"messages", Json::array()},
            {"waited", {difference.waited_first, difference.waited_second}},
            {"missing", difference.missing}};
  for (const RankChange& one : difference.ranks)
    json["ranks"].push_back({{"first_rank", one.first},
                             {"last_rank", one.last},
                             {"seconds", one.seconds},
                             {"state", one.state},
                             {"state_seconds", one.state_seconds}});
  for (const LinkChange& one : difference.links) {
    Json change = Json::array();
    for (std::size_t i = 0; i < one.first.size(); ++i) change.push_back(one.second[i] - one.first[i]);
    json["links"].push_back(
        {{"direction", one.direction}, {"routers_a_column", one.routers_a_column}, {"change", change}});
  }
  for (const MessageChange& one : difference.messages)
    json["messages"].push_back({{"from", one.from},
                                {"to", one.to},
                                {"messages", one.messages},
                                {"first", one.first},
                                {"second", one.second},
                                {"seconds", one.seconds()}});
  return json;
}

}  // namespace psim::compare

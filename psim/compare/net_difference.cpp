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

Values states_of(const Json& result) {
  Values states;
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

/// `all`: the number of ranks.
std::vector<RankChange> ranks_of(const Json& first, const Json& second, std::uint32_t all) {
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
  std::ranges::stable_sort(changes, [](const RankChange& x, const RankChange& y) {
    return std::abs(x.state_seconds) > std::abs(y.state_seconds);
  });
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
  for (const auto& [ends, pair] : pairs)
    if (pair.seconds() != 0) changes.push_back(pair);
  std::ranges::stable_sort(changes, [](const MessageChange& a, const MessageChange& b) {
    return std::abs(a.seconds()) > std::abs(b.seconds());
  });
  if (changes.size() > kMostChanges) changes.resize(kMostChanges);
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

std::string more_or_less(double seconds) {
  return fmt::format("{} {}", shown_time(std::abs(seconds)), seconds < 0 ? "less" : "more");
}

/// Returns "router 3, +X: from 10 % to 30 %", of the link whose load changes most; empty if none changes by a
/// tenth of the time.
std::string link_text(const std::vector<LinkChange>& links) {
  const LinkChange* most = nullptr;
  std::size_t column = 0;
  for (const LinkChange& link : links)
    for (std::size_t i = 0; i < link.first.size(); ++i)
      if (const double change = std::abs(link.second[i] - link.first[i]);
          change >= 0.1 && (most == nullptr || change > std::abs(most->second[column] - most->first[column])))
        most = &link, column = i;
  if (most == nullptr) return "";
  const std::size_t router = column * most->routers_a_column;
  const std::string name = most->routers_a_column == 1
                               ? fmt::format("router {}", router)
                               : fmt::format("routers {} to {}", router, router + most->routers_a_column - 1);
  return fmt::format("; the load of links changes most at {}, {}: from {:.0f} % to {:.0f} % of the time",
                     name, most->direction, 100 * most->first[column], 100 * most->second[column]);
}

Json changes_of(const std::vector<Change>& changes) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::min(kMostChanges, changes.size()); ++i)
    rows.push_back({{"name", changes[i].name},
                    {"first", changes[i].first},
                    {"second", changes[i].second},
                    {"seconds", changes[i].seconds()}});
  return rows;
}

}  // namespace

std::string NetDifference::sentence() const {
  if (states.empty() && seconds == 0) return "the runs take the same time, and ranks spend it alike";
  std::string text = seconds == 0 ? "the runs take the same time, but"
                                  : fmt::format("the run takes {}:", more_or_less(seconds));
  if (!path.empty()) {
    text += fmt::format(" on the critical path, {} takes {}", path[0].name, more_or_less(path[0].seconds()));
    if (path.size() > 1 && std::abs(path[1].seconds()) > 0.1 * std::abs(path[0].seconds()))
      text += fmt::format(", {} {}", path[1].name, more_or_less(path[1].seconds()));
  } else if (!states.empty()) {
    text += fmt::format(" a mean rank is {} {}", states[0].name, more_or_less(states[0].seconds()));
    if (!functions.empty() && std::abs(functions[0].seconds()) > 0.5 * std::abs(states[0].seconds()))
      text += fmt::format(", mostly in {}", functions[0].name);
  }
  const double waited = waited_second - waited_first;
  if (!messages.empty() && std::abs(waited) > 1e-9) {
    text += fmt::format("; all messages together wait {} for others", more_or_less(waited));
    const MessageChange& most = messages.front();
    if (most.seconds() / waited > 0.05)
      text += fmt::format(", {:.0f} % of it from rank {} to rank {}", 100 * most.seconds() / waited,
                          most.from, most.to);
  }
  return text + link_text(links);
}

std::optional<NetDifference> net_difference(const Json& first, const Json& first_page, const Json& second,
                                            const Json& second_page) {
  for (const Json* result : {&first, &second})
    if (result->value("command", "") != "net" || !result->contains("per_rank")) return std::nullopt;
  if (first.at("ranks") != second.at("ranks")) return std::nullopt;
  NetDifference difference;
  difference.seconds = second.at("seconds").get<double>() - first.at("seconds").get<double>();
  difference.states = changes(states_of(first), states_of(second));
  const double ranks = first.at("ranks").get<double>();
  const Values one = functions_of(first_page, ranks), two = functions_of(second_page, ranks);
  if (!one.empty() && !two.empty()) difference.functions = changes(one, two);
  difference.ranks = ranks_of(first_page, second_page, first.at("ranks").get<std::uint32_t>());
  if (difference.ranks.size() > kMostChanges) difference.ranks.resize(kMostChanges);
  difference.links = links_of(first_page, second_page);
  if (difference.links.empty() && first.at("machine").at("network").at("model") != "analytic")
    difference.missing.push_back("links: the networks differ");
  const Json &a = page_part(first_page, "messages"), &b = page_part(second_page, "messages");
  if (!a.is_null() && !b.is_null()) {
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
    difference.missing.push_back("functions, and waits of messages: run both with --report");
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

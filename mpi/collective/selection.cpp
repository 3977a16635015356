// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/selection.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace psim::net::mpi {
namespace {

// The limits follow Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
// MPICH" (2005): logarithmic algorithms while start-up time dominates, then algorithms that move each byte
// once.
constexpr std::string_view kBuiltIn =
    "barrier=dissemination;"
    "bcast:bytes<=12288=binomial; bcast:ranks<=7=binomial; bcast=scatter-ring;"
    "reduce:bytes<=2048=binomial; reduce=rabenseifner;"
    "allreduce:bytes<=2048=recursive-doubling; allreduce=rabenseifner;"
    "gather=binomial; scatter=binomial;"
    "allgather:bytes<=1024=bruck; allgather=ring;"
    "alltoall:ranks<=1024,bytes<=64=bruck; alltoall=pairwise;"
    "reduce-scatter:ranks<=7=pairwise; reduce-scatter:bytes<=2048=reduce-scatter; "
    "reduce-scatter:ranks<=31=pairwise;"
    "reduce-scatter:bytes<=16384=reduce-scatter; reduce-scatter=pairwise; scan=recursive-doubling";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

template <class Names>
std::string joined(const Names& names) {
  std::string all;
  for (std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

template <class Number>
Number limit(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse("'" + std::string(text) + "' is not a whole number");
  return value;
}

SelectionRule parse(std::string_view rule) {
  const auto equals = rule.rfind('=');
  if (equals == rule.npos || equals == 0 || rule[equals - 1] == '<')
    refuse("\"" + std::string(rule) + "\": expected collective[:limits]=algorithm");
  std::string_view head = rule.substr(0, equals);
  const std::string_view algorithm = trim(rule.substr(equals + 1));
  const auto colon = head.find(':');
  const std::string_view collective = trim(head.substr(0, colon));
  const auto& names = collective_names();
  const auto kind = std::ranges::find(names, collective, &CollectiveNames::collective);
  if (kind == names.end()) {
    std::vector<std::string_view> all;
    for (const CollectiveNames& n : names) all.push_back(n.collective);
    refuse("'" + std::string(collective) + "' is none of " + joined(all));
  }
  const auto found = std::ranges::find(kind->algorithms, algorithm);
  if (found == kind->algorithms.end())
    refuse("'" + std::string(algorithm) + "' is none of " + joined(kind->algorithms));
  SelectionRule result{static_cast<CollectiveKind>(kind - names.begin()), kAnyRanks, kAnyBytes,
                       static_cast<std::uint8_t>(found - kind->algorithms.begin())};
  std::string_view limits = colon == head.npos ? std::string_view{} : head.substr(colon + 1);
  while (!limits.empty()) {
    const auto comma = limits.find(',');
    const std::string_view one = trim(limits.substr(0, comma));
    limits = comma == limits.npos ? std::string_view{} : limits.substr(comma + 1);
    if (one.starts_with("ranks<="))
      result.ranks = limit<std::uint32_t>(one.substr(7));
    else if (one.starts_with("bytes<="))
      result.bytes = limit<std::uint64_t>(one.substr(7));
    else
      refuse("'" + std::string(one) + "' is neither ranks<=N nor bytes<=N");
  }
  return result;
}

}  // namespace

const std::vector<CollectiveNames>& collective_names() {
  static const std::vector<CollectiveNames> names{
      {"barrier", {"dissemination", "tree", "two-level", "hardware", "table"}},
      {"bcast", {"binomial", "linear", "scatter-ring", "chain", "two-level", "hardware", "table"}},
      {"reduce", {"binomial", "linear", "rabenseifner", "two-level", "hardware", "table"}},
      {"allreduce",
       {"recursive-doubling", "reduce-bcast", "ring", "rabenseifner", "two-level", "hardware", "table"}},
      {"gather", {"binomial", "linear", "table"}},
      {"scatter", {"binomial", "linear", "table"}},
      {"allgather", {"bruck", "ring", "recursive-doubling", "gather-bcast", "two-level", "table"}},
      {"alltoall", {"pairwise", "bruck", "linear", "table"}},
      {"reduce-scatter", {"pairwise", "reduce-scatter", "table"}},
      {"scan", {"recursive-doubling", "linear", "table"}}};
  return names;
}

std::vector<SelectionRule> selection_rules(std::string_view user) {
  std::vector<SelectionRule> rules;
  for (std::string_view text : {user, kBuiltIn})
    while (!text.empty()) {
      const auto end = text.find(';');
      const std::string_view rule = trim(text.substr(0, end));
      text = end == text.npos ? std::string_view{} : text.substr(end + 1);
      if (!rule.empty()) rules.push_back(parse(rule));
    }
  return rules;
}

Selection::Selection(std::string_view user) {
  for (const SelectionRule& rule : selection_rules(user))
    rules_[static_cast<std::size_t>(rule.collective)].push_back(rule);
}

std::uint8_t Selection::find(CollectiveKind collective, std::uint32_t ranks, std::uint64_t bytes,
                             std::uint8_t without) const {
  for (const SelectionRule& rule : rules_[static_cast<std::size_t>(collective)])
    if (ranks <= rule.ranks && bytes <= rule.bytes && rule.algorithm != without) return rule.algorithm;
  return 0;  // not reached: the built-in table has a rule without limits for each
}

}  // namespace psim::net::mpi

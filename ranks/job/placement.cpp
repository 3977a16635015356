// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/placement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/random.h"

namespace psim::net {
namespace {

constexpr std::uint64_t kStream = 0x6a6f62;  // "job": a random stream of its own

/// Returns, for each router, the lowest router that it reaches without cables of class Global.
std::vector<std::uint32_t> components(const Graph& graph) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> component(graph.routers(), kNone), left;
  for (std::uint32_t first = 0; first < graph.routers(); ++first) {
    if (component[first] != kNone) continue;
    component[first] = first;
    left.push_back(first);
    while (!left.empty()) {
      const std::uint32_t router = left.back();
      left.pop_back();
      for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
        const Channel& channel = graph.channel(router, port);
        if (channel.to_router == Channel::kNowhere || channel.cable == CableClass::Global) continue;
        if (component[channel.to_router] != kNone) continue;
        component[channel.to_router] = first;
        left.push_back(channel.to_router);
      }
    }
  }
  return component;
}

}  // namespace

Allocation::Allocation(const Graph& graph, std::uint64_t seed, std::uint32_t slots)
    : seed_(seed), owners_(graph.nodes(), kFree), left_(graph.nodes(), slots) {
  find_cabinets(graph);
}

void Allocation::find_cabinets(const Graph& graph) {
  std::vector<std::uint32_t> of_router = components(graph);
  if (std::ranges::all_of(of_router, [](std::uint32_t component) { return component == 0; }))
    for (std::uint32_t router = 0; router < graph.routers(); ++router) of_router[router] = router;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t router : graph.node_router) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const std::uint32_t cabinet = numbers.try_emplace(of_router[router], number).first->second;
    cabinets_.push_back(cabinet);
    sizes_.resize(numbers.size());
    ++sizes_[cabinet];
  }
}

std::vector<std::vector<std::uint32_t>> Allocation::free_by_cabinet(const Claim& claim) const {
  std::vector<std::vector<std::uint32_t>> free(sizes_.size());
  for (std::uint32_t node = 0; node < nodes(); ++node)
    if (can_give(node, claim)) free[cabinets_[node]].push_back(node);
  return free;
}

std::vector<std::uint32_t> Allocation::take(Placement placement, std::uint32_t count, const Claim& claim) {
  std::vector<std::uint32_t> free, taken;
  switch (placement) {
    case Placement::Contiguous:
    case Placement::Random:
      for (std::uint32_t node = 0; node < nodes(); ++node)
        if (can_give(node, claim)) free.push_back(node);
      break;
    case Placement::RoundRobin: {
      const auto cabinets = free_by_cabinet(claim);
      for (std::size_t turn = 0, found = 1; found != 0; ++turn) {
        found = 0;
        for (const auto& cabinet : cabinets)
          if (turn < cabinet.size()) free.push_back(cabinet[turn]), ++found;
      }
      break;
    }
    case Placement::CabinetWise: {
      const auto cabinets = free_by_cabinet({.job = claim.job, .slots = 0});  // wholly free
      for (std::size_t i = 0; i < cabinets.size(); ++i)
        if (cabinets[i].size() == sizes_[i]) free.insert(free.end(), cabinets[i].begin(), cabinets[i].end());
      break;
    }
  }
  if (free.size() < count) return {};
  if (placement == Placement::Random)
    for (std::uint32_t i = 0; i < count; ++i)
      std::swap(free[i], free[i + random_bits(seed_, kStream + claim.job, i) % (free.size() - i)]);
  taken.assign(free.begin(), free.begin() + count);
  for (const std::uint32_t node : taken) give(node, claim);
  return taken;
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/dumpi_communicators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace psim::net::replay {
namespace {

constexpr std::int64_t kNullHandle = 1, kWorldHandle = 2, kSelfHandle = 3;

/// Returns the coordinates that do not remain, as one number: equal for the members of one child. `rank`
/// counts in row-major order.
std::int64_t lost_coordinates(std::int64_t rank, const std::vector<std::int64_t>& dimensions,
                              const std::vector<std::int64_t>& remain) {
  std::int64_t lost = 0, times = 1;
  for (std::size_t d = dimensions.size(); d-- > 0; rank /= dimensions[d])
    if (d >= remain.size() || remain[d] == 0) {
      lost += rank % dimensions[d] * times;
      times *= dimensions[d];
    }
  return lost;
}

/// Returns whether a grid of these dimensions has `ranks` points.
bool is_grid(const std::vector<std::int64_t>& dimensions, std::size_t ranks) {
  std::int64_t points = dimensions.empty() ? 0 : 1;
  for (const std::int64_t each : dimensions) {
    if (each < 1 || each > static_cast<std::int64_t>(ranks)) return false;
    points *= each;
    if (points > static_cast<std::int64_t>(ranks)) return false;
  }
  return points == static_cast<std::int64_t>(ranks);
}

}  // namespace

DumpiHandles::DumpiHandles() : numbers_{{kWorldHandle, kWorld}, {kSelfHandle, kSelf}} {}

std::uint32_t DumpiHandles::communicator(std::int64_t handle) {
  const auto [found, is_new] = numbers_.try_emplace(handle, count_);
  count_ += is_new;
  return found->second;
}

bool DumpiHandles::follow(const DumpiCall& call) {
  const std::string_view function = call.function;
  if (function == "MPI_Comm_group") {
    groups_[call.number("group")] = {communicator(call.number("comm")), {}};
    return false;
  }
  if (call.has("newgroup")) {
    const auto of = groups_.find(call.has("group") ? call.number("group") : 0);
    Group made{0, {}};  // of no ranks: not known
    if (function == "MPI_Group_incl" && of != groups_.end()) {
      made = {of->second.parent, call.numbers("ranks")};
      if (const std::vector<std::int64_t>& all = of->second.ranks; !all.empty())
        for (std::int64_t& rank : made.ranks)
          rank = rank >= 0 && rank < std::ssize(all) ? all[static_cast<std::size_t>(rank)] : -1;
    }
    const std::int64_t handle = call.number("newgroup");
    groups_.erase(handle);
    if (!made.ranks.empty()) groups_.emplace(handle, std::move(made));
    return false;
  }
  if (!call.has("newcomm")) return false;
  const bool splits = function == "MPI_Comm_split", cartesian = function == "MPI_Cart_create",
             sub = function == "MPI_Cart_sub", create = function == "MPI_Comm_create";
  const std::int64_t handle = call.number("newcomm");
  if (!splits && !cartesian && !sub && !create && function != "MPI_Comm_dup" &&
      function != "MPI_Graph_create") {
    numbers_[handle] = count_++;  // of unknown members
    return true;
  }
  const std::uint32_t parent = communicator(call.number("oldcomm"));
  Creation creation;
  if (splits) {
    creation.color = call.number("color");
    creation.key = call.number("key");
  }
  if (cartesian) creation.dimensions = call.numbers("dims");
  if (sub) creation.remain = call.numbers("remain_dims");
  if (const auto group = create ? groups_.find(call.number("group")) : groups_.end();
      group != groups_.end() && group->second.parent == parent)
    creation.group = group->second.ranks;
  if (handle != kNullHandle) {
    creation.created = count_++;
    numbers_[handle] = creation.created;
  }
  creations_[parent].push_back(std::move(creation));
  return true;
}

DumpiCommunicators::DumpiCommunicators(Trace& trace, const std::vector<DumpiHandles>& ranks)
    : trace_(trace), ranks_(ranks) {
  const auto size = static_cast<std::uint32_t>(ranks.size());
  Parent world{0, std::vector<std::uint32_t>(size, DumpiHandles::kWorld), {}};
  trace.communicators.assign(1, std::vector<std::uint32_t>(size));
  std::iota(trace.communicators[0].begin(), trace.communicators[0].end(), 0u);
  for (const DumpiHandles& rank : ranks) {
    auto& known = known_.emplace_back(rank.count_, kUnknown);
    known[DumpiHandles::kWorld] = 0;
    std::vector<std::uint32_t> alone{DumpiHandles::kSelf};
    for (std::size_t i = 0; i < alone.size(); ++i) {
      known[alone[i]] = kAlone;
      if (const auto of = rank.creations_.find(alone[i]); of != rank.creations_.end())
        for (const auto& each : of->second)
          if (each.created != kAny) alone.push_back(each.created);
    }
  }
  std::vector<Parent> parents{std::move(world)};
  while (!parents.empty()) {
    const Parent next = std::move(parents.back());
    parents.pop_back();
    create_children(next, parents);
  }
}

void DumpiCommunicators::create_children(const Parent& parent, std::vector<Parent>& created) {
  static const std::vector<DumpiHandles::Creation> kNone;
  const std::vector<std::uint32_t> members = trace_.communicators[parent.number];
  const auto creations = [&](std::size_t member) -> const std::vector<DumpiHandles::Creation>& {
    const auto& all = ranks_[members[member]].creations_;
    const auto found = all.find(parent.of_member[member]);
    return found == all.end() ? kNone : found->second;
  };
  const std::size_t calls = creations(0).size();
  for (std::size_t i = 1; i < members.size(); ++i)
    if (creations(i).size() != calls)
      throw UserError(fmt::format(
          "{}: rank {} creates communicators from one by {} calls, rank {} by {}; expected the same number",
          trace_.name, members[0], calls, members[i], creations(i).size()));
  for (std::size_t call = 0; call < calls; ++call) {
    // By color, the members by key, then by rank in the parent.
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::uint32_t>>> children;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      const DumpiHandles::Creation& part = creations(i)[call];
      if (part.created == kAny) continue;
      std::int64_t color = part.color, key = part.key;
      if (!part.remain.empty()) {
        if (!is_grid(parent.dimensions, members.size())) continue;
        color = lost_coordinates(i, parent.dimensions, part.remain);
      }
      if (!part.group.empty()) {
        color = part.group.front();
        key = std::find(part.group.begin(), part.group.end(), std::int64_t{i}) - part.group.begin();
      }
      children[color].emplace_back(key, i);
    }
    for (auto& [color, parts] : children) {
      std::sort(parts.begin(), parts.end());
      Parent child{static_cast<std::uint32_t>(trace_.communicators.size()), {}, {}};
      auto& child_members = trace_.communicators.emplace_back();
      for (const auto& [key, i] : parts) {
        const DumpiHandles::Creation& part = creations(i)[call];
        child_members.push_back(members[i]);
        child.of_member.push_back(part.created);
        known_[members[i]][part.created] = child.number;
        child.dimensions = part.dimensions;
        for (std::size_t d = 0; d < std::min(part.remain.size(), parent.dimensions.size()); ++d)
          if (part.remain[d] != 0) child.dimensions.push_back(parent.dimensions[d]);
      }
      created.push_back(std::move(child));
    }
  }
}

}  // namespace psim::net::replay

// SPDX-License-Identifier: Apache-2.0
#include "netsim/load_group.h"

namespace psim::net {

LoadGroup::LoadGroup(std::uint32_t nodes, std::uint32_t owners, std::function<bool()> ends)
    : of_node_(nodes), owners_(owners), ends_(std::move(ends)) {}

std::uint32_t LoadGroup::add(Load& load, std::span<const std::uint32_t> nodes, std::uint32_t ranks,
                             Kind kind) {
  const std::uint32_t first = parts_.empty() ? 0 : parts_.back().end;
  for (const std::uint32_t node : nodes) of_node_[node] = static_cast<std::uint8_t>(parts_.size());
  parts_.push_back({.load = &load, .first = first, .end = first + ranks, .kind = kind});
  return first;
}

const LoadGroup::Part& LoadGroup::part_of(std::uint32_t rank) const {
  std::size_t i = 0;
  while (rank >= parts_[i].end) ++i;
  return parts_[i];
}

bool LoadGroup::outdated(std::uint64_t token, std::uint32_t rank) const {
  const Part& part = part_of(rank);
  return part.over || part.load->outdated(token, rank - part.first);
}

void LoadGroup::timer(std::uint64_t token, std::uint32_t rank) {
  const Part& part = part_of(rank);
  if (!part.over) part.load->timer(token, rank - part.first);
}

void LoadGroup::resume(std::uint32_t rank) {
  const Part& part = part_of(rank);
  if (!part.over) part.load->resume(rank - part.first);
}

Votes LoadGroup::votes() {
  for (Part& part : parts_) part.all = part.own = part.load->votes();
  return {ends_() ? 1u : 0u};
}

void LoadGroup::write(std::uint32_t process, Parcel& parcel) {
  for (const Part& part : parts_) {
    parcel.put(part.own);
    part.load->write(process, parcel);
  }
}

void LoadGroup::read(std::uint32_t process, Parcel& parcel) {
  for (Part& part : parts_) {
    const auto theirs = parcel.take<Votes>();
    for (std::size_t i = 0; i < theirs.size(); ++i) part.all[i] += theirs[i];
    part.load->read(process, parcel);
  }
}

bool LoadGroup::should_continue(std::uint64_t start, const Votes& votes) {
  bool background = false, wanted = false;
  for (Part& part : parts_) {
    part.over = part.over || !part.load->should_continue(start, part.all);
    background |= part.kind == Kind::Background;
    wanted |= part.kind == Kind::Foreground && !part.over && !part.load->done(part.all);
  }
  ended_ = votes[0] != 0;
  return !ended_ && (wanted || !background);
}

}  // namespace psim::net

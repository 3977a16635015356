// SPDX-License-Identifier: Apache-2.0
#include "mpi/object/group.h"

#include <algorithm>
#include <numeric>

namespace psim::net::mpi {

Group::Group(std::uint32_t first, std::uint32_t stride, std::uint32_t size)
    : first_(first), stride_(stride), size_(size) {}

Group::Group(std::vector<std::uint32_t> world_ranks) : size_(static_cast<std::uint32_t>(world_ranks.size())) {
  bool progression = size_ < 2 || world_ranks[1] > world_ranks[0];
  if (size_ >= 2 && progression) {
    stride_ = world_ranks[1] - world_ranks[0];
    for (std::uint32_t i = 2; i < size_ && progression; ++i)
      progression = world_ranks[i] == world_ranks[i - 1] + stride_;
  }
  if (size_ > 0) first_ = world_ranks[0];
  if (!progression) list_ = std::move(world_ranks);
}

int Group::rank_of(std::uint32_t world) const {
  if (list_.empty()) {
    if (size_ == 0 || world < first_) return -1;
    const std::uint32_t distance = world - first_;
    if (distance % stride_ != 0 || distance / stride_ >= size_) return -1;
    return static_cast<int>(distance / stride_);
  }
  if (sorted_.empty()) {
    sorted_.resize(size_);
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    std::ranges::sort(sorted_, {}, [&](std::uint32_t rank) { return list_[rank]; });
  }
  const auto found =
      std::ranges::lower_bound(sorted_, world, {}, [&](std::uint32_t rank) { return list_[rank]; });
  return found != sorted_.end() && list_[*found] == world ? static_cast<int>(*found) : -1;
}

bool Group::same_order(const Group& other) const {
  if (this == &other) return true;
  if (size_ != other.size_) return false;
  for (std::uint32_t i = 0; i < size_; ++i)
    if (world(i) != other.world(i)) return false;
  return true;
}

bool Group::same_members(const Group& other) const {
  if (size_ != other.size_) return false;
  for (std::uint32_t i = 0; i < size_; ++i)
    if (other.rank_of(world(i)) < 0) return false;
  return true;
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
#include "netsim/engine/router_order.h"

#include <algorithm>

namespace psim::net {

namespace {

constexpr Event kNothing{.kind = EventKind::Timer};

}  // namespace

const std::vector<RouterOrder::Item>& RouterOrder::sort() {
  const Item nothing{first_ + static_cast<std::uint32_t>(counts_.size()) - 1, 0, &kNothing};
  constexpr std::size_t kWorthCounting = 16;  // a pass over all routers costs as much as sorting 1/16 of them
  if (items_.size() * kWorthCounting < counts_.size()) {
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.router < b.router; });
    items_.insert(items_.end(), kBeyond, nothing);
    return items_;
  }
  std::fill(counts_.begin(), counts_.end(), 0);
  for (const Item& item : items_) ++counts_[item.router - first_ + 1];
  for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
  sorted_.resize(items_.size() + kBeyond);
  std::fill(sorted_.end() - kBeyond, sorted_.end(), nothing);
  for (const Item& item : items_) sorted_[counts_[item.router - first_]++] = item;
  return sorted_;
}

}  // namespace psim::net

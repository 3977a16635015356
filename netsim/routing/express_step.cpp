// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/express_step.h"

#include <algorithm>

namespace psim::net {

ExpressStep::ExpressStep(const ExpressMesh& mesh)
    : sizes_(mesh.sizes), routers_(mesh.routers()), interval_(mesh.interval) {
  std::uint32_t stride = 1;
  for (const std::uint32_t size : sizes_) {
    strides_.push_back(stride);
    stride *= size;
  }
  for (std::uint32_t router = 0; router < routers_; ++router)
    for (std::size_t d = 0; d < sizes_.size(); ++d) coordinates_.push_back(router / strides_[d] % sizes_[d]);
}

std::uint16_t ExpressStep::port(std::uint32_t here, std::uint32_t to, std::uint32_t) const {
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    const std::uint32_t from = coordinate(here, d), aim = coordinate(to, d);
    if (from == aim) continue;
    const std::uint32_t left = from < aim ? aim - from : from - aim;
    const bool express = left >= interval_ && from % interval_ == 0;
    return static_cast<std::uint16_t>(4 * d + (express ? 2 : 0) + (from < aim ? 0 : 1));
  }
  return 0;
}

std::uint32_t ExpressStep::beyond(std::uint32_t here, std::uint16_t port) const {
  const std::uint32_t step = strides_[port / 4] * (port % 4 < 2 ? 1 : interval_);
  return port % 2 == 0 ? here + step : here - step;
}

std::uint32_t ExpressStep::hops(std::uint32_t here, std::uint32_t to) const {
  std::uint32_t count = 0;
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    const std::uint32_t from = coordinate(here, d), aim = coordinate(to, d);
    const std::uint32_t low = std::min(from, aim), high = std::max(from, aim);
    const std::uint32_t first = (low + interval_ - 1) / interval_, last = high / interval_;
    count += first < last ? first * interval_ - low + last - first + high - last * interval_ : high - low;
  }
  return count;
}

}  // namespace psim::net

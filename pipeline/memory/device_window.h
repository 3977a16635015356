// SPDX-License-Identifier: Apache-2.0
// A core's interface to devices whose registers lie in its address space. No cache holds these addresses. A
// store to them leaves the core after it has committed, in program order among all stores, one per cycle.
// Stores are posted: no answer comes back. Plain C++; in a machine the window is a port that speaks TLM-2.0.
#pragma once

#include <cstdint>

namespace psim::pipeline {

class DeviceWindow {
 public:
  /// Registers at [first, first + bytes).
  DeviceWindow(std::uint64_t first, std::uint64_t bytes) : first_(first), bytes_(bytes) {}
  virtual ~DeviceWindow() = default;

  bool holds(std::uint64_t address) const { return address - first_ < bytes_; }
  /// Called when a store leaves the core in `cycle`; cycles never decrease.
  virtual void store(std::uint64_t address, std::uint32_t bytes, std::uint64_t cycle) = 0;

 private:
  std::uint64_t first_, bytes_;
};

}  // namespace psim::pipeline

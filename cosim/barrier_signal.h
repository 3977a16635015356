// SPDX-License-Identifier: Apache-2.0
// The extension of a transaction to the Interconnect that is no message but sets the S-flag of a node.
#pragma once

#include <cstdint>
#include <tlm>

namespace psim::cosim {

struct BarrierExtension : tlm::tlm_extension<BarrierExtension> {
  explicit BarrierExtension(std::uint64_t of_nodes) : group(of_nodes) {}
  tlm::tlm_extension_base* clone() const override { return new BarrierExtension(group); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    group = static_cast<const BarrierExtension&>(other).group;
  }

  std::uint64_t group;  ///< bits of nodes within the micro-cluster; 0: all nodes
};

}  // namespace psim::cosim

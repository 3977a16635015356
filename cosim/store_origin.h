// SPDX-License-Identifier: Apache-2.0
// The instruction that stored to a register, for reports; and the extension by which a write carries its PC.
#pragma once

#include <cstdint>
#include <tlm>

namespace psim::cosim {

struct StoreOrigin {
  std::uint32_t core = 0;  ///< of the node
  std::uint64_t pc = 0;
};

/// Lives in the initiator for the length of the call; a target may ignore it.
struct PcExtension : tlm::tlm_extension<PcExtension> {
  explicit PcExtension(std::uint64_t of_store) : pc(of_store) {}
  tlm::tlm_extension_base* clone() const override { return new PcExtension(pc); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    pc = static_cast<const PcExtension&>(other).pc;
  }

  std::uint64_t pc;
};

}  // namespace psim::cosim

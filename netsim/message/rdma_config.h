// SPDX-License-Identifier: Apache-2.0
// Costs of remote direct memory access in addition to the network's: plain numbers with their defaults. Keys
// and limits are in rdma_schema.cpp; NicConfig has the interface's DMA engines.
#pragma once

#include <cstdint>

#include "base/config/schema.h"
#include "base/units.h"

namespace psim::net {

/// The sender of the control packet of a put. Never both.
enum class PutAck : std::uint8_t {
  Nic,     ///< the destination's interface, when the data are in memory (paper 000, section 3.1)
  Program  ///< the destination's program, by LMGEN_Isend_acp_put_ctrl (its sample, section 3.2)
};

struct RdmaConfig {
  PutAck put_ack = PutAck::Nic;      ///< of MGEN_acp_copy; copies of the ACP library always use Nic
  Bytes control{0};                  ///< of a control packet beyond its header
  std::uint32_t outstanding = 0;     ///< operations of a rank under way at once; 0: any number
  Picoseconds post{0};               ///< of the processor, to start one
  Picoseconds completion{0};         ///< of the processor, to notice a completion or the arrival of a put
  Picoseconds poll{100'000};         ///< of the processor, an acp_inquire
  Picoseconds registration{0};       ///< of the processor, to register memory
  Picoseconds registration_page{0};  ///< in addition, for each 4 KiB of it
  Bytes starter_memory{4'096};       ///< of each rank
};

/// Adds every key to `schema`, which keeps references to `config`.
void describe(Schema& schema, RdmaConfig& config);

}  // namespace psim::net

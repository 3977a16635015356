// SPDX-License-Identifier: Apache-2.0
// Models: memory behind one controller with a latency and a bandwidth (paper 003 table 1: 120 cycles).
// Parameters: MemoryConfig. Statistics: ControllerStats.
// Input: in_requests, TLM-2.0 base protocol, any number of initiators (L2, block transfers, DMA). Requests
// are served in the order in which they were sent. With A the (annotated) time of arrival:
//   start  = max(A, the bus is free, its bank is free, fewer than `outstanding` reads are unanswered)
//   a bank is taken for bank_busy cycles; neighbouring 64 bytes are in neighbouring banks
//   bus    is taken for data length ÷ bytes_per_second, rounded up to a tick
//   a read is answered at start + latency, which includes the time of its data on the bus
//   a write is complete when its data are across: start + bus time
// All times are known when the request arrives, so the answer is TLM_COMPLETED with an annotated delay and
// costs no event. Memory holds no data; transport_dbg and direct memory pointers are not offered.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <vector>

#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/line_requester.h"
#include "pipeline/memory/memory_model.h"

namespace psim::pipeline {

struct ControllerStats : MemoryStats {
  /// `period`: ticks of a core cycle.
  explicit ControllerStats(Ticks period);
  Counter bus_ticks{*this};
  Ratio bus_busy;
};

class MemoryController final : public MemoryModel {
 public:
  tlm_utils::multi_passthrough_target_socket<MemoryController> in_requests{"in_requests"};

  /// `period` is one core cycle, the unit of the latency.
  MemoryController(const sc_core::sc_module_name& name, const MemoryConfig& config,
                   const sc_core::sc_time& period);

  Requests& requests() override { return in_requests; }
  const ControllerStats& stats() const override { return stats_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Ticks bus_time(std::uint64_t bytes);

  MemoryConfig config_;
  Ticks period_, latency_;
  Ticks ticks_per_second_;
  std::uint64_t bus_bytes_ = 0;  ///< bus_time() of the size of the last request
  Ticks bus_ticks_ = 0;
  Ticks bus_free_ = 0;
  const Ticks bank_busy_;
  std::vector<Ticks> bank_free_;
  std::vector<Ticks> answers_;  ///< of the latest reads, a ring of `outstanding`
  std::size_t oldest_answer_ = 0;
  ControllerStats stats_;
};

}  // namespace psim::pipeline

// SPDX-License-Identifier: Apache-2.0
// Models: memory behind one controller with a latency and a bandwidth (paper 003 table 1: 120 cycles).
// Parameters: MemoryConfig. Statistics: MemoryStats.
// Input: in_requests, TLM-2.0 base protocol, any number of initiators (L2 now; block transfers share it
// later). A request is served in the order in which it was sent. With A its (annotated) time of arrival:
//   start  = max(A, the bus is free, fewer than `outstanding` reads are unanswered)
//   bus    is taken for data length ÷ bytes_per_second, rounded up to a tick
//   a read is answered at start + latency, which includes the time of its data on the bus
//   a write is complete when its data are across: start + bus time
// All is known when the request arrives, so the answer is TLM_COMPLETED with an annotated delay and costs no
// event. Memory holds no data; transport_dbg and direct memory pointers are not offered.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <vector>

#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/line_requester.h"

namespace psim::pipeline {

struct MemoryStats {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t bytes = 0;  ///< read and written
  Ticks busy = 0;           ///< time in which the bus carried data
  Ticks queueing = 0;       ///< sum over requests of start − arrival
};

class MemoryController : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<MemoryController> in_requests{"in_requests"};

  /// `period` is one core cycle, the unit of the latency.
  MemoryController(const sc_core::sc_module_name& name, const MemoryConfig& config, sc_core::sc_time period);

  const MemoryStats& stats() const { return stats_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Ticks bus_time(std::uint64_t bytes);

  MemoryConfig config_;
  Ticks latency_;
  Ticks ticks_per_second_;
  std::uint64_t bus_bytes_ = 0;  ///< bus_time() of the size asked for last
  Ticks bus_ticks_ = 0;
  Ticks bus_free_ = 0;
  std::vector<Ticks> answers_;  ///< of the latest reads, a ring of `outstanding`
  std::size_t oldest_answer_ = 0;
  MemoryStats stats_;
};

}  // namespace psim::pipeline

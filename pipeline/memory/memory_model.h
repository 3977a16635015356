// SPDX-License-Identifier: Apache-2.0
// The memory behind the second level, as the rest of a machine sees it: a target of the TLM-2.0 base protocol
// with statistics. MemoryController is the built-in model. Another model, which may be outside psim's tree,
// derives from MemoryModel, and MachineConfig::make_memory makes it (examples/memory).
//
// requests() is bound to several initiators: L2 and the block transfers of each core use nb_transport_fw(),
// the DMA of a network interface b_transport(), which must annotate its delay and not wait. A request lies
// within a line of L2, of at most 256 bytes.
//   - Annotated times may lie far in the future of sc_time_stamp(), since a core runs ahead of the kernel.
//     The times of one initiator never decrease.
//   - A model that knows its times when a request arrives answers with TLM_COMPLETED and an annotated delay:
//     this costs no event. A model that does not know them answers by later phases, and costs the core up to
//     three cycles per request: one until it has seen BEGIN_RESP, two of notice for a load
//     (L1Config::notice).
//   - Memory holds no data: the data of requests are undefined, and transport_dbg() and direct memory
//     pointers are not used.
#pragma once

#include <systemc>
#include <tlm>

#include "base/statistics/statistic.h"

namespace psim::pipeline {

/// The counts of every model, which the account of energy uses. A model may derive its own group, with more.
struct MemoryStats : statistics::Group {
  Counter reads{*this, "reads", "requests", "requests that read a line"};
  Counter writes{*this, "writes", "requests", "requests that wrote a line"};
  Ratio requests{*this, "requests", "requests", "reads and writes", {reads, writes}};
  Counter bytes_read{*this, "bytes_read", "bytes", "bytes read"};
  Counter bytes_written{*this, "bytes_written", "bytes", "bytes written"};
  Ratio bandwidth{*this,
                  "bandwidth",
                  "bytes/second",
                  "bytes read and written per second of simulated time",
                  {bytes_read, bytes_written},
                  {Run::Seconds}};
  LogDistribution queueing{*this, "queueing", "cycles", "from the arrival of a request until it was served"};

  std::uint64_t bytes() const { return bytes_read + bytes_written; }
  /// Counts a request that was served `queued` cycles after its arrival.
  void count(const tlm::tlm_generic_payload& payload, std::uint64_t queued) {
    ++(payload.is_read() ? reads : writes);
    (payload.is_read() ? bytes_read : bytes_written) += payload.get_data_length();
    queueing.add(queued);
  }
};

class MemoryModel : public sc_core::sc_module {
 public:
  /// The base of every target socket of the base protocol, with any number of bindings.
  using Requests = tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

  /// Returns the socket, such as a tlm_utils::multi_passthrough_target_socket.
  virtual Requests& requests() = 0;
  virtual const MemoryStats& stats() const = 0;

 protected:
  explicit MemoryModel(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace psim::pipeline

// SPDX-License-Identifier: Apache-2.0
// Models: a stack of DRAM on the package, as HBM: channels, each with banks and a bus of its own. A bank has
// one row open. With A the (annotated) time of arrival at a channel:
//   column = max(A, the bank is free) + (row open: 0; no row open: activate; another one: precharge +
//   activate) data   = max(column + access, the bus of the channel is free), for bytes ÷ bytes_per_second a
//   read is answered after its data, a write is complete then; `path` lies on both ways
// A channel serves its requests in the order of arrival. Neighbouring blocks of `interleave` bytes are in
// neighbouring channels. The values are orders of magnitude for HBM2, not those of a product. Refresh is left
// out.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "pipeline/memory/memory_model.h"

struct StackConfig {
  std::uint32_t channels = 8, banks = 16;  ///< banks of a channel
  std::uint64_t row_bytes = 1024, interleave = 256;
  std::uint64_t bytes_per_second = 32'000'000'000;  ///< of a channel
  std::uint64_t path_ns = 10, precharge_ns = 14, activate_ns = 14, access_ns = 14;
};

/// The counts that the rest of psim uses, and those of rows.
struct StackStats : psim::pipeline::MemoryStats {
  Counter row_hits{*this, "row_hits", "requests", "requests whose row was open"};
  Counter row_conflicts{*this, "row_conflicts", "requests", "requests that closed another row"};
  Ratio row_hit_rate{*this,      "row_hit_rate", "hits/request", "share of the requests whose row was open",
                     {row_hits}, {reads, writes}};
};

class StackedMemory final : public psim::pipeline::MemoryModel {
 public:
  tlm_utils::multi_passthrough_target_socket<StackedMemory> in_requests{"in_requests"};

  /// `period`: of a core cycle, the unit of the statistics.
  StackedMemory(const sc_core::sc_module_name& name, const StackConfig& config,
                const sc_core::sc_time& period);

  Requests& requests() override { return in_requests; }
  const StackStats& stats() const override { return stats_; }

 private:
  struct Bank {
    std::uint64_t row = kClosed;
    sc_core::sc_time free;
  };
  struct Channel {
    std::vector<Bank> banks;
    sc_core::sc_time bus_free;
  };
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  tlm::tlm_sync_enum nb_transport_fw(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// Opens the row; returns the time that this takes.
  sc_core::sc_time open(Bank& bank, std::uint64_t row);

  const StackConfig config_;
  const sc_core::sc_time period_, path_, precharge_, activate_, access_;
  std::vector<Channel> channels_;
  StackStats stats_;
};

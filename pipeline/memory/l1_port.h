// SPDX-License-Identifier: Apache-2.0
// Models: the wires between a first-level cache and the second level; the cache's TLM-2.0 initiator. Converts
// the core's cycles to SystemC time. Answers known at once go into the cache within the call, later ones when
// they come on the backward path. A line that comes at time t without an annotated delay is reported in the
// cycle after t. Results thus do not depend on the order in which SystemC runs processes.
#pragma once

#include "pipeline/memory/l1_cache.h"
#include "pipeline/memory/line_requester.h"

namespace psim::pipeline {

/// The requests that an inclusive lower level makes to L1.
class BackInvalidate : public virtual sc_core::sc_interface {
 public:
  /// Invalidates the line at `address`, which leaves the level below, or which another cache writes, at `at`;
  /// returns true if the copy here was dirty.
  virtual bool back_invalidate(std::uint64_t address, Ticks at) = 0;
  /// Makes the copy of the line clean and not writable, since another cache reads it; returns true if it was
  /// dirty.
  virtual bool share(std::uint64_t address) = 0;
};

class L1Port : public LineRequester, public NextLevel, public BackInvalidate {
 public:
  /// Cycle n of the core is the time n × `period`.
  L1Port(const sc_core::sc_module_name& name, std::uint32_t line_bytes, sc_core::sc_time period);
  void serve(L1Cache& cache) { cache_ = &cache; }
  /// Adds `offset` to the addresses of the core in all requests; 0 otherwise. Before the simulation.
  void shift_addresses(std::uint64_t offset) { offset_ = offset; }

  void read(std::uint64_t address, AccessKind kind, std::uint64_t cycle,
            std::uint32_t miss_register) override;
  void write_back(std::uint64_t address, std::uint64_t cycle) override;
  bool back_invalidate(std::uint64_t address, Ticks at) override {
    return cache_->invalidate(address - offset_, at / period_ + 1);
  }
  bool share(std::uint64_t address) override { return cache_->share(address - offset_); }

 private:
  void arrived(std::uint32_t miss_register, Level level, Ticks at, bool at_once) override;

  Ticks period_;
  L1Cache* cache_ = nullptr;
  std::uint64_t offset_ = 0;
  std::uint64_t request_cycle_ = 0;  ///< of the read() under way
};

}  // namespace psim::pipeline

// SPDX-License-Identifier: Apache-2.0
// A core on a test bench: caches over a level that answers after a fixed time, and a log of every
// instruction's stages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/core.h"
#include "pipeline/testing/program.h"
#include "pipeline/timeline_activity.h"

namespace psim::pipeline::testing {

/// SystemC elaborates once per context; each bench has its own.
bool renew_systemc();  ///< true

/// Answers every read `latency` cycles after it left L1.
class SteadyLevel final : public NextLevel {
 public:
  SteadyLevel(std::uint64_t latency, Level level) : latency_(latency), level_(level) {}
  void connect(L1Cache& cache) { cache_ = &cache; }
  void read(std::uint64_t address, AccessKind, std::uint64_t cycle, std::uint32_t miss_register) override {
    ++reads;
    last_address = address;
    cache_->fill(miss_register, cycle + latency_, cycle, level_);
  }
  void write_back(std::uint64_t, std::uint64_t) override { ++write_backs; }

  std::uint64_t reads = 0, write_backs = 0, last_address = 0;

 private:
  std::uint64_t latency_;
  Level level_;
  L1Cache* cache_ = nullptr;
};

/// Serves one line of a block transfer every `gap` cycles, each `latency` cycles after its start.
class SteadyTransferMemory final : public TransferMemory {
 public:
  SteadyTransferMemory(std::uint64_t latency, std::uint64_t gap) : latency_(latency), gap_(gap) {}
  void connect(TransferUnit& unit) {
    unit_ = &unit;
    unit.connect(*this);
  }
  void request(std::uint64_t address, bool write, std::uint64_t cycle, std::uint32_t transfer) override {
    const std::uint64_t start = std::max(cycle, free_);
    free_ = start + gap_;
    addresses.push_back(address);
    writes += write;
    unit_->served(transfer, start + latency_);
  }

  std::vector<std::uint64_t> addresses;
  std::uint64_t writes = 0;

 private:
  std::uint64_t latency_, gap_, free_ = 0;
  TransferUnit* unit_ = nullptr;
};

struct BenchConfig {
  CoreConfig core;
  L1Config instruction_cache, data_cache;
  std::uint64_t below_latency = 20;
  std::uint64_t transfer_latency = 100, transfer_gap = 8;
  Level below = Level::L2;
  RunOptions options;
  bool warm_instructions = true;  ///< the text is in the instruction cache from the start
  bool warm_data = true;          ///< all lines the program touches are in the data cache from the start
  bool observed = true;

  BenchConfig() { instruction_cache.tlb.enabled = data_cache.tlb.enabled = false; }
};

/// Returns stages of one to four cycles each, drawn by `seed`.
StageDepths some_depths(unsigned seed);

/// One committed or flushed instruction, as observed.
struct Seen {
  std::uint64_t pc, address, end;
  bool flushed;
  std::vector<StageEvent> stages;
  std::vector<StallSpan> stalls;
  bool load;  ///< reads memory
  bool simd;  ///< an operation in the PEs
  std::uint8_t pes;
  TimelineActivity activity;
  /// Returns the first cycle in the stage, or the last one if it was entered again; kNever if never.
  std::uint64_t first(Stage stage) const;
  std::uint64_t last(Stage stage) const;
};

class Bench final : private CoreObserver {
 public:
  Bench(Program& program, const BenchConfig& config = {});
  ~Bench() override;

  /// Runs to the end. Call it once.
  void run();
  Totals totals() { return core->totals(); }
  std::uint64_t part(CpiPart part) { return totals().cpi[static_cast<std::size_t>(part)]; }
  /// Returns a committed record; they are in program order.
  const Seen& at(std::size_t index) const { return committed.at(index); }
  std::uint64_t cycle(std::size_t index, Stage stage) const { return at(index).last(stage); }

  bool fresh;  // the first member: modules are created after it
  SteadyLevel instruction_level, data_level;
  SteadyTransferMemory transfer_memory;
  L1Cache instruction_cache, data_cache;
  std::vector<Seen> committed, flushed;
  std::vector<Interval> intervals;
  std::unique_ptr<Core> core;

 private:
  void on_leave(const InstructionTimeline& timeline) override;
  void on_interval(const Interval& interval) override { intervals.push_back(interval); }
};

}  // namespace psim::pipeline::testing

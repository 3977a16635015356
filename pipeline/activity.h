// SPDX-License-Identifier: Apache-2.0
// The activity of a core and its memory, as plain counts. Nothing here depends on the use of the counts; the
// energy model turns them into joules. As that model is linear, counts of an interval (a difference of two
// samples) give the interval's energy exactly.
//
// Instructions are counted with all their steps when they leave, at W or by a flush; other counts are taken
// when the event happens. A core keeps them only after Core::count_activity().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/table/static_instruction.h"
#include "pipeline/observer.h"

namespace psim::pipeline {

inline constexpr std::size_t kStages = kStageNames.size();

/// The steps of instructions in the PEs, and on the path to and from them. Steps that happen in every PE that
/// takes part count once per PE.
struct PeActivity {
  std::uint64_t broadcasts = 0;  ///< moves through C from the scalar part to the PEs: one each and cycle of C
  std::uint64_t notices = 0;  ///< moves through W1 from the PEs to the scalar part: one each and cycle of W1
  std::uint64_t station_writes = 0;   ///< entries taken in the SIMD reservation station: one each
  std::uint64_t moves = 0;            ///< operands of 64 bits between the scalar part and the PEs: one each
  std::uint64_t begun = 0;            ///< operations × PEs: operands latched, in C
  std::uint64_t cycles = 0;           ///< cycles of X × PEs; one of an access to memory or SBM
  std::uint64_t operations = 0;       ///< begun in X × PEs; not of loads and stores
  std::uint64_t results = 0;          ///< operations × PEs that came to U
  std::uint64_t register_reads = 0;   ///< SFPR operands of 64 bits × PEs
  std::uint64_t register_writes = 0;  ///< SFPR results of 64 bits × PEs
  std::uint64_t cross_operands = 0;   ///< operands of up to 64 bits that a PE takes from another
  std::uint64_t sbm_reads = 0;        ///< reads of up to 64 bits of an SBM × PEs
  std::uint64_t sbm_writes = 0;       ///< writes of up to 64 bits of an SBM × PEs
};

/// The steps of instructions of one latency class. Operands and results are counted in units of 64 bits.
struct InstructionActivity {
  std::uint64_t left = 0;  ///< instructions
  /// Moves into each cycle of each stage from IB on. X counts each cycle of execution. A cancelled start
  /// moves again. IA, IT, IM hold blocks, not instructions: Activity::fetch_blocks. C, W1 and the X of
  /// operations in PEs are in `pes`.
  std::array<std::uint64_t, kStages> moves{};
  std::uint64_t buffered = 0;     ///< reached the instruction buffer, in IR
  std::uint64_t entered = 0;      ///< reached the commit stack, in D
  std::uint64_t operations = 0;   ///< begun in X
  std::uint64_t map_lookups = 0;  ///< sources and destinations looked up in the rename map, in D
  std::uint64_t map_updates = 0;  ///< destinations entered into the rename map, in D
  std::uint64_t integer_reads = 0, fp_reads = 0;      ///< operands read in B
  std::uint64_t integer_results = 0, fp_results = 0;  ///< rename registers (GUB, FUB) written in U
  std::uint64_t integer_retired = 0, fp_retired = 0;  ///< registers (GPR, FPR) written in W
  std::uint64_t station_writes = 0;                   ///< entries taken in a reservation station
  std::uint64_t broadcasts = 0;                       ///< results announced to the stations, in P
  PeActivity pes;
};

/// The activity of the engine of block transfers.
struct TransferActivity {
  std::uint64_t begun = 0;     ///< block transfers
  std::uint64_t requests = 0;  ///< of a line, to memory
  std::uint64_t bytes = 0;     ///< moved between memory and SBM, read or written in SBM
};

/// The activity of a first-level cache and its TLB other than the accesses of the core.
struct CacheActivity {
  std::uint64_t fills = 0;        ///< lines that came from below
  std::uint64_t prefetches = 0;   ///< lines looked up by the hardware's prefetcher
  std::uint64_t write_backs = 0;  ///< lines sent below
  std::uint64_t tlb_refills = 0;  ///< lookups of the main TLB
};

struct MemoryActivity {
  std::uint64_t l2_reads = 0;           ///< lines looked up
  std::uint64_t l2_writes = 0;          ///< lines written: from L1 or memory
  std::uint64_t reads = 0, writes = 0;  ///< requests at the memory controller
  std::uint64_t bytes = 0;              ///< between chip and memory, both ways
};

struct Activity {
  std::uint64_t cycles = 0;
  std::array<InstructionActivity, isa::kLatencyClasses> committed{}, flushed{};
  std::uint64_t fetch_blocks = 0;  ///< IA, and with it IT and IM: accesses of cache, TLB and branch history
  std::uint64_t prefetch_steps =
      0;  ///< cycles of IA that the prefetch of instructions took: searches of the history
  std::uint64_t fetch_groups = 0;     ///< cycles in which instructions came to IB
  std::uint64_t decode_groups = 0;    ///< cycles in which instructions passed D
  std::uint64_t commit_groups = 0;    ///< cycles in which instructions passed W
  std::uint64_t history_updates = 0;  ///< branches that updated the branch history, in W
  std::uint64_t return_stack = 0;     ///< pushes and pops
  std::uint64_t queue_searches = 0;   ///< loads that looked for their bytes in the store queue
  /// Accesses to the first-level data cache and its micro-TLB, by the latency class of the instruction. They
  /// include accesses of a wrong path and repeated ones.
  std::array<std::uint64_t, isa::kLatencyClasses> data_reads{}, data_writes{};
  CacheActivity instruction_cache, data_cache;
  MemoryActivity memory;
  TransferActivity transfers;

  Activity& operator+=(const Activity& other);
  Activity& operator-=(const Activity& other);
};

}  // namespace psim::pipeline

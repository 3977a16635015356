// SPDX-License-Identifier: Apache-2.0
// Parameters of the scalar core. Defaults are the `sparc64v` machine; machines/sparc64v.toml repeats them
// with the source of each. Counts are entries, times are core cycles, unless a name says otherwise.
#pragma once

#include <array>
#include <cstdint>

#include "isa/table/static_instruction.h"

namespace psim::pipeline {

/// Instruction fetch: IA IT IM IB IR (JPS1-V pp. 6, 31).
struct FetchConfig {
  std::uint32_t width = 8;                ///< instructions per access, an aligned block of width × 4 bytes
  std::uint32_t instruction_buffer = 48;  ///< instructions fetched and not yet decoded
};

/// Branch history BRHIS and return address stack (JPS1-V pp. 6, 31).
struct BranchConfig {
  std::uint32_t history_entries = 16384;
  std::uint32_t history_ways = 4;
  std::uint32_t counter_bits = 2;  ///< saturating counter of each entry; taken in its upper half
  std::uint32_t return_stack = 8;
  std::uint32_t taken_bubble = 2;  ///< fetch cycles lost after a predicted-taken branch: IM feeds IA
  std::uint32_t redirect_cycles =
      0;  ///< from the end of X of a mispredicted branch to IA of the right path, above 1
};

/// The number of cycles that an instruction spends in each stage (JPS1-V pp. 31-34; C and W1: paper 003 3.3).
/// The latencies of the caches cover IA IT IM IB and Ps Ts Ms Bs; core.latency covers X; P and W take one
/// cycle.
struct StageDepths {
  std::uint32_t ib = 1;  ///< the last cycle of the instruction cache's latency is the first of IB
  std::uint32_t ir = 1;
  std::uint32_t e = 1;
  std::uint32_t d = 1;
  std::uint32_t b = 1;
  std::uint32_t rs = 1;  ///< of an operand access, after Bs
  std::uint32_t u = 1;
  std::uint32_t c = 1;   ///< scalar part to PEs
  std::uint32_t w1 = 1;  ///< PEs to scalar part
};

/// Decode, rename and commit widths and buffers (JPS1-V pp. 6, 33; paper 003 table 1).
struct WindowConfig {
  std::uint32_t decode_width = 4;
  std::uint32_t commit_stack = 64;
  std::uint32_t commit_width = 4;
  std::uint32_t integer_rename = 32;  ///< GUB
  std::uint32_t fp_rename = 32;       ///< FUB, 64-bit entries
};

inline constexpr std::uint32_t kMaxPipes = 4;  ///< of one kind

/// Execution pipes (paper 003 table 1). An integer or floating-point pipe has a reservation station of its
/// own.
struct PipeConfig {
  std::uint32_t integer = 2;  ///< EXA, EXB, …
  std::uint32_t fp = 2;       ///< FLA, FLB, …: one multiply-add per cycle each
  std::uint32_t address = 2;  ///< EAGA, EAGB, …: loads and stores, all fed by RSA
};

/// Reservation stations (paper 003 table 1; JPS1-V p. 6).
struct StationConfig {
  std::uint32_t integer = 8;   ///< each of RSEA, RSEB, …
  std::uint32_t fp = 8;        ///< each of RSFA, RSFB, …
  std::uint32_t address = 10;  ///< RSA
  std::uint32_t branch = 10;   ///< RSBR
};

struct Latency {
  std::uint32_t cycles = 1;  ///< cycles in X: a dependent may start X this number of cycles later
  bool pipelined = true;     ///< otherwise the pipe starts no other unpipelined instruction meanwhile
};
using LatencyTable = std::array<Latency, isa::kLatencyClasses>;
LatencyTable default_latencies();

/// How a load treats an older store whose address is not known yet.
enum class StoreAddressPolicy : std::uint8_t {
  Wait,     ///< the load waits until every older store has its address
  Perfect,  ///< a perfect dependence predictor: it waits only for stores that do overlap it
};

/// Operand access: fetch ports, store ports, write buffer (names: JPS1-V p. 34).
struct LoadStoreConfig {
  std::uint32_t fetch_ports = 16;   ///< loads, atomics and prefetches from D to W
  std::uint32_t store_ports = 10;   ///< stores from D until written or moved to the write buffer
  std::uint32_t write_buffer = 5;   ///< committed stores on their way to L1
  std::uint32_t fp_load_extra = 1;  ///< from L1 to a floating-point register, above the latency of L1
  std::uint32_t forward_extra = 0;  ///< from the store queue, above the latency of an L1 hit
  StoreAddressPolicy store_address = StoreAddressPolicy::Wait;
};

/// Register-window spill and fill traps: taken when oldest, then 16 stores or loads, then a return.
struct WindowTrapConfig {
  std::uint32_t entry = 12;  ///< cycles from an empty pipeline to the fetch of the handler
  std::uint32_t leave = 12;  ///< from the end of the handler to the fetch of the trapped instruction
};

/// The timing of the SIMD-PEs (paper 003 3.3 and table 1). Their number and the size of an SBM are
/// isa::SimdConfig's. Latencies are those of the scalar units.
struct SimdTiming {
  std::uint32_t station = 16;            ///< entries of the SIMD reservation station
  std::uint32_t rename = 32;             ///< rename registers of 64 bits of each PE
  std::uint32_t arithmetic_pipes = 1;    ///< of each SFPU
  std::uint32_t load_pipes = 2;          ///< SBM loads per cycle
  std::uint32_t store_pipes = 1;         ///< SBM stores per cycle
  std::uint32_t sbm_latency = 3;         ///< cycles of an SBM read
  std::uint32_t transfers = 16;          ///< block transfers outstanding
  std::uint32_t transfer_requests = 32;  ///< lines of them outstanding at the memory controller
};

struct CoreConfig {
  double clock_hz = 2e9;
  FetchConfig fetch;
  BranchConfig branch;
  StageDepths stages;
  WindowConfig window;
  PipeConfig pipes;
  StationConfig stations;
  LatencyTable latency = default_latencies();
  LoadStoreConfig load_store;
  WindowTrapConfig window_trap;
  SimdTiming simd;
  /// Busy cycles without a commit after which the run ends with a diagnosis; waiting for memory is not busy.
  std::uint64_t watchdog = 100000;
};

}  // namespace psim::pipeline

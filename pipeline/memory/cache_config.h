// SPDX-License-Identifier: Apache-2.0
// Parameters of the memory system, with their defaults: those of paper 003 table 1 and JPS1-V where given,
// else assumptions (marked). Plain structs: other code reads the machine file.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace psim::pipeline {

/// A micro-TLB before a main TLB, one pair for instructions and one for data (JPS1-V p. 85). A miss makes the
/// access wait and retry; page tables and faults are not modelled.
struct TlbConfig {
  bool enabled = true;
  std::uint64_t page_bytes = 8192;      ///< power of two; Linux on sparc64 uses 8 KB pages
  std::uint32_t micro_entries = 32;     ///< fully associative, LRU (JPS1-V p. 85)
  std::uint32_t main_entries = 1024;    ///< set-associative, LRU (assumption; sizes are not published)
  std::uint32_t main_ways = 2;          ///< (assumption)
  std::uint32_t micro_miss_cycles = 4;  ///< micro-TLB miss, main TLB hit (assumption)
  std::uint32_t main_miss_cycles = 60;  ///< main TLB miss: the handler's walk, hit in cache (assumption)
  void validate(const std::string& key, Problems& problems) const;
};

/// The lines that a first-level cache requests before they are accessed.
enum class Prefetch : std::uint8_t {
  None,     ///< only lines that the program's own prefetches name
  Path,     ///< L1I: the lines of the predicted path (JPS1-V pp. 2, 26, 31)
  Stream,   ///< L1D: the lines ahead of sequential accesses
  Perfect,  ///< everything: each access hits (the assumption of paper 003 table 2)
};

/// A first-level cache: write-back, write-allocate, LRU, non-blocking.
struct L1Config {
  std::uint64_t bytes = 128 * 1024;  ///< power of two (JPS1-V p. 125; paper 003 table 1)
  std::uint32_t ways = 2;            ///< 1–16 (JPS1-V p. 125)
  std::uint32_t line_bytes = 64;     ///< power of two, 16–256 (JPS1-V p. 125)
  std::uint32_t latency = 4;         ///< cycles from access to data usable, hit (assumption)
  std::uint32_t ports = 2;           ///< accesses per cycle (one per address pipe; assumption)
  std::uint32_t banks = 0;           ///< 8-byte interleaved banks, one access per cycle each; 0: no conflicts
  std::uint32_t miss_registers = 16;    ///< lines outstanding, 1–64 (assumption)
  std::uint32_t targets_per_miss = 16;  ///< accesses waiting on one line, 1–64 (assumption)
  std::uint32_t notice = 2;  ///< a fill is announced this number of cycles ahead, ≤ latency: P and B before X
  Prefetch prefetch = Prefetch::None;
  std::uint32_t prefetch_lines = 8;     ///< Path, Stream: lines ahead, 1–64 (assumption)
  std::uint32_t prefetch_streams = 16;  ///< Stream: followed at the same time, 1–64 (assumption)
  TlbConfig tlb;
  void validate(const std::string& key, Problems& problems) const;
};

/// The unified second level, shared by the cores, inclusive of their first levels.
struct L2Config {
  std::uint64_t bytes = 6 * 1024 * 1024;  ///< ways × line × power of two (paper 003 table 1)
  std::uint32_t ways = 12;                ///< 1–32 (paper 003 table 1)
  std::uint32_t line_bytes = 64;          ///< equal to L1's (JPS1-V p. 125)
  std::uint32_t latency = 20;             ///< cycles a request adds to the L1 access, hit (assumption)
  std::uint32_t bytes_per_cycle = 32;     ///< path to L1: a line keeps L2 busy line_bytes / this (SPARC64 VI)
  std::uint32_t miss_registers = 32;      ///< lines outstanding to memory, 1–256 (assumption)
  std::uint32_t snoop_latency = 16;  ///< cycles to invalidate or fetch a copy in a first level (assumption)
  bool coherent = false;             ///< keeps the first levels of several cores coherent
  void validate(const std::string& key, Problems& problems) const;
};

/// The memory controller.
struct MemoryConfig {
  std::uint32_t latency = 120;  ///< core cycles, request at the controller → whole line at L2, idle
                                ///< (paper 003 table 1 says "memory access latency")
  std::uint64_t bytes_per_second = 16'000'000'000;  ///< read and written together (assumption: 8 B per cycle)
  std::uint32_t banks = 1;                          ///< interleaved by lines (assumption)
  std::uint32_t bank_busy = 0;     ///< cycles for which a request occupies its bank (assumption)
  std::uint32_t outstanding = 64;  ///< reads in service, 1–1024; more wait in order (assumption)
  void validate(const std::string& key, Problems& problems) const;
};

}  // namespace psim::pipeline

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/memory_schema.h"

namespace psim::pipeline {
namespace {

constexpr const char* kMemoryPaper = "paper 003 table 1";
constexpr const char* kCaches = "JPS1-V p. 125";
constexpr const char* kTlbs = "JPS1-V p. 85";
constexpr std::uint64_t kLargest = std::uint64_t{1} << 32;

void describe(Schema& schema, TlbConfig& config, const std::string& key) {
  schema.section(key, "micro-TLB and main TLB before it");
  schema.add(key + ".enabled", config.enabled, "whether translation takes time", kAssumption);
  schema.add(key + ".page_bytes", config.page_bytes, Dimension::Size, {4096, kLargest, kPowerOfTwo},
             "page size", "Linux on sparc64");
  schema.add(key + ".micro_entries", config.micro_entries, {1, 256}, "entries of the micro-TLB", kTlbs);
  schema.add(key + ".main_entries", config.main_entries, {1, 1u << 20}, "entries of the main TLB",
             kAssumption);
  schema.add(key + ".main_ways", config.main_ways, {1, 64}, "associativity of the main TLB", kAssumption);
  schema.add(key + ".micro_miss_cycles", config.micro_miss_cycles, Dimension::Cycles, {1, 10'000},
             "wait of an access that misses the micro-TLB and hits the main TLB", kAssumption);
  schema.add(key + ".main_miss_cycles", config.main_miss_cycles, Dimension::Cycles, {0, 100'000},
             "wait of an access that misses the main TLB too", kAssumption);
}

}  // namespace

void describe(Schema& schema, L1Config& config, const std::string& key, const std::string& doc,
              bool instructions) {
  schema.section(key, doc);
  schema.add(key + ".bytes", config.bytes, Dimension::Size, {1, kLargest}, "capacity", kMemoryPaper);
  schema.add(key + ".ways", config.ways, {1, 16}, "associativity", kMemoryPaper);
  schema.add(key + ".line_bytes", config.line_bytes, Dimension::Size, {16, 256, kPowerOfTwo}, "line size",
             kCaches);
  schema.add(key + ".latency", config.latency, Dimension::Cycles, {1, 256},
             "from access to data usable, on a hit", kAssumption);
  schema.add(key + ".ports", config.ports, {1, 16}, "accesses per cycle", kAssumption);
  schema.add(key + ".banks", config.banks, {0, 64},
             "interleaved banks of 8 bytes, one access each per cycle; 0: no conflicts", kAssumption);
  schema.add(key + ".miss_registers", config.miss_registers, {1, 64}, "lines outstanding", kAssumption);
  schema.add(key + ".targets_per_miss", config.targets_per_miss, {1, 64}, "accesses waiting on one line",
             kAssumption);
  schema.add(key + ".notice", config.notice, Dimension::Cycles, {0, 1000},
             "time from the announcement of a fill to the reservation stations until the fill", kAssumption);
  if (instructions) {
    schema.add(key + ".prefetch", config.prefetch,
               {{"none", Prefetch::None}, {"path", Prefetch::Path}, {"perfect", Prefetch::Perfect}},
               "path: lines of the predicted path are fetched ahead; perfect: every access hits",
               "JPS1-V pp. 2, 26, 31; perfect: paper 003 table 2");
    schema.add(key + ".prefetch_lines", config.prefetch_lines, {1, 64},
               "path: lines that the prefetch runs ahead of fetch", kAssumption);
  } else {
    schema.add(
        key + ".prefetch", config.prefetch,
        {{"none", Prefetch::None}, {"stream", Prefetch::Stream}, {"perfect", Prefetch::Perfect}},
        "stream: lines ahead of sequential accesses are fetched; perfect: every access hits",
        "stream: A64FX Specification HPC Extension 1.3.4.2, not described for SPARC64 V; perfect: paper 003 "
        "table 2");
    schema.add(key + ".prefetch_lines", config.prefetch_lines, {1, 64},
               "stream: lines that a stream is prefetched ahead of its accesses", kAssumption);
    schema.add(key + ".prefetch_streams", config.prefetch_streams, {1, 64},
               "stream: streams followed at a time", kAssumption);
  }
  describe(schema, config.tlb, key + ".tlb");
  schema.validate([&config, key](Problems& problems) { config.validate(key, problems); });
}

void describe(Schema& schema, L2Config& config) {
  schema.section("l2", "unified second-level cache, inclusive");
  schema.add("l2.bytes", config.bytes, Dimension::Size, {1, kLargest}, "capacity", kMemoryPaper);
  schema.add("l2.ways", config.ways, {1, 32}, "associativity", kMemoryPaper);
  schema.add("l2.line_bytes", config.line_bytes, Dimension::Size, {16, 256, kPowerOfTwo},
             "line size, that of L1", kCaches);
  schema.add("l2.latency", config.latency, Dimension::Cycles, {1, 10'000},
             "time that a request adds to the access of L1, on a hit", kAssumption);
  schema.add("l2.bytes_per_cycle", config.bytes_per_cycle, Dimension::Size, {1, 4096},
             "width of the path to L1, per cycle", "SPARC64 VI");
  schema.add("l2.miss_registers", config.miss_registers, {1, 256}, "lines outstanding to memory",
             kAssumption);
  schema.add("l2.snoop_latency", config.snoop_latency, Dimension::Cycles, {0, 10'000},
             "with several cores: time to invalidate a line in another core's L1, or to fetch it from there",
             kAssumption);
  schema.leave_out_defaults("l2.snoop_latency");
  schema.validate([&config](Problems& problems) { config.validate("l2", problems); });
}

void describe(Schema& schema, MemoryConfig& config) {
  schema.section("memory", "memory controller");
  schema.add("memory.latency", config.latency, Dimension::Cycles, {1, 1'000'000},
             "from a request at the controller to the whole line at L2, when idle", kMemoryPaper);
  schema.add("memory.bytes_per_second", config.bytes_per_second, Dimension::Bandwidth,
             {1'000'000, 1'000'000'000'000'000}, "read and written together", kAssumption);
  schema.add("memory.outstanding", config.outstanding, {1, 1024}, "reads in service; more wait in order",
             kAssumption);
  schema.add("memory.banks", config.banks, {1, 1024, kPowerOfTwo}, "banks, interleaved by lines",
             kAssumption);
  schema.add("memory.bank_busy", config.bank_busy, Dimension::Cycles, {0, 1'000'000},
             "time for which a request occupies its bank; a later one to the bank waits", kAssumption);
  schema.leave_out_defaults("memory.bank");
  schema.validate([&config](Problems& problems) { config.validate("memory", problems); });
}

}  // namespace psim::pipeline

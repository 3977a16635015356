// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/cache_config.h"

#include <bit>

namespace psim::pipeline {
namespace {

class Checker {
 public:
  Checker(const std::string& key, Problems& problems) : key_(key), problems_(problems) {}
  void range(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    if (value < low || value > high)
      add(name, "expected " + std::to_string(low) + " to " + std::to_string(high));
  }
  void power_of_two(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    if (!std::has_single_bit(value) || value < low || value > high)
      add(name, "expected a power of two, " + std::to_string(low) + " to " + std::to_string(high));
  }
  /// Checks that bytes / line / ways is a power of two; reports it if not.
  void sets(std::uint64_t bytes, std::uint64_t line, std::uint64_t ways) {
    if (line == 0 || ways == 0) return;  // reported separately
    if (bytes % (line * ways) != 0 || !std::has_single_bit(bytes / (line * ways)))
      problems_.add(key_ + ".bytes, " + key_ + ".ways, " + key_ + ".line_bytes",
                    "expected bytes = ways × line_bytes × a power of two");
  }
  void add(const char* name, const std::string& text) { problems_.add(key_ + "." + name, text); }

 private:
  const std::string& key_;
  Problems& problems_;
};

constexpr std::uint64_t kLargestCache = std::uint64_t{1} << 32;

}  // namespace

void TlbConfig::validate(const std::string& key, Problems& problems) const {
  Checker check(key, problems);
  check.power_of_two("page_bytes", page_bytes, 4096, std::uint64_t{1} << 32);
  check.range("micro_entries", micro_entries, 1, 256);
  check.range("main_ways", main_ways, 1, 64);
  check.range("main_entries", main_entries, 1, 1u << 20);
  if (main_ways != 0 && (main_entries % main_ways != 0 || !std::has_single_bit(main_entries / main_ways)))
    problems.add(key + ".main_entries, " + key + ".main_ways",
                 "expected main_entries = main_ways × a power of two");
  check.range("micro_miss_cycles", micro_miss_cycles, 1, 10'000);
  check.range("main_miss_cycles", main_miss_cycles, 0, 100'000);
}

void L1Config::validate(const std::string& key, Problems& problems) const {
  Checker check(key, problems);
  check.range("bytes", bytes, 1, kLargestCache);
  check.range("ways", ways, 1, 16);
  check.power_of_two("line_bytes", line_bytes, 16, 256);
  check.sets(bytes, line_bytes, ways);
  check.range("latency", latency, 1, 1000);
  check.range("ports", ports, 1, 16);
  if (banks != 0) check.power_of_two("banks", banks, 1, 64);
  check.range("miss_registers", miss_registers, 1, 64);
  check.range("targets_per_miss", targets_per_miss, 1, 64);
  check.range("notice", notice, 0, latency);
  check.range("prefetch_lines", prefetch_lines, 1, 64);
  check.range("prefetch_streams", prefetch_streams, 1, 64);
  // A block access of 64 bytes may need a miss register for each of its lines, all at once.
  if (line_bytes != 0 && miss_registers * line_bytes < 64)
    check.add("miss_registers", "expected 64 / line_bytes or more");
  tlb.validate(key + ".tlb", problems);
}

void L2Config::validate(const std::string& key, Problems& problems) const {
  Checker check(key, problems);
  check.range("bytes", bytes, 1, kLargestCache);
  check.range("ways", ways, 1, 32);
  check.power_of_two("line_bytes", line_bytes, 16, 256);
  check.sets(bytes, line_bytes, ways);
  check.range("latency", latency, 1, 10'000);
  check.range("bytes_per_cycle", bytes_per_cycle, 1, 4096);
  check.range("miss_registers", miss_registers, 1, 256);
}

void MemoryConfig::validate(const std::string& key, Problems& problems) const {
  Checker check(key, problems);
  check.range("latency", latency, 1, 1'000'000);
  check.range("bytes_per_second", bytes_per_second, 1'000'000, 1'000'000'000'000'000);
  check.range("outstanding", outstanding, 1, 1024);
}

}  // namespace psim::pipeline

// SPDX-License-Identifier: Apache-2.0
#include "psim/net/memory_by_use.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace psim {

std::uint64_t MemoryByUse::resident() {
  std::uint64_t size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void MemoryByUse::mark(const std::string& use) {
  const std::uint64_t now = resident();
  uses_.emplace_back(use, now - std::min(now, last_));
  last_ = now;
}

void MemoryByUse::finish(std::uint64_t stacks) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const std::uint64_t peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024,
                      run = peak - std::min(peak, last_);
  uses_.emplace_back("stacks", std::min(stacks, run));
  uses_.emplace_back("messages, packets, events, variables", run - std::min(stacks, run));
}

std::string MemoryByUse::text(std::uint32_t ranks) const {
  std::uint64_t all = 0;
  for (const auto& [use, bytes] : uses_) all += bytes;
  const auto line = [&](const std::string& use, std::uint64_t bytes) {
    return fmt::format("  {:38} {:9.2f} KiB per rank\n", use,
                       static_cast<double>(bytes) / 1024 / static_cast<double>(ranks));
  };
  std::string text = "memory of this host process by use:\n";
  for (const auto& [use, bytes] : uses_) text += line(use, bytes);
  return text + line("together, at the peak", all);
}

void MemoryByUse::add_to(nlohmann::ordered_json& host) const {
  for (const auto& [use, bytes] : uses_) host["memory"][use] = bytes;
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/memory_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/error.h"

namespace psim::net {
namespace {

std::optional<std::uint64_t> number_in(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  if (in >> value) return value;
  return std::nullopt;  // absent, or "max"
}

std::uint64_t left(const std::filesystem::path& limit, const std::filesystem::path& used) {
  const auto most = number_in(limit);
  if (!most) return ~std::uint64_t{0};
  return *most - std::min(*most, number_in(used).value_or(0));
}

/// Returns the memory left by the control groups in /proc/self/cgroup, up to the root: versions 2 and 1.
std::uint64_t left_by_groups() {
  std::uint64_t least = ~std::uint64_t{0};
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) continue;
    const bool two = line.starts_with("0::"), memory = line.find(":memory:") != std::string::npos;
    if (!two && !memory) continue;
    const std::filesystem::path root = two ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (std::filesystem::path group = line.substr(second + 2);; group = group.parent_path()) {
      const std::filesystem::path at = root / group;
      least = std::min(least, two ? left(at / "memory.max", at / "memory.current")
                                  : left(at / "memory.limit_in_bytes", at / "memory.usage_in_bytes"));
      if (group.empty()) break;
    }
  }
  return least;
}

std::string size(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  return bytes < (1 << 20)   ? fmt::format("{:.1f} KiB", value / (1 << 10))
         : bytes < (1 << 30) ? fmt::format("{:.1f} MiB", value / (1 << 20))
                             : fmt::format("{:.1f} GiB", value / (1 << 30));
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = ~std::uint64_t{0};
  std::ifstream in("/proc/meminfo");
  for (std::string key; in >> key;) {
    std::uint64_t kib = 0;
    in >> kib;
    if (key == "MemAvailable:") available = kib * 1024;
    in.ignore(64, '\n');
  }
  return std::min(available, left_by_groups());
}

void check_memory(const std::string& who, const MemoryNeed& need, std::uint64_t available) {
  if (need.bytes() <= available) return;
  throw UserError(
      fmt::format("{}: {} ranks need at least {} ({} each{}), but {} of memory are free; expected fewer "
                  "ranks, smaller static "
                  "arrays or more hosts",
                  who, need.ranks, size(need.bytes()), size(need.bytes_per_rank()),
                  need.nodes != 0 ? ", the rest for the network" : "", size(available)));
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// GNU's OpenMP keeps the team of a parallel region by thread of the host, of which all ranks run on one: a
// rank that waits for a message inside a parallel region takes its team with it, so that others may have
// theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace psim::net {

class OpenMpTeams {
 public:
  /// To be made when the program is loaded.
  OpenMpTeams();

  /// Whether the rank that runs is in a parallel region, whose threads may change what it waits for.
  bool inside() const { return level_ != nullptr && level_() != 0; }
  /// Before a rank runs, and after it ran. On the thread that runs ranks.
  void enter(std::uint32_t rank) {
    if (!waiting_.empty()) put_back(rank);
  }
  void leave(std::uint32_t rank, bool comes_back) {
    if (level_ == nullptr || level_() == 0) return;
    put_aside(rank);
    if (!comes_back) waiting_.erase(rank);
  }

 private:
  void put_back(std::uint32_t rank);
  void put_aside(std::uint32_t rank);

  int (*level_)() = nullptr;  // omp_get_level, if the program has it
  std::byte* here_ = nullptr;
  std::size_t size_ = 0;
  using Team = std::vector<std::byte>;
  std::map<std::uint32_t, Team> waiting_;  // of ranks inside parallel regions
  std::vector<Team> free_;                 // with threads that wait for work
};

}  // namespace psim::net

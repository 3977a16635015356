// SPDX-License-Identifier: Apache-2.0
// GNU OpenMP stores the team of a parallel region per host thread, and all ranks run on one host thread. A
// rank that waits for a message inside a parallel region takes its team with it, so that other ranks can have
// theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace psim::net {

class OpenMpTeams {
 public:
  /// To be constructed when the program is loaded.
  OpenMpTeams();

  /// Returns true if the running rank is in a parallel region, whose threads may change the data that it
  /// waits for.
  bool inside() const { return level_ != nullptr && level_() != 0; }
  /// Called before and after a rank runs, on the thread that runs ranks.
  void enter(std::uint32_t rank) {
    if (!waiting_.empty()) restore_team(rank);
  }
  void leave(std::uint32_t rank, bool resumes) {
    if (level_ == nullptr || level_() == 0) return;
    save_team(rank);
    if (!resumes) waiting_.erase(rank);
  }

 private:
  void restore_team(std::uint32_t rank);
  void save_team(std::uint32_t rank);

  int (*level_)() = nullptr;  // omp_get_level, if the program has it
  std::byte* here_ = nullptr;
  std::size_t size_ = 0;
  using Team = std::vector<std::byte>;
  std::map<std::uint32_t, Team> waiting_;  // of ranks within parallel regions
  std::vector<Team> free_;                 // with threads that wait for work
};

}  // namespace psim::net

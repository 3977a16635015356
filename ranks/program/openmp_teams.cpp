// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/openmp_teams.h"

#include <dlfcn.h>

#include <algorithm>

#include "ranks/program/thread_local_block.h"

namespace psim::net {

OpenMpTeams::OpenMpTeams() {
  constexpr const char* kLibrary = "libgomp.so.1";
  void* library = ::dlopen(kLibrary, RTLD_NOLOAD | RTLD_LAZY);
  if (!library) return;
  const std::span<std::byte> block = thread_local_block(kLibrary);
  if (block.empty()) return;
  level_ = reinterpret_cast<int (*)()>(::dlsym(library, "omp_get_level"));
  here_ = block.data();
  size_ = block.size();
}

void OpenMpTeams::restore_team(std::uint32_t rank) {
  const auto found = waiting_.find(rank);
  if (found == waiting_.end()) return;
  free_.emplace_back(here_, here_ + size_);
  std::ranges::copy(found->second, here_);
  waiting_.erase(found);
}

void OpenMpTeams::save_team(std::uint32_t rank) {
  waiting_[rank] = Team(here_, here_ + size_);
  if (free_.empty()) {
    // The state of a thread that has never used OpenMP.
    std::fill_n(here_, size_, std::byte{0});
    return;
  }
  std::ranges::copy(free_.back(), here_);
  free_.pop_back();
}

}  // namespace psim::net

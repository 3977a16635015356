// SPDX-License-Identifier: Apache-2.0
#include "ranks/openmp_teams.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <utility>

namespace psim::net {

namespace {

std::size_t thread_local_bytes(const link_map& map) {
  struct Search {
    ElfW(Addr) base;
    std::size_t size;
  } search{map.l_addr, 0};
  ::dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (module->dlpi_addr != wanted.base) return 0;
        for (unsigned i = 0; i < module->dlpi_phnum; ++i)
          if (module->dlpi_phdr[i].p_type == PT_TLS) wanted.size = module->dlpi_phdr[i].p_memsz;
        return 1;
      },
      &search);
  return search.size;
}

}  // namespace

OpenMpTeams::OpenMpTeams() {
  void* library = ::dlopen("libgomp.so.1", RTLD_NOLOAD | RTLD_LAZY);
  if (!library) return;
  level_ = reinterpret_cast<int (*)()>(::dlsym(library, "omp_get_level"));
  link_map* map = nullptr;
  std::size_t module = 0;
  if (level_ == nullptr || ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 ||
      ::dlinfo(library, RTLD_DI_TLS_MODID, &module) != 0) {
    level_ = nullptr;
    return;
  }
  struct Index {
    unsigned long module, offset;
  } index{module, 0};
  using Get = void* (*)(Index*);
  here_ = static_cast<std::byte*>(reinterpret_cast<Get>(::dlsym(RTLD_DEFAULT, "__tls_get_addr"))(&index));
  size_ = thread_local_bytes(*map);
}

void OpenMpTeams::put_back(std::uint32_t rank) {
  const auto found = waiting_.find(rank);
  if (found == waiting_.end()) return;
  free_.emplace_back(here_, here_ + size_);
  std::ranges::copy(found->second, here_);
  waiting_.erase(found);
}

void OpenMpTeams::put_aside(std::uint32_t rank) {
  waiting_[rank] = Team(here_, here_ + size_);
  if (free_.empty()) {
    // As a thread has it that never met OpenMP.
    std::fill_n(here_, size_, std::byte{0});
    return;
  }
  std::ranges::copy(free_.back(), here_);
  free_.pop_back();
}

}  // namespace psim::net

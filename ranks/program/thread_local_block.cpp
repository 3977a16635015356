// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/thread_local_block.h"

#include <dlfcn.h>
#include <link.h>

namespace psim::net {

namespace {

std::size_t bytes_of(const link_map& map) {
  struct Search {
    ElfW(Addr) base;
    std::size_t size;
  } search{map.l_addr, 0};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (object->dlpi_addr != wanted.base) return 0;
        for (unsigned i = 0; i < object->dlpi_phnum; ++i)
          if (object->dlpi_phdr[i].p_type == PT_TLS) wanted.size = object->dlpi_phdr[i].p_memsz;
        return 1;
      },
      &search);
  return search.size;
}

}  // namespace

std::span<std::byte> thread_local_block(const char* library) {
  void* const handle = ::dlopen(library, RTLD_NOLOAD | RTLD_LAZY);
  if (handle == nullptr) return {};
  link_map* map = nullptr;
  // dlinfo reports a block only after its first use, which __tls_get_addr makes.
  struct Index {
    unsigned long module = 0, offset = 0;
  } index;
  const bool known =
      ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && ::dlinfo(handle, RTLD_DI_TLS_MODID, &index.module) == 0;
  ::dlclose(handle);
  if (!known || index.module == 0) return {};
  using Get = void* (*)(Index*);
  static const auto get = reinterpret_cast<Get>(::dlsym(RTLD_DEFAULT, "__tls_get_addr"));
  return {static_cast<std::byte*>(get(&index)), bytes_of(*map)};
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/fortran_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <utility>

#include "ranks/program/thread_local_block.h"

namespace psim::net {

FortranLibrary* FortranLibrary::owner_ = nullptr;

struct FortranLibrary::Loaded {
  const link_map* map = nullptr;
  CodeRange whole;
  std::byte *variables = nullptr, *zeros = nullptr, *end = nullptr;  // variables from `zeros` on begin as
                                                                     // zeros
  std::span<const Function> constructors, destructors;
  std::span<std::byte> thread_locals;
  std::span<const std::byte> thread_local_values;

  /// Finds the object that contains `symbol`.
  explicit Loaded(const void* symbol) : whole(CodeRange::around(symbol)) {
    Dl_info info{};
    void* extra = nullptr;
    ::dladdr1(symbol, &info, &extra, RTLD_DL_LINKMAP);
    map = static_cast<const link_map*>(extra);
    take_segments();
    take_dynamic();
  }

 private:
  std::byte* at(ElfW(Addr) address) const { return reinterpret_cast<std::byte*>(map->l_addr + address); }

  void take_segments() {
    ::dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* self) {
          auto& loaded = *static_cast<Loaded*>(self);
          if (object->dlpi_addr != loaded.map->l_addr) return 0;
          for (unsigned i = 0; i < object->dlpi_phnum; ++i) loaded.take_segment(object->dlpi_phdr[i]);
          return 1;
        },
        this);
  }

  void take_segment(const ElfW(Phdr) & segment) {
    std::byte* const begin = at(segment.p_vaddr);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) {
      variables = std::max(variables, begin);
      zeros = begin + segment.p_filesz;
      end = begin + segment.p_memsz;
    } else if (segment.p_type == PT_GNU_RELRO) {
      variables = std::max(variables, begin + segment.p_memsz);  // constant after relocation
    } else if (segment.p_type == PT_TLS) {
      thread_locals = thread_local_block(map->l_name);
      thread_local_values = {begin, segment.p_filesz};
    }
  }

  void take_dynamic() {
    std::uintptr_t calls = 0;
    std::size_t call_bytes = 0, constructor_bytes = 0, destructor_bytes = 0;
    const std::byte *first_constructor = nullptr, *first_destructor = nullptr;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) switch (entry->d_tag) {
        case DT_INIT_ARRAY:
          first_constructor = at(entry->d_un.d_ptr);
          break;
        case DT_INIT_ARRAYSZ:
          constructor_bytes = entry->d_un.d_val;
          break;
        case DT_FINI_ARRAY:
          first_destructor = at(entry->d_un.d_ptr);
          break;
        case DT_FINI_ARRAYSZ:
          destructor_bytes = entry->d_un.d_val;
          break;
        case DT_PLTGOT:
          calls = entry->d_un.d_ptr;  // the loader has made it an address
          break;
        case DT_PLTRELSZ:
          call_bytes = entry->d_un.d_val;
          break;
        default:
          break;
      }
    const auto functions = [](const std::byte* first, std::size_t bytes) {
      return std::span(reinterpret_cast<const Function*>(first), bytes / sizeof(Function));
    };
    constructors = functions(first_constructor, constructor_bytes);
    destructors = functions(first_destructor, destructor_bytes);
    // The table of functions of other libraries, which the loader fills at their first calls, is the same for
    // all ranks: three entries of its own, and one for each relocation.
    if (calls < map->l_addr) calls += map->l_addr;
    auto* const after =
        reinterpret_cast<std::byte*>(calls) + (3 + call_bytes / sizeof(ElfW(Rela))) * sizeof(void*);
    if (after > variables && after <= end) variables = after;
  }
};

std::unique_ptr<FortranLibrary> FortranLibrary::of(const Image& image, std::uint32_t ranks) {
  const void* const symbol = image.symbol("_gfortran_set_args");  // every Fortran main program calls it
  if (symbol == nullptr || image.contains(symbol)) return nullptr;
  if (owner_ != nullptr) owner_->leave();
  return std::unique_ptr<FortranLibrary>(new FortranLibrary(Loaded(symbol), ranks));
}

FortranLibrary::FortranLibrary(const Loaded& loaded, std::uint32_t ranks)
    : whole_(loaded.whole),
      constructors_(loaded.constructors.begin(), loaded.constructors.end()),
      destructors_(loaded.destructors),
      thread_locals_(loaded.thread_locals),
      thread_local_values_(loaded.thread_local_values),
      zeros_(loaded.zeros, loaded.end),
      host_(loaded.zeros, loaded.end),
      initial_(zeros_.size()) {
  variables_.emplace(loaded.variables, static_cast<std::size_t>(loaded.end - loaded.variables), ranks, false);
  if (!thread_locals_.empty()) locals_.emplace(thread_locals_.data(), thread_locals_.size(), ranks, false);
}

FortranLibrary::~FortranLibrary() {
  leave();
  if (owner_ == this) owner_ = nullptr;
}

void FortranLibrary::exchange(std::uint32_t rank) {
  if (owner_ != this) {
    if (owner_ != nullptr) owner_->leave();
    owner_ = this;
  }
  variables_->exchange(current_, rank);
  if (locals_) locals_->exchange(current_, rank);
  current_ = rank;
}

// Keeps the host's values of most variables, which the host's constructors have set, so that few lines differ
// between ranks. No constructor changes a variable whose initial value is not zero.
void FortranLibrary::construct(int argc, char** argv, char** environment) {
  std::ranges::copy(initial_, zeros_.begin());
  std::erase_if(constructors_, [&](Function function) {
    if (tried_) {
      function(argc, argv, environment);
      return false;
    }
    const std::vector<std::byte> before(zeros_.begin(), zeros_.end());
    function(argc, argv, environment);
    // A constructor that repeats its work for the host makes nothing private to a rank: it queries the
    // processor, which takes 50 us in a virtual machine. Its values are kept.
    std::vector<std::byte> after = initial_;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (zeros_[i] == before[i]) continue;
      if (zeros_[i] != host_[i]) return false;
      after[i] = zeros_[i];
    }
    initial_ = std::move(after);
    return true;
  });
  tried_ = true;
}

void FortranLibrary::destruct() const {
  for (std::size_t i = destructors_.size(); i-- > 0;) destructors_[i](0, nullptr, nullptr);
}

}  // namespace psim::net

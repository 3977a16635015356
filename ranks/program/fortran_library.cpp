// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/fortran_library.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "ranks/program/thread_local_block.h"

namespace psim::net {

FortranLibrary *FortranLibrary::running_ = nullptr, *FortranLibrary::owner_ = nullptr;

struct FortranLibrary::Loaded {
  const link_map* map = nullptr;
  CodeRange whole;
  std::byte *variables = nullptr, *zeros = nullptr, *end = nullptr;  // variables from `zeros` on begin as
                                                                     // zeros
  std::span<const Function> constructors, destructors;
  std::span<std::byte> thread_locals;
  std::span<const std::byte> thread_local_values;

  explicit Loaded(const link_map& library) : map(&library), whole(CodeRange::around(library.l_ld)) {
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
  const FortranCalls::Library* const calls = FortranCalls::library_of(image.symbol("_gfortran_st_write"));
  if (calls == nullptr) return nullptr;
  if (owner_ != nullptr) owner_->put_in_place(SavedRange::kNone);
  return std::unique_ptr<FortranLibrary>(new FortranLibrary(Loaded(*calls->map), *calls, ranks));
}

FortranLibrary::FortranLibrary(const Loaded& loaded, const FortranCalls::Library& calls, std::uint32_t ranks)
    : calls_(&calls),
      whole_(loaded.whole),
      constructors_(loaded.constructors.begin(), loaded.constructors.end()),
      destructors_(loaded.destructors),
      thread_locals_(loaded.thread_locals),
      thread_local_values_(loaded.thread_local_values),
      zeros_(loaded.zeros, loaded.end),
      host_(loaded.zeros, loaded.end),
      initial_(zeros_.size()),
      ranks_(ranks) {
  variables_.emplace(loaded.variables, static_cast<std::size_t>(loaded.end - loaded.variables), ranks, false);
  if (!thread_locals_.empty()) locals_.emplace(thread_locals_.data(), thread_locals_.size(), ranks, false);
}

FortranLibrary::~FortranLibrary() {
  if (running_ == this) leave();
  if (owner_ == this) put_in_place(SavedRange::kNone);
}

void FortranLibrary::put_in_place(std::uint32_t rank) {
  if (owner_ != this && owner_ != nullptr) owner_->put_in_place(SavedRange::kNone);
  owner_ = rank == SavedRange::kNone ? nullptr : this;
  FortranCalls::state().owner = rank == SavedRange::kNone ? nullptr : &ranks_[rank];
  if (current_ == rank) return;
  variables_->exchange(current_, rank);
  if (locals_) locals_->exchange(current_, rank);
  current_ = rank;
}

void FortranLibrary::change(Rank& next) {
  FortranCalls::State& state = FortranCalls::state();
  if (running_ != nullptr) {
    Rank& last = running_->running();
    last.place = state.place, last.return_address = state.return_address;
    last.inside = state.owner == &last && FortranCalls::may_be_inside();
  }
  running_ = this;
  state.running = &next;
  state.place = next.place, state.return_address = next.return_address;
  if ((next.inside || next.kept) && state.owner != &next) put_in_place(index_of(next));
}

void FortranLibrary::leave() {
  running_ = nullptr;
  FortranCalls::State& state = FortranCalls::state();
  state.running = nullptr, state.place = nullptr;
}

void FortranLibrary::acquire() {
  if (running_ != nullptr)
    running_->acquire(running_->running());
  else if (owner_ != nullptr)
    owner_->put_in_place(SavedRange::kNone);
}

void FortranLibrary::acquire(Rank& rank) {
  put_in_place(index_of(rank));
  if (rank.started) return;
  rank.started = true;
  construct(rank.argc, rank.argv);
  if (rank.argv != nullptr) calls_->set_arguments(rank.argc, rank.argv);
  if (rank.options != nullptr) calls_->set_options(rank.options_count, rank.options);
}

void FortranLibrary::keep_running() {
  if (running_ == nullptr) return;
  Rank& rank = running_->running();
  rank.kept = true;
  if (FortranCalls::state().owner != &rank) running_->acquire(rank);
}

void FortranLibrary::set_arguments(int argc, char** argv) {
  if (running_ == nullptr) return;
  Rank& rank = running_->running();
  rank.argc = argc, rank.argv = argv;
  if (!rank.started) return;
  acquire();
  running_->calls_->set_arguments(argc, argv);
}

void FortranLibrary::set_options(int count, int* options) {
  if (running_ == nullptr) return;
  Rank& rank = running_->running();
  rank.options_count = count, rank.options = options;
  if (!rank.started) return;
  acquire();
  running_->calls_->set_options(count, options);
}

// Keeps the host's values of most variables, which the host's constructors have set, so that few lines differ
// between ranks. No constructor changes a variable whose initial value is not zero.
void FortranLibrary::construct(int argc, char** argv) {
  std::ranges::copy(initial_, zeros_.begin());
  std::erase_if(constructors_, [&](Function function) {
    if (tried_) {
      function(argc, argv, environ);
      return false;
    }
    const std::vector<std::byte> before(zeros_.begin(), zeros_.end());
    function(argc, argv, environ);
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

void FortranLibrary::destruct() {
  Rank& rank = running();
  if (!rank.started) return;
  put_in_place(index_of(rank));
  for (std::size_t i = destructors_.size(); i-- > 0;) destructors_[i](0, nullptr, nullptr);
}

}  // namespace psim::net

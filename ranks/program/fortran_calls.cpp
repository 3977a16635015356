// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/fortran_calls.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ranks/program/fortran_library.h"

extern "C" {
psim::net::FortranCalls::State psim_fortran_state;
void psim_fortran_entry();
void psim_fortran_entry_of_caller();
void psim_fortran_acquire() { psim::net::FortranLibrary::acquire(); }
void psim_fortran_calls_back() { psim::net::FortranLibrary::keep_running(); }
}

// %r11 is the function. The registers of arguments are kept.
asm(R"(
.macro PSIM_FORTRAN_CALL function
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register 6
  push %rax
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %r11
  sub $128, %rsp
  and $-16, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  call \function
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  lea -64(%rbp), %rsp
  pop %r11
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  pop %rax
  pop %rbp
  .cfi_def_cfa 7, 8
.endm

.text
.type psim_fortran_entry, @function
.globl psim_fortran_entry
psim_fortran_entry:
  .cfi_startproc
  mov %rsp, psim_fortran_state(%rip)
  mov (%rsp), %r10
  mov %r10, 8+psim_fortran_state(%rip)
  mov 16+psim_fortran_state(%rip), %r10
  cmp %r10, 24+psim_fortran_state(%rip)
  jne 1f
  jmp *%r11
1:
  PSIM_FORTRAN_CALL psim_fortran_acquire
  jmp *%r11
  .cfi_endproc
.size psim_fortran_entry, .-psim_fortran_entry

.type psim_fortran_entry_of_caller, @function
.globl psim_fortran_entry_of_caller
psim_fortran_entry_of_caller:
  .cfi_startproc
  PSIM_FORTRAN_CALL psim_fortran_calls_back
  jmp psim_fortran_entry
  .cfi_endproc
.size psim_fortran_entry_of_caller, .-psim_fortran_entry_of_caller
)");

namespace psim::net {

namespace {

static_assert(offsetof(FortranCalls::State, return_address) == 8);
static_assert(offsetof(FortranCalls::State, running) == 16 && offsetof(FortranCalls::State, owner) == 24);

// They call procedures of the program that read and write derived types.
constexpr std::array<std::string_view, 2> kCallers{"_gfortran_transfer_derived",
                                                   "_gfortran_transfer_derived_write"};

std::deque<FortranCalls::Library>& libraries() {
  static std::deque<FortranCalls::Library> all;
  return all;
}

/// The table of symbols of a loaded object.
struct Symbols {
  ElfW(Sym) * first = nullptr;
  const char* names = nullptr;
  std::size_t count = 0;

  explicit Symbols(const link_map& map) {
    const std::uint32_t* hash = nullptr;
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
      // The loader has made addresses of the values.
      if (entry->d_tag == DT_SYMTAB) first = reinterpret_cast<ElfW(Sym)*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_GNU_HASH) hash = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr);
    }
    if (hash != nullptr) count = count_of(hash);
  }

 private:
  /// Returns the number of symbols from the hash table, which has a list for each bucket; the last entry of a
  /// list is odd.
  static std::size_t count_of(const std::uint32_t* hash) {
    const std::uint32_t buckets = hash[0], begin = hash[1], words = hash[2];
    const std::uint32_t* const bucket = hash + 4 + words * 2;
    const std::uint32_t* const chain = bucket + buckets;
    std::uint32_t last = *std::max_element(bucket, bucket + buckets);
    if (last < begin) return begin;
    while ((chain[last - begin] & 1) == 0) ++last;
    return last + 1;
  }
};

/// Makes the pages of a table of symbols writable while it lives.
class Writable {
 public:
  Writable(const Symbols& symbols, const link_map& map)
      : begin_(reinterpret_cast<std::uintptr_t>(symbols.first) / kPage * kPage),
        bytes_(reinterpret_cast<std::uintptr_t>(symbols.first + symbols.count) - begin_) {
    const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(CodeRange::around(map.l_ld).begin);
    const auto* const segment =
        reinterpret_cast<const ElfW(Phdr)*>(reinterpret_cast<const std::byte*>(header) + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; ++i)
      if (segment[i].p_type == PT_LOAD &&
          reinterpret_cast<std::uintptr_t>(symbols.first) - (map.l_addr + segment[i].p_vaddr) <
              segment[i].p_memsz)
        if ((segment[i].p_flags & PF_X) != 0) access_ |= PROT_EXEC;
    if (::mprotect(reinterpret_cast<void*>(begin_), bytes_, access_ | PROT_WRITE) != 0)
      throw UserError(std::string(map.l_name) +
                      ": its symbols cannot be changed in memory: " + std::strerror(errno));
  }
  ~Writable() { ::mprotect(reinterpret_cast<void*>(begin_), bytes_, access_); }
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;

 private:
  static constexpr std::uintptr_t kPage = 4'096;
  std::uintptr_t begin_;
  std::size_t bytes_;
  int access_ = PROT_READ;
};

/// Instructions in front of functions: 32 bytes for each.
class Entries {
 public:
  static constexpr std::size_t kBytes = 32;
  explicit Entries(std::size_t most) : size_(most * kBytes) {
    void* const at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
      throw UserError("no memory for calls into gfortran's library: " + std::string(std::strerror(errno)));
    next_ = begin_ = static_cast<std::byte*>(at);
  }

  /// Returns the instructions that go to `common` with the address of `function` in %r11.
  const std::byte* add(const void* function, void (*common)()) {
    std::byte* const entry = next_;
    put({0x49, 0xbb}, reinterpret_cast<std::uintptr_t>(function));                 // mov $function, %r11
    put({0x49, 0xba}, reinterpret_cast<std::uintptr_t>(common));                   // mov $common, %r10
    for (const unsigned byte : {0x41u, 0xffu, 0xe2u}) *next_++ = std::byte(byte);  // jmp *%r10
    next_ = entry + kBytes;
    return entry;
  }
  CodeRange finish() const {
    if (::mprotect(begin_, size_, PROT_READ | PROT_EXEC) != 0)
      throw UserError("calls into gfortran's library cannot be redirected: " +
                      std::string(std::strerror(errno)));
    const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
    return {begin, begin + size_};
  }

 private:
  void put(std::array<unsigned, 2> code, std::uintptr_t value) {
    for (const unsigned byte : code) *next_++ = std::byte(byte);
    std::memcpy(next_, &value, sizeof value);
    next_ += sizeof value;
  }
  std::size_t size_;
  std::byte *begin_, *next_;
};

}  // namespace

FortranCalls::State& FortranCalls::state() { return psim_fortran_state; }

// The stack of a rank, which a sanitizer may have marked.
__attribute__((no_sanitize("address"))) bool FortranCalls::may_be_inside() {
  return psim_fortran_state.place != nullptr &&
         *psim_fortran_state.place == psim_fortran_state.return_address;
}

namespace {

/// A walk over frames from that of a function that suspends its rank.
struct Walk {
  const CodeRange& library;
  std::uintptr_t place;  ///< end of the walk
  bool ended = false, inside = false;

  static _Unwind_Reason_Code step(_Unwind_Context* frame, void* self) {
    auto& walk = *static_cast<Walk*>(self);
    walk.inside = walk.library.contains(reinterpret_cast<const void*>(_Unwind_GetIP(frame)));
    walk.ended = _Unwind_GetCFA(frame) > walk.place;
    return walk.inside || walk.ended ? _URC_END_OF_STACK : _URC_NO_REASON;
  }
};

/// Returns whether a word of [at, end) is an address in the library.
__attribute__((no_sanitize("address"))) bool names(const void* const* at, const void* const* end,
                                                   const CodeRange& library) {
  while (at < end && !library.contains(*at)) ++at;
  return at < end;
}

}  // namespace

// The place of a return address can keep its value after the return. If no word of the stack beyond it is an
// address in the library, no function of the library is suspended; otherwise the frames decide.
void FortranCalls::forget_if_returned(const std::byte* top, const CodeRange& whole) {
  const void* const* const place = psim_fortran_state.place;
  const auto* const here = static_cast<const void* const*>(__builtin_frame_address(0));
  if (here >= place || reinterpret_cast<const std::byte*>(place) >= top) return;
  if (names(here, place, whole)) {
    Walk walk{whole, reinterpret_cast<std::uintptr_t>(place)};
    _Unwind_Backtrace(&Walk::step, &walk);
    if (walk.inside || !walk.ended) return;
  }
  forget();
}

bool FortranCalls::redirect(const void* function) {
  if (library_of(function) != nullptr) return false;
  Dl_info info{};
  void* extra = nullptr;
  if (::dladdr1(function, &info, &extra, RTLD_DL_LINKMAP) == 0) return false;
  Library library;
  library.map = static_cast<const link_map*>(extra);
  if (std::ranges::any_of(libraries(), [&](const Library& l) { return l.map == library.map; })) return false;
  ::dlopen(library.map->l_name, RTLD_NOW | RTLD_NOLOAD);  // stays loaded, with its own calls resolved
  const Symbols symbols(*library.map);
  Entries entries(symbols.count);
  const Writable table(symbols, *library.map);
  for (std::size_t i = 0; i < symbols.count; ++i) {
    ElfW(Sym)& symbol = symbols.first[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view name = symbols.names + symbol.st_name;
    const auto* const at = reinterpret_cast<const void*>(library.map->l_addr + symbol.st_value);
    const void* to = nullptr;
    if (name == "_gfortran_set_args") {
      library.set_arguments = reinterpret_cast<SetArguments>(const_cast<void*>(at));
      to = reinterpret_cast<const void*>(&FortranLibrary::set_arguments);
    } else if (name == "_gfortran_set_options") {
      library.set_options = reinterpret_cast<SetOptions>(const_cast<void*>(at));
      to = reinterpret_cast<const void*>(&FortranLibrary::set_options);
    } else {
      const bool caller = std::ranges::find(kCallers, name) != kCallers.end();
      to = entries.add(at, caller ? psim_fortran_entry_of_caller : psim_fortran_entry);
    }
    symbol.st_value = reinterpret_cast<std::uintptr_t>(to) - library.map->l_addr;
  }
  library.entries = entries.finish();
  libraries().push_back(library);
  return true;
}

const FortranCalls::Library* FortranCalls::library_of(const void* function) {
  for (const Library& library : libraries())
    if (library.entries.contains(function)) return &library;
  return nullptr;
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// Guest memory accesses of handlers: the checks of GuestMemory::load and store, on the two bases that
// handlers carry in registers, and the handling of failed checks.
#pragma once

#include <cstring>

#include "isa/memory/guest_memory.h"
#include "isa/state/context.h"

namespace psim::isa {

/// Returns the effective address: r[rs1] + r[rs2] or r[rs1] + simm13.
template <bool I>
inline std::uint64_t effective(const Context* c, const Action* a) {
  return get(c, a->rs1) + (I ? static_cast<std::uint64_t>(a->imm) : get(c, a->rs2));
}

template <class T>
inline bool readable(const std::uint8_t* pages, std::uint64_t address) {
  return aligned_in_range<T>(address) && (pages[address >> GuestMemory::kPageBits] & kRead) != 0;
}
/// Returns true if the page is writable and has no decoded code.
template <class T>
inline bool plainly_writable(const std::uint8_t* pages, std::uint64_t address) {
  return aligned_in_range<T>(address) &&
         (pages[address >> GuestMemory::kPageBits] & (kWrite | kCode)) == kWrite;
}
template <class T>
inline T load_raw(const std::byte* host, std::uint64_t address) {
  T raw;
  std::memcpy(&raw, host + address, sizeof raw);
  return big_endian(raw);
}
template <class T>
inline void store_raw(std::byte* host, std::uint64_t address, T value) {
  const T raw = big_endian(value);
  std::memcpy(host + address, &raw, sizeof raw);
}

/// Raises the fault of a refused access.
[[gnu::noinline, gnu::cold]] const Action* bad_access(Context* c, const Action* a, std::uint64_t address,
                                                      unsigned alignment, std::uint8_t need);

/// Decides about a store to [address, +bytes) that the quick checks refused. Returns null if the block has
/// been left: it is a fault, or the store may change decoded code and must run alone. Otherwise the store is
/// allowed.
/// `same`: memory holds the value already.
[[gnu::noinline, gnu::cold]] bool may_store_slowly(Context* c, const Action* a, std::uint64_t address,
                                                   unsigned bytes, unsigned alignment);

/// Does the slow half of a store of one T, as a handler's last step; returns the next action, or null.
template <class T>
[[gnu::noinline, gnu::cold]] const Action* store_slowly(Context* c, const Action* a, std::uint64_t address,
                                                        T value) {
  if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return nullptr;
  c->memory->store<T>(address, value);
  return a + 1;
}

}  // namespace psim::isa

/// Ends a store handler by way of its slow half.
#define PSIM_STORE(T, address, value)                                                            \
  do {                                                                                           \
    if (::psim::isa::plainly_writable<T>(pages, address)) [[likely]] {                           \
      ::psim::isa::store_raw<T>(host, address, value);                                           \
      PSIM_NEXT;                                                                                 \
    }                                                                                            \
    const ::psim::isa::Action* const after = ::psim::isa::store_slowly<T>(c, a, address, value); \
    if (after == nullptr) return nullptr;                                                        \
    PSIM_GO(after);                                                                              \
  } while (false)

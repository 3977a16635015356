// SPDX-License-Identifier: Apache-2.0
// The guest's address space: 1 TiB of reserved host addresses, committed as the guest maps and touches it.
// Every access is checked against a permission byte per 8 KiB page, so no guest address reaches beyond it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace psim::isa {

/// Big-endian guest value from host bytes and back; T is an unsigned integer of 1, 2, 4 or 8 bytes.
template <class T>
constexpr T big_endian(T value) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  return value;
}

inline constexpr unsigned kGuestAddressBits = 40;

/// True if a T-sized access at `address` is aligned and below the guest's limit. Rotating the alignment bits
/// to the top makes one comparison check both.
template <class T>
constexpr bool aligned_in_range(std::uint64_t address) {
  constexpr int shift = std::countr_zero(sizeof(T));
  return std::rotr(address, shift) < (std::uint64_t{1} << kGuestAddressBits >> shift);
}

/// Page permission bits.
enum Permission : std::uint8_t {
  kNone = 0,
  kRead = 1,
  kWrite = 2,
  kExecute = 4,
  kMapped = 8,  ///< mapped, perhaps with no access (PROT_NONE)
  kCode = 16,   ///< decoded code was made from this page: a store must invalidate it first
};

class GuestMemory {
 public:
  static constexpr unsigned kPageBits = 13;
  static constexpr std::uint64_t kPageBytes = 1u << kPageBits;
  static constexpr unsigned kAddressBits = kGuestAddressBits;
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << kAddressBits;

  /// Who must forget decoded code when its bytes change.
  class CodeObserver {
   public:
    virtual ~CodeObserver() = default;
    /// Bytes of pages marked kCode change now, or their permissions do. The observer may unmark_code() pages.
    virtual void code_changed(std::uint64_t address, std::uint64_t bytes) = 0;
  };

  GuestMemory();
  ~GuestMemory();
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;

  /// Maps zeroed pages (replacing what was there). `address` and `bytes` are multiples of the page size
  /// within the limit. False if the host refuses.
  bool map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission);
  void unmap(std::uint64_t address, std::uint64_t bytes);
  /// False if a page of the range is not mapped (nothing is changed then).
  bool protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission);
  /// Lowest gap of `bytes` (page multiple) at or above `hint`, below `limit`; 0 if none.
  std::uint64_t find_gap(std::uint64_t hint, std::uint64_t bytes, std::uint64_t limit) const;
  /// Permission bits of the page of `address`; kNone beyond the limit.
  std::uint8_t permission(std::uint64_t address) const {
    return address < kLimit ? pages_[address >> kPageBits] : std::uint8_t{kNone};
  }
  /// Runs [begin, end) of pages that can be executed, ascending.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> executable_ranges() const;
  /// Changes whenever those may have changed.
  std::uint64_t executable_generation() const { return executable_generation_; }

  /// One aligned access. False, and nothing done, if the address is misaligned, unmapped or forbidden.
  template <class T>
  bool load(std::uint64_t address, T& value) const {
    if (!may<T>(address, kRead, kRead)) [[unlikely]]
      return false;
    T raw;
    std::memcpy(&raw, host_ + address, sizeof raw);
    value = big_endian(raw);
    return true;
  }
  template <class T>
  bool store(std::uint64_t address, T value) {
    if (!may<T>(address, kWrite | kCode, kWrite)) [[unlikely]] {
      if (!may<T>(address, kWrite, kWrite)) return false;
      if (T old; std::memcpy(&old, host_ + address, sizeof old), old == big_endian(value))
        return true;  // a trampoline written again: its decoded code is still right
      code_changes(address, sizeof(T));
    }
    const T raw = big_endian(value);
    std::memcpy(host_ + address, &raw, sizeof raw);
    return true;
  }

  /// Bulk copies for the loader and system calls: number of bytes done before the first forbidden page.
  std::size_t copy_in(std::uint64_t address, std::span<const std::byte> from, std::uint8_t need = kWrite);
  std::size_t copy_out(std::uint64_t address, std::span<std::byte> to, std::uint8_t need = kRead) const;
  /// Length of the prefix of [address, address + bytes) whose pages all allow `need`.
  std::size_t accessible(std::uint64_t address, std::size_t bytes, std::uint8_t need) const;
  /// Host bytes of a range that accessible() has just granted; for stores, decoded code is invalidated first.
  std::span<std::byte> host(std::uint64_t address, std::size_t bytes, bool for_writing);
  /// NUL-terminated string; false if it leaves readable memory or exceeds `limit` bytes.
  bool read_string(std::uint64_t address, std::string& out, std::size_t limit = 1 << 20) const;

  /// Marks the page as holding decoded code; forgets the mark.
  void mark_code(std::uint64_t address) { pages_[address >> kPageBits] |= kCode; }
  void unmark_code(std::uint64_t address) {
    pages_[address >> kPageBits] &= static_cast<std::uint8_t>(~kCode);
  }
  void set_code_observer(CodeObserver* observer) { observer_ = observer; }

  // For the executor, which carries both in registers and repeats load() and store() inline.
  std::byte* host_base() const { return host_; }
  const std::uint8_t* page_table() const { return pages_; }

 private:
  template <class T>
  bool may(std::uint64_t address, std::uint8_t mask, std::uint8_t want) const {
    return aligned_in_range<T>(address) && (pages_[address >> kPageBits] & mask) == want;
  }
  void code_changes(std::uint64_t address, std::uint64_t bytes);
  bool forget_range(std::uint64_t address, std::uint64_t bytes);  // false: not whole pages within the limit
  void erase_region(std::uint64_t begin, std::uint64_t end);

  std::byte* host_ = nullptr;      // reservation of kLimit bytes
  std::uint8_t* pages_ = nullptr;  // permission byte of each page, committed lazily
  CodeObserver* observer_ = nullptr;
  std::uint64_t executable_generation_ = 0;
  std::map<std::uint64_t, std::uint64_t> regions_;  // mapped: first byte to end, disjoint
};

}  // namespace psim::isa

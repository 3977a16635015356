// SPDX-License-Identifier: Apache-2.0
// The guest's address space: 1 TiB of reserved host addresses, committed as the guest maps and touches it.
// Every access is checked against a permission byte per 8 KiB page, so no guest address reaches beyond it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace psim::isa {

/// Big-endian guest value from host bytes and back; T is an unsigned integer of 1, 2, 4 or 8 bytes.
template <class T>
constexpr T big_endian(T value) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  return value;
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
  static constexpr unsigned kAddressBits = 40;
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << kAddressBits;

  /// Who must forget decoded code when a page changes.
  class CodeObserver {
   public:
    virtual ~CodeObserver() = default;
    virtual void code_page_changed(std::uint64_t page_address) = 0;
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
  std::uint8_t permission(std::uint64_t address) const;

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

  /// Marks the page as holding decoded code / forgets the mark.
  void mark_code(std::uint64_t address);
  void set_code_observer(CodeObserver* observer) { observer_ = observer; }

 private:
  /// Rotating the alignment bits to the top makes one comparison check both range and alignment.
  template <class T>
  bool may(std::uint64_t address, std::uint8_t mask, std::uint8_t want) const {
    constexpr int shift = std::countr_zero(sizeof(T));
    return std::rotr(address, shift) < (kLimit >> shift) && (pages_[address >> kPageBits] & mask) == want;
  }
  void code_changes(std::uint64_t address, std::size_t bytes);

  std::byte* host_ = nullptr;      // reservation of kLimit bytes
  std::uint8_t* pages_ = nullptr;  // permission byte of each page, committed lazily
  CodeObserver* observer_ = nullptr;
};

}  // namespace psim::isa

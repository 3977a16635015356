// SPDX-License-Identifier: Apache-2.0
// The guest's address space: 1 TiB of host addresses, committed as the guest maps and touches it. Every
// access is checked against a permission byte per 8 KiB page, so no guest address reaches beyond it.
//
// Normally all of it is one readable and writable mapping of the host, so that guest mappings cost the host
// nothing. If the host refuses that (strict overcommit), only addresses are reserved. If it refuses even
// those (ulimit -v, valgrind), pages are mapped one by one in an otherwise unused range. Guest addresses are
// the same in all cases.
#pragma once

#include <atomic>
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

/// Converts a big-endian guest value from host bytes and back; T is an unsigned integer of 1, 2, 4 or 8
/// bytes.
template <class T>
constexpr T big_endian(T value) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  return value;
}

inline constexpr unsigned kGuestAddressBits = 40;

/// Returns true if a T-sized access at `address` is aligned and below the guest's limit. Rotating the
/// alignment bits to the top makes one comparison check both.
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
  /// kRead, kWrite and kExecute of a page beyond the end of its file: an access that they allow is a bus
  /// error.
  kHiddenRead = 32,
  kHiddenWrite = 64,
  kHiddenExecute = 128,
};

class GuestMemory {
 public:
  static constexpr unsigned kPageBits = 13;
  static constexpr std::uint64_t kPageBytes = 1u << kPageBits;
  static constexpr unsigned kAddressBits = kGuestAddressBits;
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << kAddressBits;

  /// An observer that must drop decoded code when its bytes change.
  class CodeObserver {
   public:
    virtual ~CodeObserver() = default;
    /// Called when bytes of pages marked kCode, or their permissions, change. The observer may unmark_code()
    /// pages.
    virtual void code_changed(std::uint64_t address, std::uint64_t bytes) = 0;
    /// Called in a signal handler when a page has lost its host memory (take_lost_page()).
    virtual void page_lost() {}
  };

  GuestMemory();
  ~GuestMemory();
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;

  /// Maps zeroed pages, replacing earlier mappings. `address` and `bytes` are multiples of the page size
  /// within the limit. Returns false if the host refuses.
  bool map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission);
  void unmap(std::uint64_t address, std::uint64_t bytes);
  /// Changes permissions. Returns false, with nothing changed, if a page of the range is not mapped.
  bool protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission);
  /// Returns the lowest gap of `bytes` (page multiple) at or above `hint`, below `limit`; 0 if none.
  std::uint64_t find_gap(std::uint64_t hint, std::uint64_t bytes, std::uint64_t limit) const;
  /// Maps a file into pages that map() has made. `shared`: writes go to the file, which must then be
  /// `writable` for stores. `fd` -1: fresh memory that forked processes share. Returns 0 or a host errno.
  int map_file(std::uint64_t address, std::uint64_t bytes, int fd, std::uint64_t offset, bool shared,
               bool writable);
  /// Replaces part of a file's pages by zeros, in multiples of the host's page size.
  void cover_file(std::uint64_t address, std::uint64_t bytes);
  /// Moves mapped pages with their contents. The pages replace those at `to`, and zeros stay behind.
  /// Permissions stay unchanged on both sides. Returns 0 or a host errno.
  int move(std::uint64_t from, std::uint64_t bytes, std::uint64_t to);
  /// Resets private pages to their contents when mapped: zeros, or the file's.
  void renew(std::uint64_t address, std::uint64_t bytes);

  /// Revokes the permissions of pages beyond the end of a file but remembers them, and restores them.
  void hide(std::uint64_t address, std::uint64_t bytes);
  void show(std::uint64_t address, std::uint64_t bytes);
  /// Returns true if an access that `need` allows fails only because the page is hidden.
  bool hidden(std::uint64_t address, std::uint8_t need) const {
    return (permission(address) >> kHiddenShift & need) != 0;
  }

  /// For the handler of the host's SIGBUS: returns true if `host` lies in the pages of a file of some guest.
  /// The page, which another process has cut off or whose disk is full, becomes hidden zeros; the access then
  /// continues.
  static bool lose_page(const void* host);
  /// Returns the guest address of a lost page since the last call, or 0.
  std::uint64_t take_lost_page();

  /// Returns the permission bits of the page of `address`; kNone beyond the limit.
  std::uint8_t permission(std::uint64_t address) const {
    return address < kLimit ? pages_[address >> kPageBits] : std::uint8_t{kNone};
  }
  /// Returns the runs [begin, end) of executable pages, ascending.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> executable_ranges() const;
  /// Returns a number that changes whenever those runs may have changed.
  std::uint64_t executable_generation() const { return executable_generation_; }

  /// Makes one aligned access. Returns false, without effect, if the address is misaligned, unmapped or
  /// forbidden.
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
        return true;  // a trampoline rewritten with the same bytes: its decoded code is still valid
      code_changes(address, sizeof(T));
    }
    const T raw = big_endian(value);
    std::memcpy(host_ + address, &raw, sizeof raw);
    return true;
  }

  /// Make one aligned load and store that no other process with the same memory can separate. `old` receives
  /// the value before. Return false, without effect, where load() or store() does, and for decoded code.
  template <class T>
  bool exchange(std::uint64_t address, T replacement, T& old) {
    if (!may<T>(address, kRead | kWrite | kCode, kRead | kWrite)) [[unlikely]]
      return false;
    old = big_endian(shared<T>(address).exchange(big_endian(replacement)));
    return true;
  }
  template <class T>
  bool compare_exchange(std::uint64_t address, T expected, T replacement, T& old) {
    if (!may<T>(address, kRead | kWrite | kCode, kRead | kWrite)) [[unlikely]]
      return false;
    old = big_endian(expected);
    shared<T>(address).compare_exchange_strong(old, big_endian(replacement));
    old = big_endian(old);
    return true;
  }

  /// Copy in bulk for the loader and system calls; return the number of bytes before the first forbidden
  /// page.
  std::size_t copy_in(std::uint64_t address, std::span<const std::byte> from, std::uint8_t need = kWrite);
  std::size_t copy_out(std::uint64_t address, std::span<std::byte> to, std::uint8_t need = kRead) const;
  /// Returns the length of the prefix of [address, address + bytes) whose pages all allow `need`.
  std::size_t accessible(std::uint64_t address, std::size_t bytes, std::uint8_t need) const;
  /// Returns the host bytes of a range that accessible() has just granted; for stores, decoded code is
  /// invalidated first.
  std::span<std::byte> host(std::uint64_t address, std::size_t bytes, bool for_writing);
  /// Reads a NUL-terminated string; returns false if it leaves readable memory or exceeds `limit` bytes.
  bool read_string(std::uint64_t address, std::string& out, std::size_t limit = 1 << 20) const;

  /// Mark the page as holding decoded code, and remove the mark.
  void mark_code(std::uint64_t address) { pages_[address >> kPageBits] |= kCode; }
  void unmark_code(std::uint64_t address) {
    pages_[address >> kPageBits] &= static_cast<std::uint8_t>(~kCode);
  }
  void set_code_observer(CodeObserver* observer) { observer_ = observer; }

  // For the executor, which carries both bases in registers and inlines load() and store().
  std::byte* host_base() const { return host_; }
  const std::uint8_t* page_table() const { return pages_; }

 private:
  template <class T>
  bool may(std::uint64_t address, std::uint8_t mask, std::uint8_t expected) const {
    return aligned_in_range<T>(address) && (pages_[address >> kPageBits] & mask) == expected;
  }
  template <class T>
  std::atomic_ref<T> shared(std::uint64_t address) {
    return std::atomic_ref<T>(*reinterpret_cast<T*>(host_ + address));
  }
  static constexpr unsigned kHiddenShift = 5;
  enum class Hold : std::uint8_t {
    OneMapping,  ///< one mapping, always readable and writable
    Reserved,    ///< addresses only: pages are mapped and unmapped over them
    Loose,       ///< no reservation: pages are mapped at free addresses
  };
  bool hold();
  bool commit(std::uint64_t address, std::uint64_t bytes);
  void release(std::uint64_t address, std::uint64_t bytes);
  bool anonymous(std::uint64_t address, std::uint64_t bytes);
  bool overlaps(std::uint64_t address, std::uint64_t bytes) const;
  std::size_t host_mappings() const;
  void code_changes(std::uint64_t address, std::uint64_t bytes);
  bool forget_range(std::uint64_t address, std::uint64_t bytes);  // false: not whole pages within the limit

  std::byte* host_ = nullptr;  // of guest address 0
  Hold hold_ = Hold::OneMapping;
  std::uint8_t* pages_ = nullptr;  // permission byte of each page, committed lazily
  CodeObserver* observer_ = nullptr;
  std::uint64_t executable_generation_ = 0;
  std::map<std::uint64_t, std::uint64_t> regions_;  // mapped: first byte to end, disjoint
  std::map<std::uint64_t, std::uint64_t> files_;    // part of regions_: host pages that show files
  // No gap of at least this size lies in [floor_hint_, floor_): find_gap() need not look there again.
  mutable std::uint64_t floor_hint_ = 0, floor_bytes_ = 0, floor_ = 0;
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace psim::isa

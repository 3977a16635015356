// SPDX-License-Identifier: Apache-2.0
// The layout of a process's memory: program, heap, mappings, stack.
//
//   0x2000 …            program (ET_EXEC), then the heap (brk), up to the reserved window
//   0xF0000000          2 MiB kept free: the data window of the SIMD extension
//   0x1000000000        static-PIE programs, then their heap
//   0x4000000000        a page that is never mapped, below the stack
//   0x4000002000 …      stack, growing down, and its size (8 MiB: to 0x4000802000)
//   … 0xFFFFFFE000      mmap, lowest gap first
//
// Stack and mappings lie where qemu's user emulation puts them, so that a program prints the same addresses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "guest/areas.h"
#include "guest/elf/elf_image.h"
#include "isa/memory/guest_memory.h"

namespace psim::isa {

class AddressSpace {
 public:
  static constexpr std::uint64_t kReserved = 0xF000'0000, kReservedEnd = kReserved + 32 * 65536;
  static constexpr std::uint64_t kPieBase = 0x10'0000'0000, kStackGuard = 0x40'0000'0000,
                                 kStack = kStackGuard + GuestMemory::kPageBytes,
                                 kMappingsEnd = GuestMemory::kLimit - GuestMemory::kPageBytes;

  explicit AddressSpace(GuestMemory& memory) : memory_(memory) {}

  /// Maps the program's segments; returns the load bias. Throws UserError if the host refuses the memory.
  std::uint64_t load(const ElfImage& image);
  /// Maps the stack, `bytes` rounded up to pages, from kStack; executable if nested functions need it. Call
  /// once, before any map().
  void map_stack(std::uint64_t bytes, bool executable);
  /// Returns the address after the stack, where mappings begin.
  std::uint64_t stack_top() const { return stack_top_; }

  /// Unmaps everything, so that another program can be loaded.
  void clear();

  /// brk: sets the end of the heap. Returns the new end, or the old one if `end` is not available.
  std::uint64_t set_break(std::uint64_t end);

  /// The number of areas that Linux allows a process (vm.max_map_count).
  static constexpr std::size_t kMostAreas = 65530;

  /// The contents of a mapping.
  struct Backing {
    std::shared_ptr<OpenFile> file;  ///< null: anonymous
    std::uint64_t offset = 0;
    bool shared = false;
    bool may_write = true;  ///< for a shared file: it was opened for writing, too
  };
  /// Maps `bytes` (rounded up to pages). `fixed`: exactly at `address`, replacing; else at or above the hint
  /// if that is free, or in the lowest gap. Returns the address, or minus a host errno: EINVAL where the
  /// window is kept free.
  std::int64_t map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission, bool fixed,
                   bool replace, const Backing& backing);
  /// Removes mappings. Returns 0 or a host errno, as do the functions below.
  int unmap(std::uint64_t address, std::uint64_t bytes);
  /// mprotect: returns EACCES if stores would change a file that was opened for reading only.
  int protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission);
  std::int64_t remap(std::uint64_t address, std::uint64_t old_bytes, std::uint64_t new_bytes, bool may_move,
                     bool fixed, std::uint64_t new_address);
  /// msync: writes shared file mappings in the range back.
  int synchronise(std::uint64_t address, std::uint64_t bytes);
  /// madvise: applies advice with visible effects. `advice` has Linux's numbers.
  int advise(std::uint64_t address, std::uint64_t bytes, int advice);

  /// Makes pages beyond the end of their files inaccessible, and those that have come into them accessible.
  /// Call it when the size of a mapped file may have changed.
  void follow_files();
  /// Returns true if a write to a file could make more of its mapped pages accessible.
  bool has_ends() const { return ends_; }
  bool maps_files() const { return !files_.empty(); }
  /// In a child process: applies the advice on forks that madvise recorded.
  void forked();
  /// Handles the loss of the host memory of the page of `address` (GuestMemory::take_lost_page()).
  void lose(std::uint64_t address);
  const Areas& areas() const { return areas_; }
  bool is_mapped(std::uint64_t address, std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t kPage = GuestMemory::kPageBytes;
  static constexpr std::uint64_t page_down(std::uint64_t address) { return address & ~(kPage - 1); }
  static constexpr std::uint64_t page_up(std::uint64_t address) { return page_down(address + kPage - 1); }
  /// Returns true if the range overlaps the window that is kept free.
  static bool reserved(std::uint64_t address, std::uint64_t bytes) {
    return address < kReservedEnd && bytes > 0 && address + bytes > kReserved;
  }
  bool in_range(std::uint64_t address, std::uint64_t bytes) const;
  std::uint64_t gap(std::uint64_t hint, std::uint64_t bytes) const;
  void note_anonymous(std::uint64_t begin, std::uint64_t end, std::uint8_t permission);
  /// Returns ENOMEM if an operation on [begin, end) would split areas into more than kMostAreas.
  int check_splits(std::uint64_t begin, std::uint64_t end) const;
  /// Maps the contents of `area` into fresh pages. Returns 0 or a host errno.
  int show(std::uint64_t begin, Area& area);
  int read_private(std::uint64_t begin, const Area& area);
  /// Makes the pages of a file's area inaccessible or accessible for a file of `size` bytes.
  void follow(std::uint64_t begin, const Area& area, std::uint64_t size);
  void uncover(std::uint64_t begin, const Area& area);
  /// Drops the records of pages before they are reused.
  void forget(std::uint64_t begin, std::uint64_t end);
  int renew(std::uint64_t begin, std::uint64_t end);
  int punch(std::uint64_t begin, std::uint64_t end);

  GuestMemory& memory_;
  Areas areas_;
  std::map<std::shared_ptr<OpenFile>, std::uint64_t>
      files_;  ///< mapped files, and their sizes at the last look
  /// Guest pages with zeros in place of file bytes: all of the page, or from the first host page after the
  /// file's end.
  std::set<std::uint64_t> covered_;
  bool ends_ = false;          ///< some pages lie beyond, or across, the ends of their files
  std::uint64_t objects_ = 0;  ///< shared anonymous mappings so far
  std::uint64_t heap_begin_ = 0, heap_end_ = 0, stack_top_ = kStack;
};

/// Converts PROT_* to page permissions; an executable page is readable, as on SPARC hardware.
std::uint8_t page_permission(std::uint64_t prot);

}  // namespace psim::isa

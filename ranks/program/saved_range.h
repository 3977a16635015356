// SPDX-License-Identifier: Apache-2.0
// A range of memory in which each rank has its own contents at one address, exchanged when another rank runs.
// Only lines (64 bytes) that a rank has written are stored and copied, so pages that no rank writes cost
// neither memory nor time, for any number of pages (docs/decisions/0021).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psim::net {

class SavedRange {
 public:
  static constexpr std::size_t kPage = 4'096, kLine = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Larger ranges compare a page only after a rank has written it. For smaller ones, querying the kernel for
  /// these pages takes longer than comparing all.
  static constexpr std::size_t kMostCompared = 8;

  /// The storage of the ranks' contents.
  struct Storage {
    std::byte* first;    ///< of rank 0, zeros; null: allocated by the range
    std::size_t stride;  ///< between consecutive ranks, in whole lines
  };

  /// Makes a range in which every rank begins with the current contents of `live`. `own_pages`: nothing else
  /// is in the range's pages, so they can be remapped. Throws UserError if the address space does not
  /// suffice.
  SavedRange(std::byte* live, std::size_t size, std::uint32_t ranks, bool own_pages)
      : SavedRange(live, size, ranks, own_pages, {nullptr, 0}) {}
  /// Likewise, with the ranks' contents in `storage`.
  SavedRange(std::byte* live, std::size_t size, std::uint32_t ranks, bool own_pages, Storage storage);
  ~SavedRange();
  SavedRange(const SavedRange&) = delete;
  SavedRange& operator=(const SavedRange&) = delete;

  /// Saves the contents of `from` (kNone: no rank has run) and restores those of `to` (kNone: the initial
  /// contents).
  void exchange(std::uint32_t from, std::uint32_t to);
  /// Restores the initial contents in place of those of `rank`, which are lost.
  void forget(std::uint32_t rank);
  bool contains(const void* address) const {
    const auto* at = static_cast<const std::byte*>(address);
    return at >= live_ && at < live_ + size_;
  }
  /// Returns the address of the `bytes` bytes at `address`, which is in the range, in the saved contents of
  /// `rank`. They may be written.
  std::byte* memory(std::uint32_t rank, const void* address, std::uint64_t bytes);
  /// Returns the number of pages known to be written by some rank.
  std::size_t compared_pages() const { return compared_.size(); }

 private:
  void map_pristine();
  void compare(std::size_t page);
  void find_written();
  std::uint64_t lines_of(std::size_t page) const;
  std::uint64_t different_lines(std::size_t page) const;
  void copy(std::size_t page, std::uint64_t lines, const std::byte* from, std::byte* to) const;
  std::byte* slot(std::uint32_t rank) const { return saved_ + std::size_t{rank} * stride_; }
  std::uint64_t& lines(std::uint32_t rank, std::size_t page) const { return lines_[rank * pages_ + page]; }

  std::byte* live_;
  std::size_t size_, pages_, slot_, stride_;
  std::uint32_t ranks_;
  bool own_storage_;
  std::byte* pristine_ = nullptr;  // the initial contents
  int file_ = -1;                  // file of `pristine_`; -1: `copy_` is used
  int pages_file_ = -1;            // /proc/self/pagemap
  std::vector<std::byte> copy_;
  std::byte* saved_ = nullptr;      // the ranks' contents, consecutively; only written lines are valid
  std::uint64_t* lines_ = nullptr;  // written lines by rank and page
  std::vector<std::size_t> compared_;
  std::vector<bool> is_compared_;
  std::vector<std::uint64_t> entries_;  // entries of the kernel's page map
};

}  // namespace psim::net

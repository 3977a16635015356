// SPDX-License-Identifier: Apache-2.0
// A range of memory in which each rank has contents of its own, at one address: exchanged when another rank
// runs. Only lines (64 bytes) that a rank has written are kept and copied, so that pages which no rank writes
// cost neither memory nor time, whatever their number (docs/decisions/0021).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psim::net {

class SavedRange {
 public:
  static constexpr std::size_t kPage = 4'096, kLine = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// More pages than this are compared only after a rank has written them; of fewer, asking the kernel which
  /// those are takes longer than comparing all.
  static constexpr std::size_t kMostCompared = 8;

  /// Where to keep what the ranks have.
  struct Place {
    std::byte* first;    ///< of rank 0; zeros. Null: in memory of its own
    std::size_t stride;  ///< from one rank's to the next's; whole lines
  };

  /// Every rank begins with what is at `live` now. `own_pages`: the range has its pages to itself, so that
  /// they can be mapped anew. Throws UserError if there is no address space.
  SavedRange(std::byte* live, std::size_t size, std::uint32_t ranks, bool own_pages)
      : SavedRange(live, size, ranks, own_pages, {nullptr, 0}) {}
  /// The same; what ranks have is kept at `place`, if that is somewhere.
  SavedRange(std::byte* live, std::size_t size, std::uint32_t ranks, bool own_pages, Place place);
  ~SavedRange();
  SavedRange(const SavedRange&) = delete;
  SavedRange& operator=(const SavedRange&) = delete;

  /// Puts aside what `from` has (kNone: nobody has run), and in place what `to` has (kNone: what every rank
  /// begins with).
  void exchange(std::uint32_t from, std::uint32_t to);
  bool contains(const void* address) const {
    const auto* at = static_cast<const std::byte*>(address);
    return at >= live_ && at < live_ + size_;
  }
  /// Where `rank`, whose contents are put aside, has the `bytes` bytes at `address`, which is in the range.
  /// They may be written.
  std::byte* memory(std::uint32_t rank, const void* address, std::uint64_t bytes);
  /// Pages that some rank has written, as far as is known.
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
  bool own_place_;
  std::byte* pristine_ = nullptr;  // what every rank begins with
  int file_ = -1;                  // of that; -1: `copy_` is
  int pages_file_ = -1;            // /proc/self/pagemap
  std::vector<std::byte> copy_;
  std::byte* saved_ = nullptr;  // the ranks' contents, side by side: only lines that are theirs mean anything
  std::uint64_t* lines_ = nullptr;  // by rank and page, which those are
  std::vector<std::size_t> compared_;
  std::vector<bool> is_compared_;
  std::vector<std::uint64_t> entries_;  // of the kernel's page map
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The receives of a rank that wait for a message, earliest first. The fields that a message is compared with
// lie together, four entries to a cache line, apart from the requests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace psim::net::mpi {

class PostedQueue {
 public:
  struct Entry {
    std::uint32_t request;
    std::uint32_t context;
    std::int32_t source, tag;  ///< or MPI_ANY_SOURCE, MPI_ANY_TAG
  };

  bool empty() const { return first_ == entries_.size(); }
  std::span<const Entry> entries() const { return std::span(entries_).subspan(first_); }

  void append(const Entry& entry) {
    if (entries_.size() == entries_.capacity() && 2 * first_ >= entries_.size()) {
      entries_.erase(entries_.begin(), at(first_));
      first_ = 0;
    }
    entries_.push_back(entry);
  }
  /// Removes the first entry for which `wanted` holds and returns its request, or returns 0.
  template <class Wanted>
  std::uint32_t take(Wanted wanted) {
    const auto found = std::find_if(at(first_), entries_.end(), wanted);
    if (found == entries_.end()) return 0;
    const std::uint32_t request = found->request;
    if (found - at(first_) < entries_.end() - found) {  // the nearer end moves up
      std::move_backward(at(first_), found, found + 1);
      ++first_;
    } else {
      entries_.erase(found);
    }
    return request;
  }

 private:
  std::vector<Entry>::iterator at(std::size_t i) { return entries_.begin() + static_cast<std::ptrdiff_t>(i); }

  std::vector<Entry> entries_;
  std::size_t first_ = 0;  ///< entries before it have been removed
};

}  // namespace psim::net::mpi

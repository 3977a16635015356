// SPDX-License-Identifier: Apache-2.0
// The areas of an address space: runs of pages with one permission and one origin, as Linux counts mappings
// (vm_area_struct).
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "guest/file_table.h"

namespace psim::isa {

struct Area {
  enum class Fork : std::uint8_t { Copy, Leave, Wipe };  ///< MADV_DONTFORK, MADV_WIPEONFORK

  std::uint64_t end = 0;
  std::uint8_t permission = 0;     ///< Permission bits, hidden or not
  std::shared_ptr<OpenFile> file;  ///< null: anonymous
  std::uint64_t offset = 0;        ///< of the first byte in its file
  std::uint64_t object = 0;        ///< of shared anonymous memory: its number
  bool shared = false;
  bool may_write = true;  ///< false for a shared file opened for reading only: no mprotect for stores
  bool copied = false;    ///< a private file was read instead of mapped, to save host mappings
  bool beyond = false;    ///< anonymous, shared, and grown beyond its first size: never accessible
  Fork on_fork = Fork::Copy;
};

class Areas {
 public:
  using Map = std::map<std::uint64_t, Area>;  ///< by first byte; disjoint

  const Map& all() const { return map_; }
  std::size_t size() const { return map_.size(); }
  /// The bytes of all areas, and of those that may be accessed: now, and the most so far.
  struct Bytes {
    std::uint64_t mapped = 0, accessible = 0;
  };
  Bytes bytes() const { return bytes_; }
  Bytes most_bytes() const { return most_; }
  /// Forgets what was more than `most` and than now: pages that moved were counted at both places.
  void limit_most(Bytes most);
  /// Returns the area that holds `address`, or all().end().
  Map::const_iterator find(std::uint64_t address) const;
  /// Returns the first area that ends after `address`.
  Map::const_iterator first_after(std::uint64_t address) const;
  /// Returns true if `address` lies in an area but not at its beginning: an operation that begins or ends
  /// there splits it.
  bool splits(std::uint64_t address) const;

  /// Puts an area at [begin, area.end), replacing what was mapped.
  void put(std::uint64_t begin, Area area);
  void erase(std::uint64_t begin, std::uint64_t end);
  /// Changes all areas of [begin, end), splitting areas that reach beyond the range.
  template <class Change>
  void change(std::uint64_t begin, std::uint64_t end, Change change) {
    split(begin), split(end);
    for (auto at = map_.lower_bound(begin); at != map_.end() && at->first < end; ++at) {
      discount(*at);
      change(at->second);
      count(*at);
    }
    join(begin, end);
  }

 private:
  void split(std::uint64_t at);
  /// Joins equal neighbours, from the area before `begin` to the one after `end`.
  void join(std::uint64_t begin, std::uint64_t end);

  void count(const Map::value_type& entry);
  void discount(const Map::value_type& entry);

  Map map_;
  Bytes bytes_, most_;
};

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
#include "guest/areas.h"

#include <iterator>
#include <utility>

namespace psim::isa {

namespace {

bool alike(std::uint64_t begin, const Area& a, const Area& b) {
  return a.permission == b.permission && a.file == b.file && a.object == b.object && a.shared == b.shared &&
         a.may_write == b.may_write && a.copied == b.copied && a.beyond == b.beyond &&
         a.on_fork == b.on_fork && (!a.file || a.offset + (a.end - begin) == b.offset);
}

}  // namespace

Areas::Map::const_iterator Areas::first_after(std::uint64_t address) const {
  auto next = map_.upper_bound(address);
  if (next != map_.begin() && std::prev(next)->second.end > address) --next;
  return next;
}

Areas::Map::const_iterator Areas::find(std::uint64_t address) const {
  const auto at = first_after(address);
  return at != map_.end() && at->first <= address ? at : map_.end();
}

bool Areas::splits(std::uint64_t address) const {
  const auto at = find(address);
  return at != map_.end() && at->first < address;
}

void Areas::split(std::uint64_t at) {
  if (!splits(at)) return;
  const auto whole = std::prev(map_.upper_bound(at));
  Area rest = whole->second;
  if (rest.file) rest.offset += at - whole->first;
  whole->second.end = at;
  map_.emplace(at, std::move(rest));
}

void Areas::join(std::uint64_t begin, std::uint64_t end) {
  auto at = map_.lower_bound(begin);
  if (at != map_.begin()) --at;
  while (at != map_.end() && at->first <= end) {
    const auto next = std::next(at);
    if (next == map_.end()) break;
    if (at->second.end == next->first && alike(at->first, at->second, next->second)) {
      at->second.end = next->second.end;
      map_.erase(next);
    } else {
      at = next;
    }
  }
}

void Areas::erase(std::uint64_t begin, std::uint64_t end) {
  split(begin), split(end);
  map_.erase(map_.lower_bound(begin), map_.lower_bound(end));
}

void Areas::put(std::uint64_t begin, Area area) {
  const std::uint64_t end = area.end;
  erase(begin, end);
  map_.emplace(begin, std::move(area));
  join(begin, end);
}

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
#include "guest/areas.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "isa/memory/guest_memory.h"

namespace psim::isa {

namespace {

bool alike(std::uint64_t begin, const Area& a, const Area& b) {
  return a.permission == b.permission && a.file == b.file && a.object == b.object && a.shared == b.shared &&
         a.may_write == b.may_write && a.copied == b.copied && a.beyond == b.beyond &&
         a.on_fork == b.on_fork && (!a.file || a.offset + (a.end - begin) == b.offset);
}

bool accessible(const Area& area) { return (area.permission & (kRead | kWrite | kExecute)) != 0; }

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

void Areas::count(const Map::value_type& entry) {
  const auto& [begin, area] = entry;
  bytes_.mapped += area.end - begin;
  if (accessible(area)) bytes_.accessible += area.end - begin;
  most_.mapped = std::max(most_.mapped, bytes_.mapped);
  most_.accessible = std::max(most_.accessible, bytes_.accessible);
}

void Areas::limit_most(Bytes most) {
  most_ = {std::max(most.mapped, bytes_.mapped), std::max(most.accessible, bytes_.accessible)};
}

void Areas::discount(const Map::value_type& entry) {
  const auto& [begin, area] = entry;
  bytes_.mapped -= area.end - begin;
  if (accessible(area)) bytes_.accessible -= area.end - begin;
}

void Areas::erase(std::uint64_t begin, std::uint64_t end) {
  split(begin), split(end);
  const auto first = map_.lower_bound(begin), last = map_.lower_bound(end);
  std::for_each(first, last, [this](const Map::value_type& entry) { discount(entry); });
  map_.erase(first, last);
}

void Areas::put(std::uint64_t begin, Area area) {
  const std::uint64_t end = area.end;
  erase(begin, end);
  count(*map_.emplace(begin, std::move(area)).first);
  join(begin, end);
}

}  // namespace psim::isa

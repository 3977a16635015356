// SPDX-License-Identifier: Apache-2.0
#include "mpi/datatype/datatype.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "mpi/object/failure.h"

namespace psim::net::mpi {
namespace {

/// Appends a segment, merged with the last one if both form one arithmetic pattern.
void add_segment(std::vector<Segment>& segments, Segment s) {
  if (s.repeats == 0 || s.count == 0) return;
  if (s.repeats > 1 && s.stride == static_cast<std::ptrdiff_t>(s.run_bytes())) {
    s.count *= s.repeats;
    s.repeats = 1;
    s.stride = 0;
  }
  if (segments.empty() || segments.back().basic != s.basic) {
    segments.push_back(s);
    return;
  }
  Segment& last = segments.back();
  if (last.repeats == 1 && s.repeats == 1 &&
      s.offset == last.offset + static_cast<std::ptrdiff_t>(last.run_bytes())) {
    last.count += s.count;
    return;
  }
  if (last.count == s.count && (s.repeats == 1 || last.repeats == 1 || s.stride == last.stride)) {
    const std::ptrdiff_t step =
        s.offset - (last.offset + static_cast<std::ptrdiff_t>(last.repeats - 1) * last.stride);
    const bool last_agrees = last.repeats == 1 || last.stride == step;
    const bool next_agrees = s.repeats == 1 || s.stride == step;
    if (last_agrees && next_agrees) {
      last.stride = step;
      last.repeats += s.repeats;
      return;
    }
  }
  segments.push_back(s);
}

/// Fails if `count` copies of a part are too large, or have too many pieces.
void check_size(const Datatype& type, const Datatype& part, std::uint64_t count, std::ptrdiff_t stride) {
  constexpr std::uint64_t kMostPieces = std::uint64_t{1} << 28;
  if (count <= 0x7fff'ffff && part.size <= 0x7fff'ffff && stride <= 0x7fff'ffff && stride >= -0x7fff'ffff &&
      type.size <= std::uint64_t{1} << 62) [[likely]]
    return;
  std::int64_t size, span;
  require(!__builtin_mul_overflow(count, part.size, &size) &&
              !__builtin_add_overflow(static_cast<std::int64_t>(type.size), size, &size) &&
              !__builtin_mul_overflow(static_cast<std::int64_t>(count), stride, &span),
          MPI_ERR_COUNT, "the datatype is larger than 63 bits can count");
  require((part.segments.size() <= 1 && part.copies == 1) || count <= kMostPieces, MPI_ERR_NO_MEM,
          "the datatype has more than 2^28 pieces");
}

/// Lists the segments of all copies.
void unfold(Datatype& type) {
  if (type.copies == 1) return;
  std::vector<Segment> all;
  all.reserve(type.segments.size() * type.copies);
  for (const Segment s : type.all_segments()) all.push_back(s);
  type.segments = std::move(all);
  type.copies = 1;
  type.step = 0;
}

/// Returns true if the list is twice the same one, the second moved by `stride`.
bool doubled(const std::vector<Segment>& list, std::ptrdiff_t stride) {
  const std::size_t half = list.size() / 2;
  if (list.size() != 2 * half) return false;
  for (std::size_t i = 0; i < half; ++i) {
    Segment moved = list[i];
    moved.offset += stride;
    if (list[half + i] != moved) return false;
  }
  return true;
}

}  // namespace

void append(Datatype& type, const Datatype& part, std::uint64_t count, std::ptrdiff_t offset,
            std::ptrdiff_t stride) {
  if (count == 0) return;
  check_size(type, part, count, stride);
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(count - 1) * stride;
  const std::ptrdiff_t low = offset + std::min<std::ptrdiff_t>(0, last);
  const std::ptrdiff_t high = offset + std::max<std::ptrdiff_t>(0, last);
  const bool first = type.combiner == MPI_UNDEFINED;  // nothing appended yet
  const bool empty_part = part.segments.empty() && !part.lb_marked && !part.ub_marked && part.extent() == 0;
  if (!empty_part || first) {
    // A marked bound takes precedence over all bounds from data (MPI-3.1 section 4.1.6).
    const auto take = [&](MPI_Aint& bound, bool& marked, MPI_Aint value, bool value_marked, bool lower) {
      if (first || (value_marked && !marked))
        bound = value;
      else if (value_marked == marked)
        bound = lower ? std::min(bound, value) : std::max(bound, value);
      marked = marked || value_marked;
    };
    if (part.basic == Basic::None && part.predefined) {  // MPI_LB, MPI_UB
      if (part.lb_marked) take(type.lb, type.lb_marked, low, true, true);
      if (part.ub_marked) take(type.ub, type.ub_marked, high, true, false);
    } else {
      take(type.lb, type.lb_marked, low + part.lb, part.lb_marked, true);
      take(type.ub, type.ub_marked, high + part.ub, part.ub_marked, false);
    }
    type.combiner = MPI_COMBINER_NAMED;
  }
  if (part.size > 0 && count > 0)
    type.pair = type.size == 0 || type.pair == part.pair ? part.pair : Basic::None;
  type.size += count * part.size;
  unfold(type);
  if (part.segments.size() == 1 && part.copies == 1 && (part.segments[0].repeats == 1 || count == 1)) {
    Segment s = part.segments[0];
    s.offset += offset;
    if (s.repeats == 1) {
      s.repeats = count;
      s.stride = stride;
    }
    add_segment(type.segments, s);
    return;
  }
  const bool foldable = type.segments.empty() && count > 2;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t before = type.segments.size();
    for (Segment s : part.all_segments()) {
      s.offset += offset + static_cast<std::ptrdiff_t>(i) * stride;
      add_segment(type.segments, s);
    }
    // If the second copy does not merge with the first, no further one merges with that before it.
    if (foldable && i == 1 && type.segments.size() == 2 * before && doubled(type.segments, stride)) {
      type.segments.resize(before);
      type.copies = count;
      type.step = stride;
      return;
    }
  }
}

bool without_holes(const Datatype& type) {
  if (type.segments.empty()) return type.extent() == 0;
  return type.segments.size() == 1 && type.copies == 1 && type.segments[0].repeats == 1 &&
         type.segments[0].offset == 0 && type.extent() == static_cast<MPI_Aint>(type.size);
}

void find_pieces(Datatype& type) {
  if (type.segments.empty()) return;
  std::uint64_t piece = type.segments[0].run_bytes(),
                bits = static_cast<std::uint64_t>(type.extent() | type.step) | 8;
  for (const Segment& s : type.segments) {
    const std::uint64_t run = s.run_bytes();
    if (run != piece) piece = 0;
    bits |= run | static_cast<std::uint64_t>(s.offset | s.stride);
  }
  type.piece = piece <= kLongestPiece ? static_cast<std::uint32_t>(piece) : 0;
  type.aligned = static_cast<std::uint32_t>(bits & -bits);
}

void measure(Datatype& type) {
  type.true_lb = std::numeric_limits<MPI_Aint>::max();
  type.true_ub = std::numeric_limits<MPI_Aint>::min();
  type.only = type.segments.empty() ? Basic::None : meaning(type.segments[0].basic);
  for (const Segment& s : type.segments) {
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(s.repeats - 1) * s.stride;
    type.true_lb = std::min(type.true_lb, s.offset + std::min<std::ptrdiff_t>(0, last));
    type.true_ub = std::max(type.true_ub, s.offset + std::max<std::ptrdiff_t>(0, last) +
                                              static_cast<std::ptrdiff_t>(s.run_bytes()));
    if (meaning(s.basic) != type.only) type.only = Basic::None;
  }
  const std::ptrdiff_t moved = static_cast<std::ptrdiff_t>(type.copies - 1) * type.step;
  type.true_lb += std::min<std::ptrdiff_t>(0, moved);
  type.true_ub += std::max<std::ptrdiff_t>(0, moved);
  if (type.pair != Basic::None) type.only = type.pair;
  if (type.segments.empty()) type.true_lb = type.true_ub = 0;
  type.contiguous = without_holes(type);
  find_pieces(type);
}

bool cuts_element(const Datatype& type, std::uint64_t bytes) {
  if (type.size == 0) return bytes != 0;
  std::uint64_t rest = bytes % (type.size / type.copies);
  for (const Segment& s : type.segments) {
    if (rest == 0) break;
    const std::uint64_t taken = std::min(rest, s.run_bytes() * s.repeats);
    if (taken % size_of(s.basic) != 0) return true;
    rest -= taken;
  }
  return false;
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// The packed form of data: the elements in the order of the type map, without holes. Short runs are copied by
// loads and stores of the widest unit that fits, because a call of memcpy takes longer than they do.
#include <algorithm>
#include <cstring>

#include "mpi/datatype/aligned.h"
#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {
namespace {

/// Whole runs: those of the segments, each with one repeat at least, `copies` times, `step` bytes apart in
/// the user's memory.
struct Pieces {
  const Segment* segments;
  std::size_t count;
  std::uint64_t copies;
  std::ptrdiff_t step;
  std::byte* user;
  std::byte* packed;
};

/// Copies one run of `kUnits` units, or, if it is 0, of any number of units.
template <bool kPack, std::size_t kUnit, std::size_t kUnits>
inline void copy_run(std::byte* user, std::byte* packed, std::uint64_t bytes) {
  std::byte* const to = kPack ? packed : user;
  const std::byte* const from = kPack ? user : packed;
  if (kUnits == 0 && bytes > kLongestPiece)
    std::memcpy(to, from, bytes);
  else
    for (std::uint64_t unit = 0; unit < bytes; unit += kUnit)
      copy_aligned<kUnit, kUnit>(to + unit, from + unit);
}

template <bool kPack, std::size_t kUnit, std::size_t kUnits>
void copy_runs(const Pieces& p) {
  constexpr auto kCopy = copy_run<kPack, kUnit, kUnits>;
  std::byte* packed = p.packed;
  std::byte* copy = p.user;
  const Segment* const last = p.segments + p.count;
  for (std::uint64_t n = p.copies; n > 0; --n, copy += p.step)
    for (const Segment* s = p.segments; s != last; ++s) {
      const std::uint64_t bytes = kUnits > 0 ? kUnit * kUnits : s->run_bytes();
      std::byte* at = copy + s->offset;
      const std::ptrdiff_t stride = s->stride;
      std::uint64_t i = s->repeats;
      // Blocks at irregular places become segments of few runs, for which a loop ends with a wrong
      // prediction.
      if (kUnits > 0 && i <= 4) {
        kCopy(at, packed, bytes);
        if (i > 1) kCopy(at + stride, packed + bytes, bytes);
        if (i > 2) kCopy(at + 2 * stride, packed + 2 * bytes, bytes);
        if (i > 3) kCopy(at + 3 * stride, packed + 3 * bytes, bytes);
        packed += i * bytes;
        continue;
      }
      for (; i > 0; --i, at += stride, packed += bytes) kCopy(at, packed, bytes);
    }
}

template <bool kPack>
void copy_pieces(const Datatype& type, const Pieces& p) {
  std::uintptr_t bits = type.aligned;
  if (kMustAlign)
    bits |= reinterpret_cast<std::uintptr_t>(p.user) | reinterpret_cast<std::uintptr_t>(p.packed);
  else if (type.piece != 0)
    bits = type.piece | 8;
  switch (bits & -bits) {
    case 8:
      return type.piece == 8    ? copy_runs<kPack, 8, 1>(p)
             : type.piece == 16 ? copy_runs<kPack, 8, 2>(p)
                                : copy_runs<kPack, 8, 0>(p);
    case 4:
      return type.piece == 4   ? copy_runs<kPack, 4, 1>(p)
             : type.piece == 8 ? copy_runs<kPack, 4, 2>(p)
                               : copy_runs<kPack, 4, 0>(p);
    case 2:
      return type.piece == 2 ? copy_runs<kPack, 2, 1>(p) : copy_runs<kPack, 2, 0>(p);
    default:
      return type.piece == 1 ? copy_runs<kPack, 1, 1>(p) : copy_runs<kPack, 1, 0>(p);
  }
}

/// Copies bytes `from` … `end` of the packed form of one copy of the type's segments at `user`.
template <bool kPack>
void copy_part(const Datatype& type, std::byte* user, std::byte* packed, std::uint64_t from,
               std::uint64_t end) {
  const auto copy = [](std::byte* at, std::byte* packed_at, std::uint64_t bytes) {
    std::memcpy(kPack ? packed_at : at, kPack ? at : packed_at, bytes);
  };
  std::uint64_t first = 0;  // packed byte at which the segment begins
  for (const Segment& s : type.segments) {
    if (first >= end) return;
    const std::uint64_t run = s.run_bytes(), next = first + run * s.repeats;
    if (next > from) {
      const auto run_at = [&](std::uint64_t i) {
        return user + s.offset + static_cast<std::ptrdiff_t>(i) * s.stride;
      };
      std::uint64_t i = from > first ? (from - first) / run : 0, at = first + i * run;
      if (at < from) {
        const std::uint64_t skip = from - at, length = std::min(run - skip, end - from);
        copy(run_at(i) + skip, packed, length);
        ++i, at += run;
      }
      if (at < end && i < s.repeats) {
        Segment whole = s;
        whole.offset += static_cast<std::ptrdiff_t>(i) * s.stride;
        whole.repeats = next <= end ? s.repeats - i : (end - at) / run;
        if (whole.repeats > 0) copy_pieces<kPack>(type, {&whole, 1, 1, 0, user, packed + (at - from)});
        i += whole.repeats, at += whole.repeats * run;
        if (at < end && i < s.repeats) copy(run_at(i), packed + (at - from), end - at);
      }
    }
    first = next;
  }
}

template <bool kPack>
std::uint64_t transfer(const Datatype& type, std::uint64_t count, std::byte* user, std::byte* packed,
                       std::uint64_t from, std::uint64_t bytes) {
  if (type.size == 0) return 0;
  const std::uint64_t all = count * type.size, end = std::min(from + bytes, all);
  if (from >= end) return 0;
  if (type.contiguous) {
    std::memcpy(kPack ? packed : user + from, kPack ? user + from : packed, end - from);
    return end - from;
  }
  // Whole copies of the segments, from `first` to `last`, have parts of copies before and behind them.
  const std::uint64_t unit = type.copies == 1 ? type.size : type.size / type.copies,
                      units = count * type.copies;
  const std::uint64_t begun = from == 0 ? 0 : from / unit, skipped = from - begun * unit;
  const std::uint64_t first = skipped == 0 ? begun : begun + 1, last = end == all ? units : end / unit;
  const auto place = [&](std::uint64_t i) {
    const std::uint64_t element = type.copies == 1 ? i : i / type.copies;
    return user + static_cast<std::ptrdiff_t>(element) * type.extent() +
           static_cast<std::ptrdiff_t>(i - element * type.copies) * type.step;
  };
  if (skipped != 0) copy_part<kPack>(type, place(begun), packed, skipped, std::min(unit, end - begun * unit));
  Pieces whole = {type.segments.data(), type.segments.size(), 0, type.extent(), nullptr, nullptr};
  Segment runs = type.segments[0];
  for (std::uint64_t i = first; i < last; i += whole.copies) {
    whole.user = place(i);
    whole.packed = packed + (i * unit - from);
    whole.copies = last - i;
    if (type.copies > 1) {
      whole.copies = std::min(whole.copies, type.copies - i % type.copies);
      whole.step = type.step;
    } else if (whole.count == 1 && runs.repeats == 1) {  // one run an element: the elements are its repeats
      runs.repeats = whole.copies, runs.stride = whole.step;
      copy_pieces<kPack>(type, {&runs, 1, 1, 0, whole.user, whole.packed});
      break;
    }
    copy_pieces<kPack>(type, whole);
  }
  if (first <= last && last * unit < end)
    copy_part<kPack>(type, place(last), packed + (last * unit - from), 0, end - last * unit);
  return end - from;
}

}  // namespace

std::uint64_t pack(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed,
                   std::uint64_t from, std::uint64_t bytes) {
  return transfer<true>(type, count, const_cast<std::byte*>(user), packed, from, bytes);
}

std::uint64_t unpack(const Datatype& type, std::uint64_t count, std::byte* user, const std::byte* packed,
                     std::uint64_t from, std::uint64_t bytes) {
  return transfer<false>(type, count, user, const_cast<std::byte*>(packed), from, bytes);
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// A datatype: the arguments it was constructed from, and its type map in compact form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "mpi/include/mpi.h"
#include "mpi/object/attribute.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

/// The interpretation of the bits of a basic element. Types with the same meaning share one.
enum class Basic : std::uint8_t {
  None,  ///< derived from several
  Int8,
  Uint8,
  Int16,
  Uint16,
  Int32,
  Uint32,
  Int64,
  Uint64,
  Int128,
  Long,  ///< in segments only: has a size of its own in external32, and otherwise the meaning of Int64
  UnsignedLong,
  Float,
  Double,
  LongDouble,
  Quad,
  ComplexFloat,
  ComplexDouble,
  ComplexLongDouble,
  ComplexQuad,
  Bool8,
  Logical,
  Character,
  Byte,
  WideCharacter,
  IntInt,
  ShortInt,
  LongInt,
  FloatInt,
  DoubleInt,
  LongDoubleInt,
  FloatFloat,
  DoubleDouble
};

std::uint32_t size_of(Basic basic);
/// Returns the type that stands for all with the same meaning in memory.
Basic meaning(Basic basic);

/// `repeats` runs of `count` basic elements, the runs `stride` bytes apart, the first at `offset`.
struct Segment {
  std::ptrdiff_t offset = 0;
  std::ptrdiff_t stride = 0;
  std::uint64_t repeats = 1;
  std::uint64_t count = 0;
  Basic basic = Basic::Byte;

  std::uint64_t run_bytes() const { return count * size_of(basic); }
  bool operator==(const Segment&) const = default;
};

/// The segments of copies of a list that are `step` bytes apart.
class SegmentRange {
 public:
  class Iterator {
   public:
    explicit Iterator(const SegmentRange& range)
        : range_(range), at_(range.first_), left_(range.first_ == range.last_ ? 0 : range.copies_) {}
    Segment operator*() const {
      Segment s = *at_;
      s.offset += moved_;
      return s;
    }
    Iterator& operator++() {
      if (++at_ == range_.last_) at_ = range_.first_, moved_ += range_.step_, --left_;
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    const SegmentRange& range_;
    const Segment* at_;
    std::uint64_t left_;
    std::ptrdiff_t moved_ = 0;
  };

  SegmentRange(const std::vector<Segment>& list, std::uint64_t copies, std::ptrdiff_t step)
      : first_(list.data()), last_(list.data() + list.size()), copies_(copies), step_(step) {}
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  const Segment *first_, *last_;
  std::uint64_t copies_;
  std::ptrdiff_t step_;
};

/// Longer runs are copied by memcpy.
inline constexpr std::uint64_t kLongestPiece = 128;

/// The arguments of a constructor: what MPI_Type_get_contents returns. MPI_Type_get_contents_c returns most
/// of them as large counts if `large`: query_api.cpp.
struct Contents {
  std::vector<MPI_Count> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;  ///< each holds a reference to its type
  bool large = false;               ///< from a constructor with large counts
};

struct Datatype;
/// Releases its index in the pool.
void dispose(Datatype* type);

/// A datatype of MPI-3.1 chapter 4.
struct Datatype : Counted {
  std::uint64_t size = 0;
  MPI_Aint lb = 0, ub = 0, true_lb = 0, true_ub = 0;
  std::vector<Segment> segments;
  /// copies of the segments in the type map, and their distance in bytes; no segment merges two copies
  std::uint64_t copies = 1;
  std::ptrdiff_t step = 0;
  /// one element is `size` bytes without holes at offset 0, and elements are adjacent
  bool contiguous = false;
  /// the bytes of each run, if all runs are equally long, at most kLongestPiece; otherwise 0
  std::uint32_t piece = 0;
  /// a power of two, at most 8, that divides offsets, strides, lengths of runs, and the extent
  std::uint32_t aligned = 1;
  bool committed = false, predefined = false;
  bool lb_marked = false, ub_marked = false;  ///< by MPI_LB, MPI_UB or resizing: bounds that derived types
                                              ///< keep
  Basic basic = Basic::None;                  ///< if predefined
  Basic only = Basic::None;                   ///< the only basic type it consists of, if there is only one
  Basic pair = Basic::None;                   ///< the only type of pairs (MPI_DOUBLE_INT, …) it consists of
  int combiner = MPI_COMBINER_NAMED;
  Contents contents;
  std::vector<Ref<Datatype>> parts;
  std::unique_ptr<Attributes> attributes;
  std::string name;
  MPI_Datatype handle = MPI_DATATYPE_NULL;

  MPI_Aint extent() const { return ub - lb; }
  /// Returns the segments of all copies, in the order of the type map.
  SegmentRange all_segments() const { return {segments, copies, step}; }
};

/// Computes Datatype::contiguous from size, bounds and segments.
bool without_holes(const Datatype& type);
/// Computes `piece` and `aligned` from bounds and segments. Without them packing is slow.
void find_pieces(Datatype& type);
/// Computes the true bounds, `only`, `contiguous`, `piece` and `aligned` from size, bounds and segments.
void measure(Datatype& type);
/// Appends `count` copies of `part`, `stride` bytes apart, the first moved by `offset`. Bounds follow MPI-3.1
/// p. 105.
void append(Datatype& type, const Datatype& part, std::uint64_t count, std::ptrdiff_t offset,
            std::ptrdiff_t stride);

/// Returns true if the first `bytes` of packed copies of the type end within a basic element.
bool cuts_element(const Datatype& type, std::uint64_t bytes);

/// Copies `bytes` of packed data, from byte `from` of the packed form on, between `packed` and `count`
/// elements at `user`. Returns the bytes copied, which are fewer if the elements end before.
std::uint64_t pack(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed,
                   std::uint64_t from, std::uint64_t bytes);
std::uint64_t unpack(const Datatype& type, std::uint64_t count, std::byte* user, const std::byte* packed,
                     std::uint64_t from, std::uint64_t bytes);

}  // namespace psim::net::mpi

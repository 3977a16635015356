// SPDX-License-Identifier: Apache-2.0
// A datatype: how its construction was asked for, and its type map in compact form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi/attribute.h"
#include "mpi/include/mpi.h"
#include "mpi/ref.h"

namespace psim::net::mpi {

/// How the bits of a basic element are to be understood. Types that mean the same share one.
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

/// `repeats` runs of `count` basic elements, the runs `stride` bytes apart, the first at `offset`.
struct Segment {
  std::ptrdiff_t offset = 0;
  std::ptrdiff_t stride = 0;
  std::uint64_t repeats = 1;
  std::uint64_t count = 0;
  Basic basic = Basic::Byte;

  std::uint64_t run_bytes() const { return count * size_of(basic); }
};

/// What MPI_Type_get_contents gives back.
struct Contents {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;  ///< each holds a reference to its type
};

struct Datatype;
/// Gives back its place in the pool.
void dispose(Datatype* type);

struct Datatype : Counted {
  std::uint64_t size = 0;
  MPI_Aint lb = 0, ub = 0, true_lb = 0, true_ub = 0;
  std::vector<Segment> segments;
  /// One element is `size` bytes without holes at offset 0, and elements follow each other closely.
  bool contiguous = false;
  bool committed = false, predefined = false;
  bool lb_marked = false, ub_marked = false;  ///< MPI_LB, MPI_UB or resized: bounds that further types keep
  Basic basic = Basic::None;                  ///< if predefined
  Basic only = Basic::None;                   ///< the one basic type it is made of, if only one
  Basic pair = Basic::None;                   ///< the one type of pairs (MPI_DOUBLE_INT, …) it is made of
  int combiner = MPI_COMBINER_NAMED;
  Contents contents;
  std::vector<Ref<Datatype>> parts;
  std::unique_ptr<Attributes> attributes;
  std::string name;
  MPI_Datatype handle = MPI_DATATYPE_NULL;

  MPI_Aint extent() const { return ub - lb; }
};

/// The type of a handle. Fails with MPI_ERR_TYPE.
Datatype& datatype(MPI_Datatype handle);
/// The same, for communication: fails if it is not committed.
Datatype& committed(MPI_Datatype handle);
/// What Datatype::contiguous is to be, from size, bounds and segments.
bool without_holes(const Datatype& type);
/// Makes the predefined types; once.
void make_predefined_datatypes();
/// A new handle of a type with segments, bounds, combiner and contents; the rest is worked out here.
MPI_Datatype publish_datatype(std::unique_ptr<Datatype> type);
void release_datatype(Datatype& type);

/// Adds `count` copies of `part`, `stride` bytes apart, the first moved by `offset`; bounds follow MPI-3.1 p.
/// 105.
void append(Datatype& type, const Datatype& part, std::uint64_t count, std::ptrdiff_t offset,
            std::ptrdiff_t stride);

/// Copies `bytes` of packed data, from byte `from` of the packed form on, between `packed` and `count`
/// elements at `user`. Returns the bytes copied: less than `bytes` if the elements end before.
std::uint64_t pack(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed,
                   std::uint64_t from, std::uint64_t bytes);
std::uint64_t unpack(const Datatype& type, std::uint64_t count, std::byte* user, const std::byte* packed,
                     std::uint64_t from, std::uint64_t bytes);

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// The basic types of MPI-3.1 sections 3.2.2, 3.3 and 5.9.4, in the order of their handles in mpi.h.
#include <algorithm>
#include <memory>

#include "mpi/datatype/datatype.h"
#include "mpi/datatype/registry.h"
#include "mpi/object/handle.h"

namespace psim::net::mpi {
namespace {

struct Row {
  const char* name;
  Basic basic;
  std::uint32_t extent;  ///< 0: the size
};

template <class First>
struct Pair {
  First value;
  int location;
};

constexpr Row kRows[] = {
    {"MPI_CHAR", Basic::Character, 0},
    {"MPI_SIGNED_CHAR", Basic::Int8, 0},
    {"MPI_UNSIGNED_CHAR", Basic::Uint8, 0},
    {"MPI_BYTE", Basic::Byte, 0},
    {"MPI_WCHAR", Basic::WideCharacter, 0},
    {"MPI_SHORT", Basic::Int16, 0},
    {"MPI_UNSIGNED_SHORT", Basic::Uint16, 0},
    {"MPI_INT", Basic::Int32, 0},
    {"MPI_UNSIGNED", Basic::Uint32, 0},
    {"MPI_LONG", Basic::Long, 0},
    {"MPI_UNSIGNED_LONG", Basic::UnsignedLong, 0},
    {"MPI_LONG_LONG_INT", Basic::Int64, 0},
    {"MPI_UNSIGNED_LONG_LONG", Basic::Uint64, 0},
    {"MPI_FLOAT", Basic::Float, 0},
    {"MPI_DOUBLE", Basic::Double, 0},
    {"MPI_LONG_DOUBLE", Basic::LongDouble, 0},
    {"MPI_INT8_T", Basic::Int8, 0},
    {"MPI_UINT8_T", Basic::Uint8, 0},
    {"MPI_INT16_T", Basic::Int16, 0},
    {"MPI_UINT16_T", Basic::Uint16, 0},
    {"MPI_INT32_T", Basic::Int32, 0},
    {"MPI_UINT32_T", Basic::Uint32, 0},
    {"MPI_INT64_T", Basic::Int64, 0},
    {"MPI_UINT64_T", Basic::Uint64, 0},
    {"MPI_C_BOOL", Basic::Bool8, 0},
    {"MPI_C_COMPLEX", Basic::ComplexFloat, 0},
    {"MPI_C_DOUBLE_COMPLEX", Basic::ComplexDouble, 0},
    {"MPI_C_LONG_DOUBLE_COMPLEX", Basic::ComplexLongDouble, 0},
    {"MPI_CXX_BOOL", Basic::Bool8, 0},
    {"MPI_CXX_FLOAT_COMPLEX", Basic::ComplexFloat, 0},
    {"MPI_CXX_DOUBLE_COMPLEX", Basic::ComplexDouble, 0},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", Basic::ComplexLongDouble, 0},
    {"MPI_PACKED", Basic::Byte, 0},
    {"MPI_AINT", Basic::Int64, 0},
    {"MPI_COUNT", Basic::Int64, 0},
    {"MPI_OFFSET", Basic::Int64, 0},
    {"MPI_INTEGER", Basic::Int32, 0},
    {"MPI_REAL", Basic::Float, 0},
    {"MPI_DOUBLE_PRECISION", Basic::Double, 0},
    {"MPI_COMPLEX", Basic::ComplexFloat, 0},
    {"MPI_DOUBLE_COMPLEX", Basic::ComplexDouble, 0},
    {"MPI_LOGICAL", Basic::Logical, 0},
    {"MPI_CHARACTER", Basic::Character, 0},
    {"MPI_INTEGER1", Basic::Int8, 0},
    {"MPI_INTEGER2", Basic::Int16, 0},
    {"MPI_INTEGER4", Basic::Int32, 0},
    {"MPI_INTEGER8", Basic::Int64, 0},
    {"MPI_REAL4", Basic::Float, 0},
    {"MPI_REAL8", Basic::Double, 0},
    {"MPI_REAL16", Basic::Quad, 0},
    {"MPI_COMPLEX8", Basic::ComplexFloat, 0},
    {"MPI_COMPLEX16", Basic::ComplexDouble, 0},
    {"MPI_COMPLEX32", Basic::ComplexQuad, 0},
    {"MPI_2INT", Basic::IntInt, sizeof(Pair<int>)},
    {"MPI_SHORT_INT", Basic::ShortInt, sizeof(Pair<short>)},
    {"MPI_LONG_INT", Basic::LongInt, sizeof(Pair<long>)},
    {"MPI_FLOAT_INT", Basic::FloatInt, sizeof(Pair<float>)},
    {"MPI_DOUBLE_INT", Basic::DoubleInt, sizeof(Pair<double>)},
    {"MPI_LONG_DOUBLE_INT", Basic::LongDoubleInt, sizeof(Pair<long double>)},
    {"MPI_2INTEGER", Basic::IntInt, 8},
    {"MPI_2REAL", Basic::FloatFloat, 8},
    {"MPI_2DOUBLE_PRECISION", Basic::DoubleDouble, 16},
    {"MPI_LB", Basic::None, 0},
    {"MPI_UB", Basic::None, 0},
    {"MPI_INTEGER16", Basic::Int128, 0},
};

/// A basic type in memory, by its number. A pair has an index after the value, at its own alignment.
struct InMemory {
  Basic basic;
  std::uint32_t size;
  Basic value = Basic::None, location = Basic::None;
  std::ptrdiff_t offset = 0;  ///< of the location
};

constexpr InMemory kInMemory[] = {
    {Basic::None, 0},
    {Basic::Int8, 1},
    {Basic::Uint8, 1},
    {Basic::Int16, 2},
    {Basic::Uint16, 2},
    {Basic::Int32, 4},
    {Basic::Uint32, 4},
    {Basic::Int64, 8},
    {Basic::Uint64, 8},
    {Basic::Int128, 16},
    {Basic::Long, 8},
    {Basic::UnsignedLong, 8},
    {Basic::Float, 4},
    {Basic::Double, 8},
    {Basic::LongDouble, 16},
    {Basic::Quad, 16},
    {Basic::ComplexFloat, 8},
    {Basic::ComplexDouble, 16},
    {Basic::ComplexLongDouble, 32},
    {Basic::ComplexQuad, 32},
    {Basic::Bool8, 1},
    {Basic::Logical, 4},
    {Basic::Character, 1},
    {Basic::Byte, 1},
    {Basic::WideCharacter, 4},
    {Basic::IntInt, 8, Basic::Int32, Basic::Int32, 4},
    {Basic::ShortInt, 6, Basic::Int16, Basic::Int32, 4},
    {Basic::LongInt, 12, Basic::Long, Basic::Int32, 8},
    {Basic::FloatInt, 8, Basic::Float, Basic::Int32, 4},
    {Basic::DoubleInt, 12, Basic::Double, Basic::Int32, 8},
    {Basic::LongDoubleInt, 20, Basic::LongDouble, Basic::Int32, 16},
    {Basic::FloatFloat, 8, Basic::Float, Basic::Float, 4},
    {Basic::DoubleDouble, 16, Basic::Double, Basic::Double, 8},
};
static_assert(std::ranges::all_of(kInMemory, [](const InMemory& row) {
  return &row == &kInMemory[static_cast<std::size_t>(row.basic)];
}));

}  // namespace

std::uint32_t size_of(Basic basic) { return kInMemory[static_cast<std::size_t>(basic)].size; }

Basic meaning(Basic basic) {
  return basic == Basic::Long ? Basic::Int64 : basic == Basic::UnsignedLong ? Basic::Uint64 : basic;
}

void make_predefined_datatypes() {
  Datatypes& pool = datatype_pool();
  if (pool.in_use() > 0) return;
  for (const Row& row : kRows) {
    const std::uint32_t index = pool.take();
    auto type = std::make_unique<Datatype>();
    type->name = row.name;
    type->basic = type->only = meaning(row.basic);
    type->size = size_of(row.basic);
    type->ub = row.extent != 0 ? row.extent : static_cast<MPI_Aint>(type->size);
    const InMemory& parts = kInMemory[static_cast<std::size_t>(row.basic)];
    if (parts.value != Basic::None) {
      type->pair = row.basic;
      type->segments.push_back({0, 0, 1, 1, parts.value});
      type->segments.push_back({parts.offset, 0, 1, 1, parts.location});
      type->true_ub = parts.offset + static_cast<MPI_Aint>(size_of(parts.location));
      find_pieces(*type);
    } else if (type->size > 0) {
      type->segments.push_back({0, 0, 1, 1, row.basic});
      type->true_ub = type->ub;
    }
    type->contiguous = type->ub == static_cast<MPI_Aint>(type->size);
    type->committed = type->predefined = true;
    type->handle = make_handle(HandleKind::Datatype, index);
    type->refs = 1;
    pool[index].type = std::move(type);
  }
  datatype(MPI_LB).lb_marked = true;
  datatype(MPI_UB).ub_marked = true;
}

}  // namespace psim::net::mpi

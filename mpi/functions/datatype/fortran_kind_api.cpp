// SPDX-License-Identifier: Apache-2.0
// Types by precision and range, as selected_real_kind and selected_int_kind choose them (MPI-3.1 section
// 17.1.9).
#include <map>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"

using namespace psim::net::mpi;

namespace {

struct Kind {
  int precision, range;  ///< decimal digits, decimal exponent
  MPI_Datatype real, complex;
};
/// Kinds 4, 8, 10 and 16 of gfortran.
constexpr Kind kReals[] = {{6, 37, MPI_REAL4, MPI_COMPLEX8},
                           {15, 307, MPI_REAL8, MPI_COMPLEX16},
                           {18, 4931, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX},
                           {33, 4931, MPI_REAL16, MPI_COMPLEX32}};
constexpr Kind kIntegers[] = {{0, 2, MPI_INTEGER1, 0},
                              {0, 4, MPI_INTEGER2, 0},
                              {0, 9, MPI_INTEGER4, 0},
                              {0, 18, MPI_INTEGER8, 0},
                              {0, 38, MPI_INTEGER16, 0}};

template <std::size_t N>
const Kind& least(const Kind (&kinds)[N], int precision, int range) {
  for (const Kind& kind : kinds)
    if ((precision == MPI_UNDEFINED || precision <= kind.precision) &&
        (range == MPI_UNDEFINED || range <= kind.range))
      return kind;
  fail(MPI_ERR_ARG, "Fortran has no kind of this precision and range");
}

/// Returns the same handle for equal arguments. It is committed and never freed, as predefined types are.
MPI_Datatype same(int combiner, std::vector<int> requested, MPI_Datatype basic) {
  static std::map<std::pair<int, std::vector<int>>, MPI_Datatype> made;
  MPI_Datatype& handle = made[{combiner, requested}];
  if (handle != 0) return handle;
  const Datatype& from = datatype(basic);
  auto type = std::make_unique<Datatype>();
  type->size = from.size;
  type->lb = from.lb;
  type->ub = from.ub;
  type->segments = from.segments;
  type->basic = from.basic;
  type->name = from.name;
  type->predefined = type->committed = true;
  type->combiner = combiner;
  type->contents.integers.assign(requested.begin(), requested.end());
  return handle = publish_datatype(std::move(type));
}

}  // namespace

PSIM_MPI_CALL(Type_create_f90_real, (int precision, int range, MPI_Datatype* result), guarded, [&] {
  require(precision != MPI_UNDEFINED || range != MPI_UNDEFINED, MPI_ERR_ARG);
  out(result) = same(MPI_COMBINER_F90_REAL, {precision, range}, least(kReals, precision, range).real);
})
PSIM_MPI_CALL(Type_create_f90_complex, (int precision, int range, MPI_Datatype* result), guarded, [&] {
  require(precision != MPI_UNDEFINED || range != MPI_UNDEFINED, MPI_ERR_ARG);
  out(result) = same(MPI_COMBINER_F90_COMPLEX, {precision, range}, least(kReals, precision, range).complex);
})
PSIM_MPI_CALL(Type_create_f90_integer, (int range, MPI_Datatype* result), guarded, [&] {
  out(result) = same(MPI_COMBINER_F90_INTEGER, {range}, least(kIntegers, MPI_UNDEFINED, range).real);
})

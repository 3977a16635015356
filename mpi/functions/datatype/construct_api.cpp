// SPDX-License-Identifier: Apache-2.0
// Constructors of datatypes (MPI-3.1 section 4.1.2) except for arrays, and the deprecated ones.
#include <initializer_list>
#include <memory>
#include <type_traits>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

template <class Number>
constexpr bool kIsLarge = !std::is_same_v<Number, int>;

/// Checks the lists of a constructor before the type is made, because it stores their contents.
int check_lists(const char* function, MPI_Count n, std::initializer_list<const void*> lists) {
  return unobserved(function, [&] {
    check_count(n);
    for (const void* list : lists) check_array(list, n, "a list of lengths, displacements or types");
  });
}

template <class Number>
void add(std::vector<MPI_Count>& integers, const Number* list, MPI_Count n) {
  integers.insert(integers.end(), list, list + n);
}

template <class Number, class Reach>
int structure(const char* function, Number n, const Number* lengths, const Reach* displacements,
              const MPI_Datatype* types, MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements, types})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {types, types + n}, kIsLarge<Number>};
  add(contents.integers, lengths, n);
  return build(function, MPI_COMBINER_STRUCT, std::move(contents), result);
}

template <class Number, class Reach>
int hindexed(const char* function, Number n, const Number* lengths, const Reach* displacements,
             MPI_Datatype old, MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {old}, kIsLarge<Number>};
  add(contents.integers, lengths, n);
  return build(function, MPI_COMBINER_HINDEXED, std::move(contents), result);
}

}  // namespace

PSIM_MPI_COUNTED_CALL(Type_contiguous, (Number count, MPI_Datatype old, MPI_Datatype* result), build,
                      MPI_COMBINER_CONTIGUOUS, {{count}, {}, {old}, kLarge}, result)
PSIM_MPI_COUNTS(
    int, Type_vector, (Number count, Number length, Number stride, MPI_Datatype old, MPI_Datatype* result), {
      return build(function, MPI_COMBINER_VECTOR, {{count, length, stride}, {}, {old}, kLarge}, result);
    })
PSIM_MPI_COUNTS(
    int, Type_create_hvector,
    (Number count, Number length, Reach stride, MPI_Datatype old, MPI_Datatype* result), {
      return build(function, MPI_COMBINER_HVECTOR, {{count, length}, {stride}, {old}, kLarge}, result);
    })
PSIM_MPI_COUNTS(int, Type_indexed,
                (Number n, const Number* lengths, const Number* displacements, MPI_Datatype old,
                 MPI_Datatype* result),
                {
                  if (const int error = check_lists(function, n, {lengths, displacements})) return error;
                  Contents contents{{n}, {}, {old}, kLarge};
                  add(contents.integers, lengths, n);
                  add(contents.integers, displacements, n);
                  return build(function, MPI_COMBINER_INDEXED, std::move(contents), result);
                })
PSIM_MPI_COUNTS(int, Type_create_hindexed,
                (Number n, const Number* lengths, const Reach* displacements, MPI_Datatype old,
                 MPI_Datatype* result),
                { return hindexed(function, n, lengths, displacements, old, result); })
PSIM_MPI_COUNTS(int, Type_create_indexed_block,
                (Number n, Number length, const Number* displacements, MPI_Datatype old,
                 MPI_Datatype* result),
                {
                  if (const int error = check_lists(function, n, {displacements})) return error;
                  Contents contents{{n, length}, {}, {old}, kLarge};
                  add(contents.integers, displacements, n);
                  return build(function, MPI_COMBINER_INDEXED_BLOCK, std::move(contents), result);
                })
PSIM_MPI_COUNTS(int, Type_create_hindexed_block,
                (Number n, Number length, const Reach* displacements, MPI_Datatype old, MPI_Datatype* result),
                {
                  if (const int error = check_lists(function, n, {displacements})) return error;
                  return build(function, MPI_COMBINER_HINDEXED_BLOCK,
                               {{n, length}, {displacements, displacements + n}, {old}, kLarge}, result);
                })
PSIM_MPI_COUNTS(int, Type_create_struct,
                (Number n, const Number* lengths, const Reach* displacements, const MPI_Datatype* types,
                 MPI_Datatype* result),
                { return structure(function, n, lengths, displacements, types, result); })
PSIM_MPI_COUNTED_CALL(Type_create_resized, (MPI_Datatype old, Reach lb, Reach extent, MPI_Datatype* result),
                      build, MPI_COMBINER_RESIZED, {{}, {lb, extent}, {old}, kLarge}, result)
PSIM_MPI(int, Type_dup, (MPI_Datatype old, MPI_Datatype* result)) {
  if (result != nullptr) *result = MPI_DATATYPE_NULL;  // remains null if an attribute's copy function fails
  return build("MPI_Type_dup", MPI_COMBINER_DUP, {{}, {}, {old}}, result, [&](Datatype& type) {
    const Datatype& from = datatype(old);
    type.committed = from.committed;
    if (from.attributes) {
      type.attributes = std::make_unique<Attributes>();
      copy_attributes(old, *from.attributes, *type.attributes);
    }
  });
}

PSIM_MPI(int, Type_hvector,
         (int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* result)) {
  return PMPI_Type_create_hvector(count, length, stride, old, result);
}
PSIM_MPI(int, Type_hindexed,
         (int n, int* lengths, MPI_Aint* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  return hindexed("MPI_Type_hindexed", n, lengths, displacements, old, result);
}
PSIM_MPI(int, Type_struct,
         (int n, int* lengths, MPI_Aint* displacements, MPI_Datatype* types, MPI_Datatype* result)) {
  return structure("MPI_Type_struct", n, lengths, displacements, types, result);
}

// SPDX-License-Identifier: Apache-2.0
// Constructors of datatypes (MPI-3.1 section 4.1.2) except for arrays, and the deprecated ones.
#include <initializer_list>
#include <memory>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

/// Checks the lists of a constructor before the type is made, because it stores their contents.
int check_lists(const char* function, int n, std::initializer_list<const void*> lists) {
  return unobserved(function, [&] {
    check_count(n);
    for (const void* list : lists) check_array(list, n, "a list of lengths, displacements or types");
  });
}

void add(std::vector<int>& integers, const int* list, int n) {
  integers.insert(integers.end(), list, list + n);
}

int structure(const char* function, int n, const int* lengths, const MPI_Aint* displacements,
              const MPI_Datatype* types, MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements, types})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {types, types + n}};
  add(contents.integers, lengths, n);
  return build(function, MPI_COMBINER_STRUCT, std::move(contents), result);
}

int hindexed(const char* function, int n, const int* lengths, const MPI_Aint* displacements, MPI_Datatype old,
             MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {old}};
  add(contents.integers, lengths, n);
  return build(function, MPI_COMBINER_HINDEXED, std::move(contents), result);
}

}  // namespace

PSIM_MPI(int, Type_contiguous, (int count, MPI_Datatype old, MPI_Datatype* result)) {
  return build("MPI_Type_contiguous", MPI_COMBINER_CONTIGUOUS, {{count}, {}, {old}}, result);
}
PSIM_MPI(int, Type_vector, (int count, int length, int stride, MPI_Datatype old, MPI_Datatype* result)) {
  return build("MPI_Type_vector", MPI_COMBINER_VECTOR, {{count, length, stride}, {}, {old}}, result);
}
PSIM_MPI(int, Type_create_hvector,
         (int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* result)) {
  return build("MPI_Type_create_hvector", MPI_COMBINER_HVECTOR, {{count, length}, {stride}, {old}}, result);
}
PSIM_MPI(int, Type_indexed,
         (int n, const int* lengths, const int* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_indexed", n, {lengths, displacements})) return error;
  Contents contents{{n}, {}, {old}};
  add(contents.integers, lengths, n);
  add(contents.integers, displacements, n);
  return build("MPI_Type_indexed", MPI_COMBINER_INDEXED, std::move(contents), result);
}
PSIM_MPI(int, Type_create_hindexed,
         (int n, const int* lengths, const MPI_Aint* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  return hindexed("MPI_Type_create_hindexed", n, lengths, displacements, old, result);
}
PSIM_MPI(int, Type_create_indexed_block,
         (int n, int length, const int* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_create_indexed_block", n, {displacements})) return error;
  Contents contents{{n, length}, {}, {old}};
  add(contents.integers, displacements, n);
  return build("MPI_Type_create_indexed_block", MPI_COMBINER_INDEXED_BLOCK, std::move(contents), result);
}
PSIM_MPI(int, Type_create_hindexed_block,
         (int n, int length, const MPI_Aint* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_create_hindexed_block", n, {displacements})) return error;
  return build("MPI_Type_create_hindexed_block", MPI_COMBINER_HINDEXED_BLOCK,
               {{n, length}, {displacements, displacements + n}, {old}}, result);
}
PSIM_MPI(int, Type_create_struct,
         (int n, const int* lengths, const MPI_Aint* displacements, const MPI_Datatype* types,
          MPI_Datatype* result)) {
  return structure("MPI_Type_create_struct", n, lengths, displacements, types, result);
}
PSIM_MPI(int, Type_create_resized, (MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* result)) {
  return build("MPI_Type_create_resized", MPI_COMBINER_RESIZED, {{}, {lb, extent}, {old}}, result);
}
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

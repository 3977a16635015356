// SPDX-License-Identifier: Apache-2.0
// Constructors of datatypes (MPI-3.1 section 4.1.2) except for arrays, and the deprecated ones.
#include <initializer_list>
#include <memory>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

void check_length(int length) { require(length >= 0, MPI_ERR_ARG, "the length of a block is negative"); }

/// Appends blocks of `part` at displacements in bytes.
template <class Length, class Displacement>
void append_blocks(Datatype& type, const Datatype& part, int n, Length length, Displacement displacement) {
  for (int i = 0; i < n; ++i) {
    check_length(length(i));
    append(type, part, static_cast<std::uint64_t>(length(i)), displacement(i), part.extent());
  }
}

int vector(const char* function, int count, int length, MPI_Aint stride, bool in_bytes, MPI_Datatype old,
           int combiner, Contents contents, MPI_Datatype* result) {
  return build(function, combiner, std::move(contents), result, [&](Datatype& type) {
    check_count(count);
    check_length(length);
    const Datatype& part = datatype(old);
    Datatype run;
    run.combiner = MPI_UNDEFINED;
    append(run, part, static_cast<std::uint64_t>(length), 0, part.extent());
    append(type, run, static_cast<std::uint64_t>(count), 0, in_bytes ? stride : stride * part.extent());
  });
}

/// Checks the lists of a constructor before the type is made, because it stores their contents.
int check_lists(const char* function, int n, std::initializer_list<const void*> lists) {
  return unobserved(function, [&] {
    check_count(n);
    for (const void* list : lists) check_array(list, n, "a list of lengths, displacements or types");
  });
}

int structure(const char* function, int n, const int* lengths, const MPI_Aint* displacements,
              const MPI_Datatype* types, MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements, types})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {types, types + n}};
  contents.integers.insert(contents.integers.end(), lengths, lengths + n);
  return build(function, MPI_COMBINER_STRUCT, std::move(contents), result, [&](Datatype& type) {
    for (int i = 0; i < n; ++i) {
      check_length(lengths[i]);
      const Datatype& part = datatype(types[i]);
      append(type, part, static_cast<std::uint64_t>(lengths[i]), displacements[i], part.extent());
    }
  });
}

int hindexed(const char* function, int n, const int* lengths, const MPI_Aint* displacements, MPI_Datatype old,
             MPI_Datatype* result) {
  if (const int error = check_lists(function, n, {lengths, displacements})) return error;
  Contents contents{{n}, {displacements, displacements + n}, {old}};
  contents.integers.insert(contents.integers.end(), lengths, lengths + n);
  return build(function, MPI_COMBINER_HINDEXED, std::move(contents), result, [&](Datatype& type) {
    append_blocks(
        type, datatype(old), n, [&](int i) { return lengths[i]; }, [&](int i) { return displacements[i]; });
  });
}

int resized(const char* function, MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* result) {
  return build(function, MPI_COMBINER_RESIZED, {{}, {lb, extent}, {old}}, result, [&](Datatype& type) {
    const Datatype& part = datatype(old);
    append(type, part, 1, 0, part.extent());
    type.lb = lb;
    type.ub = lb + extent;
    type.lb_marked = type.ub_marked = true;
  });
}

}  // namespace

PSIM_MPI(int, Type_contiguous, (int count, MPI_Datatype old, MPI_Datatype* result)) {
  return build("MPI_Type_contiguous", MPI_COMBINER_CONTIGUOUS, {{count}, {}, {old}}, result,
               [&](Datatype& type) {
                 check_count(count);
                 const Datatype& part = datatype(old);
                 append(type, part, static_cast<std::uint64_t>(count), 0, part.extent());
               });
}
PSIM_MPI(int, Type_vector, (int count, int length, int stride, MPI_Datatype old, MPI_Datatype* result)) {
  return vector("MPI_Type_vector", count, length, stride, false, old, MPI_COMBINER_VECTOR,
                {{count, length, stride}, {}, {old}}, result);
}
PSIM_MPI(int, Type_create_hvector,
         (int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* result)) {
  return vector("MPI_Type_create_hvector", count, length, stride, true, old, MPI_COMBINER_HVECTOR,
                {{count, length}, {stride}, {old}}, result);
}
PSIM_MPI(int, Type_indexed,
         (int n, const int* lengths, const int* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_indexed", n, {lengths, displacements})) return error;
  Contents contents{{n}, {}, {old}};
  contents.integers.insert(contents.integers.end(), lengths, lengths + n);
  contents.integers.insert(contents.integers.end(), displacements, displacements + n);
  return build("MPI_Type_indexed", MPI_COMBINER_INDEXED, std::move(contents), result, [&](Datatype& type) {
    const Datatype& part = datatype(old);
    append_blocks(
        type, part, n, [&](int i) { return lengths[i]; },
        [&](int i) { return displacements[i] * part.extent(); });
  });
}
PSIM_MPI(int, Type_create_hindexed,
         (int n, const int* lengths, const MPI_Aint* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  return hindexed("MPI_Type_create_hindexed", n, lengths, displacements, old, result);
}
PSIM_MPI(int, Type_create_indexed_block,
         (int n, int length, const int* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_create_indexed_block", n, {displacements})) return error;
  Contents contents{{n, length}, {}, {old}};
  contents.integers.insert(contents.integers.end(), displacements, displacements + n);
  return build("MPI_Type_create_indexed_block", MPI_COMBINER_INDEXED_BLOCK, std::move(contents), result,
               [&](Datatype& type) {
                 const Datatype& part = datatype(old);
                 append_blocks(
                     type, part, n, [&](int) { return length; },
                     [&](int i) { return displacements[i] * part.extent(); });
               });
}
PSIM_MPI(int, Type_create_hindexed_block,
         (int n, int length, const MPI_Aint* displacements, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_lists("MPI_Type_create_hindexed_block", n, {displacements})) return error;
  return build("MPI_Type_create_hindexed_block", MPI_COMBINER_HINDEXED_BLOCK,
               {{n, length}, {displacements, displacements + n}, {old}}, result, [&](Datatype& type) {
                 append_blocks(
                     type, datatype(old), n, [&](int) { return length; },
                     [&](int i) { return displacements[i]; });
               });
}
PSIM_MPI(int, Type_create_struct,
         (int n, const int* lengths, const MPI_Aint* displacements, const MPI_Datatype* types,
          MPI_Datatype* result)) {
  return structure("MPI_Type_create_struct", n, lengths, displacements, types, result);
}
PSIM_MPI(int, Type_create_resized, (MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* result)) {
  return resized("MPI_Type_create_resized", old, lb, extent, result);
}
PSIM_MPI(int, Type_dup, (MPI_Datatype old, MPI_Datatype* result)) {
  if (result != nullptr) *result = MPI_DATATYPE_NULL;  // remains null if an attribute's copy function fails
  return build("MPI_Type_dup", MPI_COMBINER_DUP, {{}, {}, {old}}, result, [&](Datatype& type) {
    const Datatype& from = datatype(old);
    type.size = from.size;
    type.lb = from.lb;
    type.ub = from.ub;
    type.segments = from.segments;
    type.pair = from.pair;
    type.lb_marked = from.lb_marked;
    type.ub_marked = from.ub_marked;
    type.basic = from.basic;
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

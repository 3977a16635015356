// SPDX-License-Identifier: Apache-2.0
// Types for parts of arrays: subarray and distributed array (MPI-3.1 sections 4.1.3, 4.1.4).
#include <initializer_list>

#include "mpi/functions/datatype/build.h"

using namespace psim::net::mpi;

namespace {

/// Makes a type of lists of `n` integers each, which follow `first` in the contents.
int make_array(const char* function, int combiner, std::initializer_list<int> first, int n,
               std::initializer_list<const int*> lists, int order, MPI_Datatype old, MPI_Datatype* result) {
  // The lists are checked before the type is made, because it stores their contents.
  if (const int error = unobserved(function, [&] {
        require(n >= 1, MPI_ERR_ARG, "ndims is not positive");
        for (const int* list : lists) check_array(list, n, "a list of sizes or starts");
      }))
    return error;
  Contents contents{first, {}, {old}};
  for (const int* list : lists) contents.integers.insert(contents.integers.end(), list, list + n);
  contents.integers.push_back(order);
  return build(function, combiner, std::move(contents), result);
}

}  // namespace

PSIM_MPI(int, Type_create_subarray,
         (int n, const int* sizes, const int* subsizes, const int* starts, int order, MPI_Datatype old,
          MPI_Datatype* result)) {
  return make_array("MPI_Type_create_subarray", MPI_COMBINER_SUBARRAY, {n}, n, {sizes, subsizes, starts},
                    order, old, result);
}

PSIM_MPI(int, Type_create_darray,
         (int size, int rank, int n, const int* sizes, const int* kinds, const int* arguments,
          const int* processes, int order, MPI_Datatype old, MPI_Datatype* result)) {
  return make_array("MPI_Type_create_darray", MPI_COMBINER_DARRAY, {size, rank, n}, n,
                    {sizes, kinds, arguments, processes}, order, old, result);
}

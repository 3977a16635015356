// SPDX-License-Identifier: Apache-2.0
// Types for parts of arrays: subarray and distributed array (MPI-3.1 sections 4.1.3, 4.1.4).
#include <initializer_list>

#include "mpi/functions/datatype/build.h"
#include "mpi/numbers.h"

using namespace psim::net::mpi;

namespace {

/// Makes a type of lists of `n` integers each, which follow `first` in the contents.
int make_array(const char* function, int combiner, std::initializer_list<MPI_Count> first, int n,
               std::initializer_list<Numbers> lists, int order, MPI_Datatype old, bool large,
               MPI_Datatype* result) {
  // The lists are checked before the type is made, because it stores their contents.
  if (const int error = unobserved(function, [&] {
        require(n >= 1, MPI_ERR_ARG, "ndims is not positive");
        for (const Numbers& list : lists) check_array(list.data(), n, "a list of sizes or starts");
      }))
    return error;
  Contents contents{first, {}, {old}, large};
  for (const Numbers& list : lists)
    for (int i = 0; i < n; ++i) contents.integers.push_back(list[i]);
  contents.integers.push_back(order);
  return build(function, combiner, std::move(contents), result);
}

}  // namespace

PSIM_MPI_COUNTED_CALL(Type_create_subarray,
                      (int n, const Number* sizes, const Number* subsizes, const Number* starts, int order,
                       MPI_Datatype old, MPI_Datatype* result),
                      make_array, MPI_COMBINER_SUBARRAY, {n}, n, {sizes, subsizes, starts}, order, old,
                      kLarge, result)

PSIM_MPI_COUNTED_CALL(Type_create_darray,
                      (int size, int rank, int n, const Number* sizes, const int* kinds, const int* arguments,
                       const int* processes, int order, MPI_Datatype old, MPI_Datatype* result),
                      make_array, MPI_COMBINER_DARRAY, {size, rank, n}, n,
                      {sizes, kinds, arguments, processes}, order, old, kLarge, result)

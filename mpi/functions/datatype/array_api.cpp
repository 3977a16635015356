// SPDX-License-Identifier: Apache-2.0
// Types for parts of arrays: subarray and distributed array (MPI-3.1 sections 4.1.3, 4.1.4).
#include <initializer_list>
#include <memory>
#include <vector>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"

using namespace psim::net::mpi;

namespace {

/// Half-open runs of indices of one dimension, repeated: block-cyclic in general.
struct Owned {
  std::vector<std::pair<MPI_Aint, MPI_Aint>> runs;  // first, length
};

/// Returns the dimensions from the fastest to the slowest.
std::vector<int> fastest_first(int n, int order) {
  std::vector<int> dims;
  for (int i = 0; i < n; ++i) dims.push_back(order == MPI_ORDER_C ? n - 1 - i : i);
  return dims;
}

/// Appends the elements whose index is owned in every dimension; the extent is that of the whole array.
void append_array(Datatype& type, const Datatype& element, const std::vector<int>& dims, const int* sizes,
                  const std::vector<Owned>& owned) {
  auto level = std::make_unique<Datatype>();
  level->combiner = MPI_UNDEFINED;
  append(*level, element, 1, 0, element.extent());
  MPI_Aint step = element.extent();  // bytes from one index of the dimension to the next
  for (int dim : dims) {
    auto next = std::make_unique<Datatype>();
    next->combiner = MPI_UNDEFINED;
    for (const auto& [first, length] : owned[static_cast<std::size_t>(dim)].runs)
      append(*next, *level, static_cast<std::uint64_t>(length), first * step, step);
    step *= sizes[dim];
    level = std::move(next);
  }
  append(type, *level, 1, 0, step);
  type.lb = 0;
  type.ub = step;
  type.lb_marked = type.ub_marked = true;
}

/// Returns the indices of a dimension of `size` that belong to process `coordinate` of `processes`.
Owned distribute(int size, int kind, int argument, int processes, int coordinate) {
  Owned owned;
  if (kind == MPI_DISTRIBUTE_NONE) {
    require(processes == 1, MPI_ERR_ARG);
    owned.runs.emplace_back(0, size);
    return owned;
  }
  int block = argument;
  if (kind == MPI_DISTRIBUTE_BLOCK) {
    if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = (size + processes - 1) / processes;
    require(static_cast<long long>(block) * processes >= size, MPI_ERR_ARG);
  } else {
    require(kind == MPI_DISTRIBUTE_CYCLIC, MPI_ERR_ARG);
    if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = 1;
  }
  require(block > 0, MPI_ERR_ARG);
  for (MPI_Aint first = static_cast<MPI_Aint>(coordinate) * block; first < size;
       first += static_cast<MPI_Aint>(block) * processes)
    owned.runs.emplace_back(first, std::min<MPI_Aint>(block, size - first));
  return owned;
}

/// Checks the lists before the type is made, because it stores their contents.
int check_dimensions(const char* function, int n, std::initializer_list<const int*> lists) {
  return unobserved(function, [&] {
    require(n >= 1, MPI_ERR_ARG, "ndims is not positive");
    for (const int* list : lists) check_array(list, n, "a list of sizes or starts");
  });
}

}  // namespace

PSIM_MPI(int, Type_create_subarray,
         (int n, const int* sizes, const int* subsizes, const int* starts, int order, MPI_Datatype old,
          MPI_Datatype* result)) {
  if (const int error = check_dimensions("MPI_Type_create_subarray", n, {sizes, subsizes, starts}))
    return error;
  Contents contents{{n}, {}, {old}};
  for (const int* list : {sizes, subsizes, starts})
    contents.integers.insert(contents.integers.end(), list, list + n);
  contents.integers.push_back(order);
  return build("MPI_Type_create_subarray", MPI_COMBINER_SUBARRAY, std::move(contents), result,
               [&](Datatype& type) {
                 require(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, MPI_ERR_ARG,
                         "order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
                 std::vector<Owned> owned;
                 for (int i = 0; i < n; ++i) {
                   if (sizes[i] < 1 || subsizes[i] < 0 || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
                     fail_about(MPI_ERR_ARG, "dimension %d: %d elements from %d on exceed the size %d", i,
                                subsizes[i], starts[i], sizes[i]);
                   owned.push_back({{{starts[i], subsizes[i]}}});
                 }
                 append_array(type, datatype(old), fastest_first(n, order), sizes, owned);
               });
}

PSIM_MPI(int, Type_create_darray,
         (int size, int rank, int n, const int* sizes, const int* kinds, const int* arguments,
          const int* processes, int order, MPI_Datatype old, MPI_Datatype* result)) {
  if (const int error = check_dimensions("MPI_Type_create_darray", n, {sizes, kinds, arguments, processes}))
    return error;
  Contents contents{{size, rank, n}, {}, {old}};
  for (const int* list : {sizes, kinds, arguments, processes})
    contents.integers.insert(contents.integers.end(), list, list + n);
  contents.integers.push_back(order);
  return build("MPI_Type_create_darray", MPI_COMBINER_DARRAY, std::move(contents), result,
               [&](Datatype& type) {
                 require(rank >= 0 && rank < size, MPI_ERR_ARG, "rank is not below size");
                 require(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, MPI_ERR_ARG,
                         "order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
                 std::vector<Owned> owned(static_cast<std::size_t>(n));
                 int rest = rank, all = 1;
                 for (int i = n - 1; i >= 0; --i) {  // processes are in C order for both orders of the array
                   require(sizes[i] >= 1 && processes[i] >= 1, MPI_ERR_ARG);
                   owned[static_cast<std::size_t>(i)] =
                       distribute(sizes[i], kinds[i], arguments[i], processes[i], rest % processes[i]);
                   rest /= processes[i];
                   all *= processes[i];
                 }
                 require(all == size, MPI_ERR_ARG);
                 append_array(type, datatype(old), fastest_first(n, order), sizes, owned);
               });
}

// SPDX-License-Identifier: Apache-2.0
#include "mpi/datatype/construct.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "mpi/object/failure.h"

namespace psim::net::mpi {
namespace {

MPI_Aint product(MPI_Count a, MPI_Count b) {
  MPI_Aint result;
  if (__builtin_mul_overflow(a, b, &result))
    fail_about(MPI_ERR_COUNT, "%lld times %lld is more than 63 bits can count", a, b);
  return result;
}

void check_number(MPI_Count count) {
  if (count < 0) fail_about(MPI_ERR_COUNT, "count is %lld, which is negative", count);
}
void check_length(MPI_Count length) {
  require(length >= 0, MPI_ERR_ARG, "the length of a block is negative");
}

void vector(Datatype& type, const Datatype& part, MPI_Count count, MPI_Count length, MPI_Aint stride) {
  check_number(count);
  check_length(length);
  Datatype run;
  run.combiner = MPI_UNDEFINED;
  append(run, part, static_cast<std::uint64_t>(length), 0, part.extent());
  append(type, run, static_cast<std::uint64_t>(count), 0, stride);
}

/// Appends blocks of `part` at displacements in bytes.
template <class Length, class Displacement>
void append_blocks(Datatype& type, const Datatype& part, MPI_Count n, Length length,
                   Displacement displacement) {
  for (MPI_Count i = 0; i < n; ++i) {
    check_length(length(i));
    append(type, part, static_cast<std::uint64_t>(length(i)), displacement(i), part.extent());
  }
}

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
void append_array(Datatype& type, const Datatype& element, const std::vector<int>& dims,
                  const MPI_Count* sizes, const std::vector<Owned>& owned) {
  auto level = std::make_unique<Datatype>();
  level->combiner = MPI_UNDEFINED;
  append(*level, element, 1, 0, element.extent());
  MPI_Aint step = element.extent();  // bytes from one index of the dimension to the next
  for (int dim : dims) {
    auto next = std::make_unique<Datatype>();
    next->combiner = MPI_UNDEFINED;
    for (const auto& [first, length] : owned[static_cast<std::size_t>(dim)].runs)
      append(*next, *level, static_cast<std::uint64_t>(length), product(first, step), step);
    step = product(step, sizes[dim]);
    level = std::move(next);
  }
  append(type, *level, 1, 0, step);
  type.lb = 0;
  type.ub = step;
  type.lb_marked = type.ub_marked = true;
}

/// Returns the indices of a dimension of `size` that belong to process `coordinate` of `processes`.
Owned distribute(MPI_Count size, MPI_Count kind, MPI_Count argument, MPI_Count processes,
                 MPI_Count coordinate) {
  Owned owned;
  if (kind == MPI_DISTRIBUTE_NONE) {
    require(processes == 1, MPI_ERR_ARG);
    owned.runs.emplace_back(0, size);
    return owned;
  }
  MPI_Count block = argument;
  if (kind == MPI_DISTRIBUTE_BLOCK) {
    if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = (size + processes - 1) / processes;
    require(block > 0 && (size + block - 1) / block <= processes, MPI_ERR_ARG);
  } else {
    require(kind == MPI_DISTRIBUTE_CYCLIC, MPI_ERR_ARG);
    if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = 1;
  }
  require(block > 0, MPI_ERR_ARG);
  for (MPI_Aint first = product(coordinate, block); first < size; first += product(block, processes))
    owned.runs.emplace_back(first, std::min<MPI_Aint>(block, size - first));
  return owned;
}

void check_order(MPI_Count order) {
  require(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, MPI_ERR_ARG,
          "order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
}

/// `integers`: n, sizes, subsizes, starts, order.
void subarray(Datatype& type, const Datatype& part, const std::vector<MPI_Count>& integers) {
  const int n = static_cast<int>(integers[0]), order = static_cast<int>(integers.back());
  const MPI_Count *sizes = &integers[1], *subsizes = sizes + n, *starts = subsizes + n;
  check_order(order);
  std::vector<Owned> owned;
  for (int i = 0; i < n; ++i) {
    if (sizes[i] < 1 || subsizes[i] < 0 || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
      fail_about(MPI_ERR_ARG, "dimension %d: %lld elements from %lld on exceed the size %lld", i, subsizes[i],
                 starts[i], sizes[i]);
    owned.push_back({{{starts[i], subsizes[i]}}});
  }
  append_array(type, part, fastest_first(n, order), sizes, owned);
}

/// `integers`: size, rank, n, sizes, kinds, arguments, processes, order.
void darray(Datatype& type, const Datatype& part, const std::vector<MPI_Count>& integers) {
  const MPI_Count size = integers[0], rank = integers[1];
  const int n = static_cast<int>(integers[2]), order = static_cast<int>(integers.back());
  const MPI_Count *sizes = &integers[3], *kinds = sizes + n, *arguments = kinds + n,
                  *processes = arguments + n;
  require(rank >= 0 && rank < size, MPI_ERR_ARG, "rank is not below size");
  check_order(order);
  std::vector<Owned> owned(static_cast<std::size_t>(n));
  MPI_Count rest = rank, all = 1;
  for (int i = n - 1; i >= 0; --i) {  // processes are in C order for both orders of the array
    require(sizes[i] >= 1 && processes[i] >= 1, MPI_ERR_ARG);
    owned[static_cast<std::size_t>(i)] =
        distribute(sizes[i], kinds[i], arguments[i], processes[i], rest % processes[i]);
    rest /= processes[i];
    all = product(all, processes[i]);
  }
  require(all == size, MPI_ERR_ARG);
  append_array(type, part, fastest_first(n, order), sizes, owned);
}

void duplicate(Datatype& type, const Datatype& from) {
  type.size = from.size;
  type.lb = from.lb;
  type.ub = from.ub;
  type.segments = from.segments;
  type.copies = from.copies;
  type.step = from.step;
  type.pair = from.pair;
  type.lb_marked = from.lb_marked;
  type.ub_marked = from.ub_marked;
  type.basic = from.basic;
}

}  // namespace

void construct(Datatype& type, int combiner, const Contents& contents,
               const std::vector<const Datatype*>& parts) {
  const std::vector<MPI_Count>& integers = contents.integers;
  const std::vector<MPI_Aint>& addresses = contents.addresses;
  const auto integer = [&](MPI_Count i) { return integers[static_cast<std::size_t>(i)]; };
  const auto address = [&](MPI_Count i) { return addresses[static_cast<std::size_t>(i)]; };
  const auto part = [&]() -> const Datatype& { return *parts[0]; };
  switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS:
      check_number(integer(0));
      append(type, part(), static_cast<std::uint64_t>(integer(0)), 0, part().extent());
      break;
    case MPI_COMBINER_VECTOR:
      vector(type, part(), integer(0), integer(1), product(integer(2), part().extent()));
      break;
    case MPI_COMBINER_HVECTOR:
      vector(type, part(), integer(0), integer(1), address(0));
      break;
    case MPI_COMBINER_INDEXED:
      append_blocks(
          type, part(), integer(0), [&](MPI_Count i) { return integer(1 + i); },
          [&](MPI_Count i) { return product(integer(1 + integer(0) + i), part().extent()); });
      break;
    case MPI_COMBINER_HINDEXED:
      append_blocks(
          type, part(), integer(0), [&](MPI_Count i) { return integer(1 + i); }, address);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      append_blocks(
          type, part(), integer(0), [&](MPI_Count) { return integer(1); },
          [&](MPI_Count i) { return product(integer(2 + i), part().extent()); });
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      append_blocks(
          type, part(), integer(0), [&](MPI_Count) { return integer(1); }, address);
      break;
    case MPI_COMBINER_STRUCT:
      for (MPI_Count i = 0; i < integer(0); ++i) {
        const Datatype& member = *parts[static_cast<std::size_t>(i)];
        check_length(integer(1 + i));
        append(type, member, static_cast<std::uint64_t>(integer(1 + i)), address(i), member.extent());
      }
      break;
    case MPI_COMBINER_SUBARRAY:
      subarray(type, part(), integers);
      break;
    case MPI_COMBINER_DARRAY:
      darray(type, part(), integers);
      break;
    case MPI_COMBINER_RESIZED:
      append(type, part(), 1, 0, part().extent());
      type.lb = address(0);
      type.ub = address(0) + address(1);
      type.lb_marked = type.ub_marked = true;
      break;
    case MPI_COMBINER_DUP:
      duplicate(type, part());
      break;
    default:
      fail(MPI_ERR_INTERN, "a datatype of an unknown constructor");
  }
}

}  // namespace psim::net::mpi

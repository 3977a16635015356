// SPDX-License-Identifier: Apache-2.0
#include "mpi/call_counts.h"

#include <cstring>
#include <stdexcept>

#include "mpi/collective/selection.h"

namespace psim::net::mpi {

CallCounts* call_counts = nullptr;
FunctionNumbers function_numbers;

std::size_t FunctionNumbers::add(std::size_t slot, const char* name) {
  std::size_t number = 0;
  while (number < size_ && std::strcmp(names_[number], name) != 0) ++number;
  if (number == kMost) throw std::logic_error("MPI has more functions than FunctionNumbers::kMost");
  if (number == size_) names_[size_++] = name;
  slots_[slot] = {name, number};
  return number;
}

MpiCounts named(const CallCounts& counts) {
  MpiCounts result;
  for (std::size_t number = 0; number < function_numbers.size(); ++number)
    if (const MpiCounts::Function& function = counts.functions[number]; function.calls + function.bytes != 0)
      result.functions[function_numbers.name(number)] = function;
  const std::vector<CollectiveNames>& names = collective_names();
  for (std::size_t kind = 0; kind < names.size(); ++kind)
    for (std::size_t i = 0; i < names[kind].algorithms.size(); ++i)
      if (const std::uint64_t calls = counts.collectives[kind][i]; calls != 0)
        result
            .collectives[std::string(names[kind].collective) + ' ' + std::string(names[kind].algorithms[i])] =
            calls;
  result.expected = counts.expected;
  result.unexpected = counts.unexpected;
  result.offloaded = counts.offloaded;
  result.longest_posted = counts.longest_posted;
  result.longest_unexpected = counts.longest_unexpected;
  return result;
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// Counts of a job's MPI calls: calls at their ranks, messages at the receiving rank.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace psim::net {

struct MpiCounts {
  struct Function {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;  ///< of user data that the calls sent, contributed, put or got
  };
  std::map<std::string, Function> functions;         ///< by name, "MPI_Send"; only those that were called
  std::map<std::string, std::uint64_t> collectives;  ///< calls of ranks by "allreduce ring"
  std::uint64_t polls = 0;                           ///< tests and probes that found nothing
  std::uint64_t expected = 0;                        ///< messages that found their receive posted
  std::uint64_t unexpected = 0;                      ///< messages that arrived before their receive
  std::uint64_t offloaded = 0;                       ///< messages that interfaces matched; of `expected`

  // Largest values of a rank; messages of point-to-point communication and of collectives apart.
  std::uint64_t longest_posted = 0, longest_unexpected = 0;

  void add(const MpiCounts& other) {
    for (const auto& [name, function] : other.functions) {
      functions[name].calls += function.calls;
      functions[name].bytes += function.bytes;
    }
    for (const auto& [name, calls] : other.collectives) collectives[name] += calls;
    polls += other.polls;
    expected += other.expected;
    unexpected += other.unexpected;
    offloaded += other.offloaded;
    longest_posted = std::max(longest_posted, other.longest_posted);
    longest_unexpected = std::max(longest_unexpected, other.longest_unexpected);
  }
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// Counts of MPI calls as statistics. Functions and algorithms have a statistic if they were called.
#pragma once

#include <cctype>
#include <memory>
#include <vector>

#include "base/statistics/registry.h"
#include "netsim/message/mpi_counts.h"

namespace psim::net {

class MpiStatistics {
 public:
  /// `counts` outlive it.
  explicit MpiStatistics(const MpiCounts& counts) : messages_(counts) {
    for (const auto& [name, function] : counts.functions) {
      calls_.add(short_name(name), "calls", "calls of " + name, function.calls);
      if (function.bytes != 0)
        bytes_.add(short_name(name), "bytes",
                   "bytes of user data that calls of " + name + " sent, contributed, put or got",
                   function.bytes);
    }
    for (const auto& [name, calls] : counts.collectives)
      collectives_.add(short_name(name), "calls",
                       "calls of ranks that used this algorithm, " + name + "; as part of others too", calls);
  }

  void add_to(statistics::Registry& registry) const {
    registry.add("mpi", "Messages and polls of MPI", messages_);
    registry.add("mpi_calls", "Calls of MPI functions, all ranks; only functions that were called", calls_);
    registry.add("mpi_bytes", "Bytes of user data by MPI function, all ranks", bytes_);
    registry.add("mpi_collectives", "Collectives by the algorithm chosen, all ranks", collectives_);
  }

 private:
  struct Messages : statistics::Group {
    explicit Messages(const MpiCounts& counts)
        : polls(*this, "polls", "calls", "tests and probes that found nothing", counts.polls),
          expected(*this, "expected", "messages", "messages that found their receive posted",
                   counts.expected),
          unexpected(*this, "unexpected", "messages", "messages that arrived before their receive",
                     counts.unexpected),
          offloaded(*this, "offloaded", "messages", "expected messages that interfaces matched: mpi.matching",
                    counts.offloaded),
          longest_posted(*this, "longest_posted", "receives",
                         "posted receives of a rank that waited for messages, at most",
                         counts.longest_posted),
          longest_unexpected(*this, "longest_unexpected", "messages",
                             "unexpected messages of a rank that waited for receives, at most",
                             counts.longest_unexpected) {}
    Watched polls, expected, unexpected, offloaded, longest_posted, longest_unexpected;
  };
  struct ByName : statistics::Group {
    void add(const std::string& name, std::string_view unit, const std::string& meaning,
             const std::uint64_t& count) {
      counts.push_back(std::make_unique<Watched>(*this, name, unit, meaning, count));
    }
    std::vector<std::unique_ptr<Watched>> counts;
  };

  /// Returns "isend" for "MPI_Isend".
  static std::string short_name(std::string name) {
    if (name.starts_with("MPI_")) name.erase(0, 4);
    for (char& c : name)
      c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
    return name;
  }

  Messages messages_;
  ByName calls_, bytes_, collectives_;
};

}  // namespace psim::net

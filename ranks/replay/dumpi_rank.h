// SPDX-License-Identifier: Apache-2.0
// Turns the calls of one rank of a DUMPI trace into operations.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ranks/replay/dumpi_communicators.h"
#include "ranks/replay/dumpi_text.h"
#include "ranks/replay/trace.h"

namespace psim::net::replay {

class DumpiRank {
 public:
  /// A part of a collective, whose size is that of all parts together.
  struct Part {
    std::uint64_t index;  ///< of its operation
    Collective collective;
    std::uint32_t root;
    std::uint64_t sent, received;
    /// Where they differ: the bytes of each rank in the communicator, of which its own count; of an Alltoallv
    /// the bytes to each
    std::vector<std::uint64_t> shares;
  };
  /// The calls of all ranks that are not replayed.
  struct Omissions {
    std::map<std::string, std::uint64_t, std::less<>> functions;
    std::uint64_t unknown_requests = 0;
  };

  /// Reads a file into `out`. The communicators of operations are this rank's numbers. Throws UserError.
  DumpiRank(const DumpiFile& file, RankTrace& out, Omissions& omissions);

  const DumpiHandles& handles() const { return handles_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  struct Message {
    Operation operation;  ///< its start
    bool nobody = false;  ///< to or from MPI_PROC_NULL
  };
  /// An operation that was begun and not yet completed.
  struct Pending {
    std::uint64_t index = 0;
    std::uint32_t request = 0;
    bool nobody = false, cancelled = false;
  };
  struct Function;
  static const Function* find(std::string_view name);

  void follow(const DumpiCall& call);
  void compute_until(std::uint64_t time);

  // Handlers of functions.
  void send(const DumpiCall& call);
  void send_buffered(const DumpiCall& call);
  void receive(const DumpiCall& call);
  void exchange(const DumpiCall& call);
  void start(const DumpiCall& call);
  void make_persistent(const DumpiCall& call);
  void start_persistent(const DumpiCall& call);
  void complete(const DumpiCall& call);
  void cancel(const DumpiCall& call);
  void free_request(const DumpiCall& call);
  void collective(const DumpiCall& call, Collective collective);
  void end_buffered(const DumpiCall& call);
  void finalize(const DumpiCall& call);
  void nothing(const DumpiCall&) {}

  /// Follows a call that makes a datatype.
  void datatype(const DumpiCall& call);
  std::uint64_t size_of(const DumpiCall& call, std::int64_t datatype) const;
  std::uint64_t bytes(const DumpiCall& call, std::string_view count, std::string_view datatype) const;
  /// Returns the bytes for each rank of a list of counts, and one datatype or a list.
  std::vector<std::uint64_t> list_of_bytes(const DumpiCall& call, std::string_view counts,
                                           std::string_view datatype) const;
  Message message(const DumpiCall& call, Kind kind, std::string_view count, std::string_view datatype,
                  std::string_view tag);
  Message simple_message(const DumpiCall& call) {
    return message(call, call.has("dest") ? Kind::Send : Kind::Receive, "count", "datatype", "tag");
  }
  Pending begin(const Message& message);
  /// Waits for an operation. `status`: null if the trace has none.
  void end(const Pending& pending, const DumpiStatus* status);
  void end_request(std::int64_t handle, const DumpiStatus* status);

  RankTrace& out_;
  Omissions& omissions_;
  DumpiHandles handles_;
  std::vector<Part> parts_;
  std::vector<std::uint64_t> sizes_;                              ///< of datatypes, by handle
  std::unordered_map<std::int64_t, Message> persistent_;          ///< by request
  std::unordered_map<std::int64_t, std::vector<Pending>> begun_;  ///< by request; first in, first out
  std::vector<Pending> buffered_;
  RequestNumbers numbers_;
  std::uint64_t last_ = 0;
  bool counting_ = false, finalized_ = false;
};

}  // namespace psim::net::replay

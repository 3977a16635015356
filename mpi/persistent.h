// SPDX-License-Identifier: Apache-2.0
// Persistent requests other than sends and receives: what MPI_Start does for them.
#pragma once

#include <cstdint>
#include <memory>

namespace psim::net::mpi {

struct Partitioned;

/// Belongs to a persistent request, whose `restarts` is set.
struct Restart {
  Restart() = default;
  Restart(const Restart&) = delete;
  Restart& operator=(const Restart&) = delete;
  virtual ~Restart() = default;
  /// Starts the operation of the request. Returns an error that has been passed to its error handler.
  virtual int start(std::uint32_t request) = 0;
  virtual Partitioned* partitioned() { return nullptr; }
};

/// Makes a request persistent and not started.
void set_restart(std::uint32_t request, std::unique_ptr<Restart> restart);
Restart& restart_of(std::uint32_t request);
void forget_restart(std::uint32_t request);

/// How collective_call() treats a persistent collective. The messages of all its starts have the tag that its
/// initialisation took, because ranks may start several in different orders (MPI-4.1 section 6.13).
struct Restarting {
  std::uint32_t request = 0;
  std::int32_t tag = 0;
  bool check = false;  ///< checks the arguments and takes a tag, without starting
};
/// For the next collective_call(), or null.
inline Restarting* restarting = nullptr;

}  // namespace psim::net::mpi

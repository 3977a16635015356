// SPDX-License-Identifier: Apache-2.0
// The host processes that simulate one network, `mpirun -n N psim net …`. Each serves a part of the routers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "netsim/parallel/parcel.h"

namespace psim::net {

class HostProcesses {
 public:
  virtual ~HostProcesses() = default;

  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// Sends out[p] to each other process p and receives in[p] from it. Both have size() entries; the own one
  /// is unused. A collective call. Spins for a while, then yields.
  virtual void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) = 0;

  bool first() const { return rank() == 0; }
  /// Calls write(parcel) on every process but 0, and read(parcel) on process 0 for each of these parcels by
  /// rank.
  void gather(const std::function<void(Parcel&)>& write, const std::function<void(Parcel&)>& read);
  /// Runs `work` on every process. If it throws UserError on any, process 0 throws the UserError of the
  /// lowest of these processes, and the others throw Elsewhere.
  void together(const std::function<void()>& work);

  /// Thrown where another process has failed and reports it.
  struct Elsewhere {};

 protected:
  bool all_leave_ = false;  ///< by an exception that every process throws
};

/// A single process.
class OneProcess final : public HostProcesses {
 public:
  std::uint32_t rank() const override { return 0; }
  std::uint32_t size() const override { return 1; }
  void exchange(const std::vector<Parcel>&, std::vector<Parcel>&) override {}
};

/// Returns whether connect_host_processes() makes this process the first.
bool first_of_host_processes();

/// Returns the processes started by mpirun, or a single one. Throws UserError, or Elsewhere, under mpirun if
/// the library that uses Open MPI is missing. The result ends all processes if it is destroyed by an
/// exception that not all of them throw. Load programs of ranks before the first exchange.
std::unique_ptr<HostProcesses> connect_host_processes();

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The host processes that simulate one network together, `mpirun -n N psim net …`, each a part of its
// routers.
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
  /// Gives out[p] to each other process p and fills in[p] with what p gave to this one; both have size()
  /// entries, their own unused. Every process calls it as often. Spins for a while, then yields.
  virtual void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) = 0;

  bool first() const { return rank() == 0; }
  /// Process 0 calls read(parcel) for what each other process wrote, in the order of their ranks.
  void gather(const std::function<void(Parcel&)>& write, const std::function<void(Parcel&)>& read);
  /// Runs `work` on every process. If it throws UserError anywhere, process 0 throws that of the first such
  /// process and the others Elsewhere.
  void together(const std::function<void()>& work);

  /// Another process has failed and reports it.
  struct Elsewhere {};

 protected:
  bool all_leave_ = false;  ///< with an exception that every process has
};

/// A program that runs alone.
class OneProcess final : public HostProcesses {
 public:
  std::uint32_t rank() const override { return 0; }
  std::uint32_t size() const override { return 1; }
  void exchange(const std::vector<Parcel>&, std::vector<Parcel>&) override {}
};

/// Whether connect_host_processes() will make this one the first.
bool first_of_host_processes();

/// Those that mpirun started this one with; alone if it did not. Throws UserError, or Elsewhere, if it did
/// and the library that talks to Open MPI is missing. What it returns ends all processes when it is destroyed
/// by an exception that not all of them have. Load programs of ranks before the first exchange.
std::unique_ptr<HostProcesses> connect_host_processes();

}  // namespace psim::net

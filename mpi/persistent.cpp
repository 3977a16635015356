// SPDX-License-Identifier: Apache-2.0
#include "mpi/persistent.h"

#include <unordered_map>
#include <utility>

#include "mpi/library.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

std::unordered_map<std::uint32_t, std::unique_ptr<Restart>>& restarts() {
  static RunState<std::unordered_map<std::uint32_t, std::unique_ptr<Restart>>> all;
  return all.value;
}

}  // namespace

void set_restart(std::uint32_t request, std::unique_ptr<Restart> restart) {
  Request& r = library->requests[request];
  r.persistent = r.restarts = true;
  r.active = false;
  restarts()[request] = std::move(restart);
}
Restart& restart_of(std::uint32_t request) { return *restarts().at(request); }
void forget_restart(std::uint32_t request) { restarts().erase(request); }

}  // namespace psim::net::mpi

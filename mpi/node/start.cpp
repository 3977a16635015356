// SPDX-License-Identifier: Apache-2.0
// Attaches the library to the node before main. In the archive it is in one object with the library's state,
// so that every program that uses the library has it.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "cosim/program_stamp.h"
#include "mpi/attach.h"
#include "mpi/node/node_host.h"
#include "netsim/message/mpi_config.h"

/// Of programs written for NSIM; null in others.
extern "C" [[gnu::weak]] int MGEN_Main(int argc, char** argv);

namespace psim::net::mpi::node {
namespace {

/// Costs are 0, since the library's instructions execute on the core. Handshakes advance whenever a message
/// is handled, which is inside calls only.
MpiConfig config() {
  MpiConfig config;
  if (MGEN_Main != nullptr) config.carry = 0;  // these programs may have no buffers
  config.eager = Bytes{kSlotData};
  config.progress = Progress::Async;
  config.poll = config.wtime = Picoseconds{0};
  config.rdma.post = config.rdma.completion = config.rdma.poll = Picoseconds{0};
  // psim passes the keys of the network that apply to nodes in variables of the environment.
  if (const char* const barrier = std::getenv("PSIM_BARRIER")) {
    SyncCommConfig& sync = config.sync;
    long long set = 0, access = 0, tick = 0;
    unsigned long long seed = 0;
    if (std::sscanf(barrier, "%u %lld %lld %lld %lf %u %llu", &sync.micro_cluster, &set, &access, &tick,
                    &sync.oscillator_ppm, &sync.stamps, &seed) == 7) {
      sync.kind = BarrierNetwork::SyncComm;
      sync.flag_set = Picoseconds{set}, sync.flag_access = Picoseconds{access}, sync.tick = Picoseconds{tick};
      config.clock.seed = seed;
    }
  }
  if (const char* const rules = std::getenv("PSIM_ALGORITHMS")) config.algorithms = rules;
  if (const char* const clocks = std::getenv("PSIM_CLOCK")) {
    ClockConfig& clock = config.clock;
    unsigned wtime = 0;
    long long offset = 0;
    unsigned long long seed = 0;
    if (std::sscanf(clocks, "%u %lld %lf %llu", &wtime, &offset, &clock.drift_ppm, &seed) == 4) {
      clock.wtime = static_cast<WtimeClock>(wtime);
      clock.offset = Picoseconds{offset};
      clock.seed = seed;
    }
  }
  return config;
}

/// Checked by psim before the program starts.
[[gnu::used, gnu::section(".note.psim"), gnu::aligned(4)]] const cosim::ProgramStamp stamp{.library =
                                                                                               PSIM_VERSION};

/// gcc's static libraries refer weakly to these functions, and call all of them if one is there.
[[gnu::used]] void* const kThreadFunctions[] = {
    reinterpret_cast<void*>(pthread_cond_broadcast), reinterpret_cast<void*>(pthread_cond_destroy),
    reinterpret_cast<void*>(pthread_cond_init),      reinterpret_cast<void*>(pthread_cond_wait),
    reinterpret_cast<void*>(pthread_create),         reinterpret_cast<void*>(pthread_getspecific),
    reinterpret_cast<void*>(pthread_join),           reinterpret_cast<void*>(pthread_key_create),
    reinterpret_cast<void*>(pthread_key_delete),     reinterpret_cast<void*>(pthread_mutex_destroy),
    reinterpret_cast<void*>(pthread_mutex_init),     reinterpret_cast<void*>(pthread_mutex_lock),
    reinterpret_cast<void*>(pthread_mutex_trylock),  reinterpret_cast<void*>(pthread_mutex_unlock),
    reinterpret_cast<void*>(pthread_once),           reinterpret_cast<void*>(pthread_self),
    reinterpret_cast<void*>(pthread_setspecific)};

[[gnu::constructor]] void attach() {
  const MpiConfig costs = config();
  static NodeHost host(costs.carry == 0);
  host.attach(*psim_attach_library(host, costs));
  if (host.ranks() > 1) scc_board = &host;
}

}  // namespace
}  // namespace psim::net::mpi::node

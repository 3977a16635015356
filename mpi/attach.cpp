// SPDX-License-Identifier: Apache-2.0
#include "mpi/attach.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "mpi/collective/collective.h"
#include "mpi/collective/disagreement.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/include/mgen_rdma.h"
#include "mpi/library.h"
#include "mpi/object/run_state.h"
#include "mpi/observe.h"
#include "mpi/rdma/rdma.h"
#include "mpi/requests.h"
#include "mpi/threads.h"
#include "mpi/tool_events.h"
#include "mpi/warnings.h"
#include "mpi/window/message.h"
#include "netsim/message/library_stamp.h"

namespace psim::net::mpi {

namespace {

void make_world(Mpi& mpi) {
  mpi.ranks.resize(mpi.host.ranks());
  for (const Host::World& job : mpi.worlds) {
    const Ref<Group> everyone(new Group(job.first, 1, job.size));
    const Ref<Shared> world = share(world_context(job.first), 0, everyone, {}, {});
    for (std::uint32_t i = 0; i < job.size; ++i) {
      Rank& rank = mpi.ranks[job.first + i];
      rank.id = job.first + i;
      rank.contexts = 1;  // number 0 of each rank is its MPI_COMM_SELF
      rank.world.shared = world;
      rank.world.rank = static_cast<int>(i);
      if (mpi.host.local(RankId{rank.id})) ++mpi.starting;
    }
  }
}

}  // namespace

Mpi::Mpi(Host& host_in, const MpiConfig& config_in)
    : host(host_in),
      config(config_in),
      worlds(host_in.worlds()),
      selection(config_in.algorithms),
      times(config_in.collective_times) {
  if (worlds.empty()) worlds.push_back({0, host.ranks(), config.carry});
  call_counts.resize(worlds.size());
  mpi::call_counts = call_counts.data();
}

void Mpi::serve(RankId first) {
  const auto job = std::ranges::find(worlds, index(first), &Host::World::first);
  config.carry = job->carry;
  mpi::call_counts = &call_counts[static_cast<std::size_t>(job - worlds.begin())];
}

Mpi::~Mpi() {
  // Frees requests and messages that no rank completed or received, for example of a job that was ended.
  for (std::uint32_t i = 1; i <= requests.highest(); ++i) free_owned(requests[i]);
  for (const Rank& rank : ranks)
    for (const Queue& queue : rank.unexpected)
      for (std::uint32_t i = queue.head; i != 0; i = unexpected[i].next) std::free(unexpected[i].data);
}

const rdma::Counts* Mpi::rdma_counts() const { return rdma_ ? &rdma_->engine.counts() : nullptr; }

std::vector<MpiCounts> Mpi::mpi_counts() const {
  std::vector<MpiCounts> counts;
  for (const CallCounts& job : call_counts) counts.push_back(named(job));
  return counts;
}

Rdma& Mpi::rdma() {
  if (!rdma_) rdma_ = std::make_unique<Rdma>(*this);
  return *rdma_;
}

void Mpi::one_sided_arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) {
  if (envelope.kind == static_cast<std::uint8_t>(MessageKind::Window)) return window_message(envelope);
  rdma().engine.arrived(envelope, data, bytes);
}

void Mpi::one_sided_departed(const Envelope& envelope) { rdma().engine.departed(envelope); }

void Mpi::timer(RankId rank, std::uint64_t token) {
  const Callback callback(*this);
  if (token == kThreadTimer) return wake_threads(ranks[index(rank)]);
  overhead_paid(*reinterpret_cast<Collective*>(token));
}

void Mpi::describe(RankId rank, bool polls, char* text, std::size_t size) const {
  const Rank& r = ranks[index(rank)];
  std::snprintf(text, size, "%s", "");
  const auto append = [&](const char* more) {
    const std::size_t used = std::strlen(text);
    std::snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "", more);
  };
  if (polls || !r.threaded) describe_call(r, r.pending, text, size);
  if (polls) {
    const std::size_t used = std::strlen(text);
    std::snprintf(text + used, size - used, ", repeatedly");
  }
  if (r.threaded) describe_threads(*this, r, append);
  if (const std::string more = unexpected_data(r, false); !more.empty()) append(more.c_str());
}

void Mpi::warnings(const Warn& warn) const { report_warnings(warn); }

void Mpi::describe_call(const Rank& r, const PendingCall& call, char* text, std::size_t size) const {
  if (const std::string operation = rdma_ ? rdma_->waits_for(r.id) : std::string(); !operation.empty()) {
    std::snprintf(text, size, "%s(%s)", call.function, operation.c_str());
    return;
  }
  const char* comm = call.comm == MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
                     : call.comm == MPI_COMM_SELF ? "MPI_COMM_SELF"
                                                  : nullptr;
  char other[32];
  if (comm == nullptr) {
    // Host processes may name it by different handles; its context is the same in all of them.
    const std::uint32_t at = handle_index(call.comm) - 2;
    if (communicators.holds(at) && communicators[at].shared)
      std::snprintf(other, sizeof other, "communicator %u", communicators[at].shared->context);
    else
      std::snprintf(other, sizeof other, "a communicator");
    comm = other;
  }
  char source[24] = "any source", tag[24] = "any tag";
  if (call.source != MPI_ANY_SOURCE) std::snprintf(source, sizeof source, "rank %d", call.source);
  if (call.tag != MPI_ANY_TAG) std::snprintf(tag, sizeof tag, "tag %d", call.tag);
  if (call.tag == ACP_PUT_TAG) std::snprintf(tag, sizeof tag, "ACP_PUT_TAG");
  if (call.source != MPI_UNDEFINED)
    std::snprintf(text, size, "%s(%s, %s, %s)", call.function, source, tag, comm);
  else if (call.comm != MPI_COMM_NULL)
    std::snprintf(text, size, "%s(%s)", call.function, comm);
  else
    std::snprintf(text, size, "%s", call.function);
}

}  // namespace psim::net::mpi

extern "C" const char psim_library_stamp[] = PSIM_LIBRARY_STAMP;

psim::net::Library* psim_attach_library(psim::net::Host& host, const psim::net::MpiConfig& config) {
  using namespace psim::net::mpi;
  if (library != nullptr) throw std::logic_error("the MPI library serves one simulation at a time");
  library = new Mpi(host, config);
  observer = host.observer();
  measured = host.measures();
  rank_thread = main_thread = this_thread();
  make_predefined_datatypes();
  make_world(*library);
  update_calls_observed();
  return library;
}

void psim_library_forked() {
  psim::net::mpi::forked = true;
  psim::net::mpi::update_calls_observed();
}

void psim_detach_library() {
  using namespace psim::net::mpi;
  delete library;
  RunStateBase::reset_all();
  call_counts = nullptr;
  library = nullptr;
  observer = nullptr;
  tool_callbacks = 0;
  noting = calls_observed = measured = false;
}

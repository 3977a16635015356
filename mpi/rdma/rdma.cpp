// SPDX-License-Identifier: Apache-2.0
#include "mpi/rdma/rdma.h"

#include <cstdio>

#include "mpi/include/mgen_rdma.h"
#include "mpi/library.h"
#include "mpi/protocol.h"
#include "mpi/threads.h"

namespace psim::net::mpi {

Rdma::Rdma(Mpi& mpi)
    : engine(mpi.host, mpi.config.rdma, *this, static_cast<std::uint8_t>(MessageKind::Rdma)),
      addresses(mpi.host.ranks()),
      acp(mpi.host.ranks()),
      mpi_(mpi),
      waits_(mpi.host.ranks()) {}

void Rdma::register_memory(const void* address, std::uint64_t bytes) {
  ++engine.counts().registrations;
  engine.counts().registered_bytes += bytes;
  constexpr std::uint64_t kPage = 4096;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::uint64_t pages = bytes == 0 ? 0 : (first + bytes - 1) / kPage - first / kPage + 1;
  mpi_.host.sleep(mpi_.config.rdma.registration +
                  static_cast<std::int64_t>(pages) * mpi_.config.rdma.registration_page);
}

void Rdma::wait(Rank& me, rdma::Handle handle, bool with_earlier) {
  Wait& wait = waits_[me.id];
  wait = {handle, with_earlier};
  if (!reached(me.id, wait)) {
    me.waiting = 1;
    block(me, [&, mine = Wait(wait)] { return reached(me.id, mine); });
  }
  wait = {};
}

std::string Rdma::waits_for(std::uint32_t rank) const {
  const Wait& wait = waits_[rank];
  if (wait.handle == 0) return {};
  const rdma::OperationOrder& order = const_cast<Rdma*>(this)->engine.of(rank);
  // With earlier operations: the first that is not complete.
  rdma::Handle handle = wait.handle;
  if (wait.with_earlier) handle = order.first();
  const rdma::Operation& o = order[handle];
  std::string text = "handle " + std::to_string(handle) + ": ";
  if (o.action != rdma::Action::Copy) return text + "an atomic operation on rank " + std::to_string(o.source);
  text += "a copy of " + std::to_string(o.bytes) + " bytes from rank " + std::to_string(o.source) +
          " to rank " + std::to_string(o.destination);
  if (o.program_acknowledges) text += ", which that rank's program has to acknowledge (rdma.put_ack)";
  return text;
}

bool Rdma::carries(std::uint64_t bytes) const { return mpi::carries(bytes); }

std::byte* Rdma::find(std::uint32_t rank, std::uint64_t address, std::uint64_t bytes) {
  const AcpRank* const here = acp[rank].get();
  std::byte* found = nullptr;
  if (here != nullptr && addresses.rank(address) == here->rank)
    found = here->memory.find(addresses.key(address), addresses.offset(address), bytes);
  if (found == nullptr) {
    char text[20];
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(address));
    mpi_.host.abort_job(1, "rank " + std::to_string(rank) + " has not registered " + std::to_string(bytes) +
                               " bytes at global address " + text + ", which an ACP operation accesses");
  }
  return found;
}

void Rdma::arrived(const rdma::Arrival& arrival) {
  if (arrival.addressed) return;  // ACP programs poll their memory
  Envelope notice;
  notice.source = RankId{arrival.source};
  notice.destination = RankId{arrival.destination};
  notice.context = kPutContext;
  notice.tag = ACP_PUT_TAG;
  notice.bytes = arrival.bytes;
  notice.rank = arrival.source;
  notice.kind = static_cast<std::uint8_t>(MessageKind::Eager);
  match(notice, nullptr, 0);
}

void Rdma::completed(std::uint32_t rank, rdma::Handle) {
  Rank& waiting = mpi_.ranks[rank];
  if (waiting.threaded) return wake_threads(waiting);
  if (waits_[rank].handle == 0 || !reached(rank, waits_[rank])) return;
  waiting.waiting = 0;
  wake(waiting);
}

}  // namespace psim::net::mpi

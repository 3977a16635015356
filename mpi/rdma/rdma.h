// SPDX-License-Identifier: Apache-2.0
// Remote direct memory access for programs: MGEN_acp_copy of paper 000 and the basic layer of the ACP
// library, over one engine. State of all ranks of the host process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mpi/communicator.h"
#include "mpi/rank.h"
#include "netsim/rdma/engine.h"
#include "netsim/rdma/registered_memory.h"

namespace psim::net::mpi {

class Mpi;

/// A rank between acp_init and acp_finalize.
struct AcpRank {
  MPI_Comm comm = MPI_COMM_WORLD;  ///< its ranks are ACP's ranks
  Ref<Group> group;                ///< of comm
  std::uint32_t rank = 0;
  std::vector<std::byte> starter;
  rdma::RegisteredMemory memory;                                             ///< key 0: starter
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> channels;  ///< made, by sender and receiver
};

class Rdma final : public rdma::Client {
 public:
  explicit Rdma(Mpi& mpi);

  rdma::Engine engine;
  rdma::GlobalAddresses addresses;
  std::vector<std::unique_ptr<AcpRank>> acp;  ///< by rank of the world

  /// Registers memory of the running rank and takes the time for it.
  void register_memory(const void* address, std::uint64_t bytes);
  /// Stops the running rank until an operation of its own is complete, or it and all earlier ones.
  void wait(Rank& me, rdma::Handle handle, bool with_earlier);
  /// Describes what a rank in wait() waits for; empty if it is not there.
  std::string waits_for(std::uint32_t rank) const;

  bool carries(std::uint64_t bytes) const override;
  std::byte* find(std::uint32_t rank, std::uint64_t address, std::uint64_t bytes) override;
  void arrived(const rdma::Arrival& arrival) override;
  void completed(std::uint32_t rank, rdma::Handle handle) override;
  // Operations on windows; window/message.cpp defines these two.
  rdma::Answer perform(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) override;
  void replied(std::uint32_t token, const Envelope& envelope, const std::byte* data,
               std::uint64_t bytes) override;

 private:
  struct Wait {
    rdma::Handle handle = 0;  ///< 0: the rank does not wait here
    bool with_earlier = false;
  };
  bool reached(std::uint32_t rank, const Wait& wait) {
    const rdma::OperationOrder& order = engine.of(rank);
    return wait.with_earlier ? order.all_complete(wait.handle) : order.complete(wait.handle);
  }

  Mpi& mpi_;
  std::vector<Wait> waits_;  ///< by rank
};

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// A request: an operation under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/datatype/datatype.h"
#include "mpi/include/mpi.h"

namespace psim::net::mpi {

struct AttachedBuffer;
struct Collective;
struct Rank;

enum class RequestKind : std::uint8_t { None, Send, Receive, Collective, Generalized, Window };
enum class SendMode : std::uint8_t { Standard, Synchronous, Buffered, Ready };

struct GeneralizedRequest {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
};

struct Request {
  std::uint32_t owner = 0;  ///< rank of the world
  RequestKind kind = RequestKind::None;
  SendMode mode = SendMode::Standard;
  bool complete = false;
  bool waited = false;  ///< its completion counts down Rank::waiting
  bool persistent = false;
  bool active = false;    ///< persistent and started; always true if not persistent
  bool detached = false;  ///< without a handle of the user's: freed when complete
  bool cancelled = false;
  bool posted = false;    ///< in the posted queue
  bool filled = false;    ///< the data of its rendezvous are already in the buffer
  bool internal = false;  ///< of a collective or window operation: `notify` is called at completion
  bool charged = false;   ///< internal receive that costs its processor mpi.recv_overhead
  MPI_Comm comm = MPI_COMM_NULL;
  std::uint32_t context = 0;
  std::int32_t peer = 0;  ///< rank in the communicator, or MPI_ANY_SOURCE, MPI_PROC_NULL
  std::int32_t tag = 0;
  std::uint32_t world = 0;  ///< of the destination, or of the source once matched
  bool offloaded = false;   ///< the interface holds it, or has matched it: mpi.matching
  bool restarts = false;    ///< persistent, and started by a function of its own: persistent.h
  std::byte* buffer = nullptr;
  Datatype* type = nullptr;  ///< null: plain bytes. Counted; released by release()
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;      ///< to send, or room to receive
  std::byte* packed = nullptr;  ///< owned: packed data to send, or null to send the user's buffer
  std::uint64_t buffered = 0;   ///< bytes taken from the buffer of MPI_Buffer_attach
  union {
    Collective* notify = nullptr;     ///< of `internal` requests
    GeneralizedRequest* generalized;  ///< owned, of RequestKind::Generalized
    std::string* note;                ///< owned, of a failed RequestKind::Collective: text of the error
    AttachedBuffer* room;             ///< of buffered sends: where `buffered` bytes are taken
    std::int64_t completed_at;        ///< time of completion in ps, of a receive of the program's
  };
  std::int32_t got_source = 0, got_tag = 0, error = 0;
  std::uint32_t remote = 0;  ///< of a rendezvous: request of the other side
  std::uint32_t serial = 0;  ///< of a send by rendezvous, sent or received: see CallNote
  std::uint32_t number = 0;  ///< for the observer: see CallNote
  std::uint64_t got_bytes = 0;
};
static_assert(sizeof(Request) == 128, "two lines of cache; docs/decisions/0022");

/// Context of receives with ACP_PUT_TAG, which wait for notices of puts. No communicator has it; its peers
/// are ranks of the world.
constexpr std::uint32_t kPutContext = 0xfffffffe;

/// Handles of sends that completed before their call returned have no request: they carry this bit. The bits
/// below hold destination and serial of an eager message, so that MPI_Cancel can request it back, or are all
/// set.
constexpr std::uint32_t kDoneBit = 1u << 26, kDoneIndex = (1u << 27) - 1;
inline bool is_done(std::uint32_t index) { return (index & kDoneBit) != 0; }

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// An observer of ranks' calls, and of the messages and collectives in them. For timelines.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"

namespace psim::net {

/// Something that happens at one instant of a call.
struct CallNote {
  enum class Kind : std::uint8_t {
    Send,             ///< a send starts
    SendDone,         ///< a send that outlived its call has completed
    Post,             ///< a receive starts
    Receive,          ///< a message has been received
    Cancelled,        ///< a posted receive (`number`) has been cancelled
    CollectiveBegin,  ///< number 0: it ends with the call
    CollectiveEnd
  };
  static constexpr std::uint32_t kNoRoot = 0xffffffff;

  Kind kind{};
  std::uint32_t peer = 0;       ///< rank of the world; of a collective its root in the communicator
  std::uint32_t peer_rank = 0;  ///< in the communicator
  std::uint32_t context = 0;    ///< of the communicator
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;     ///< of user data; of a collective, sent by this rank
  std::uint64_t received = 0;  ///< of a collective: received by this rank
  /// Sends of a rank are numbered 1, 2, …; SendDone repeats the number. Of a receive: the number of its send.
  std::uint32_t serial = 0;
  /// Receives and non-blocking collectives of a rank are numbered 1, 2, … 0: none.
  std::uint32_t number = 0;
};

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// Called when the rank enters a function, also for nested calls. `function` is static text.
  virtual void enter(RankId rank, const char* function) = 0;
  virtual void leave(RankId rank) = 0;
  virtual void note(RankId rank, const CallNote& note) = 0;
  /// Called before the first note with this context in this host process, with the ranks of the world by rank
  /// in the communicator. `remote`: the other side of an intercommunicator, else empty.
  virtual void communicator(std::uint32_t context, std::span<const std::uint32_t> members,
                            std::span<const std::uint32_t> remote) = 0;
};

}  // namespace psim::net

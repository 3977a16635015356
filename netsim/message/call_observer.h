// SPDX-License-Identifier: Apache-2.0
// Who hears what ranks do: their calls, and the messages and collectives in them. For timelines.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"

namespace psim::net {

/// Something that happens at one instant of a call.
struct CallNote {
  enum class Kind : std::uint8_t {
    Send,             ///< a send starts
    SendDone,         ///< a send that its call did not end is over
    Post,             ///< a receive starts
    Receive,          ///< a message has been received
    Cancelled,        ///< a posted receive (`number`) has been taken back
    CollectiveBegin,  ///< number 0: the call ends it, too
    CollectiveEnd
  };
  static constexpr std::uint32_t kNoRoot = 0xffffffff;

  Kind kind{};
  std::uint32_t peer = 0;       ///< rank of the world; of a collective its root in the communicator
  std::uint32_t peer_rank = 0;  ///< in the communicator
  std::uint32_t context = 0;    ///< of the communicator
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;     ///< of user data; of a collective, what this rank gives
  std::uint64_t received = 0;  ///< of a collective: what it gets
  /// Sends of a rank count 1, 2, …: SendDone repeats the number. Of a receive: that of the message's send.
  std::uint32_t serial = 0;
  /// Receives of a rank count 1, 2, …; collectives that do not block, too. 0: none.
  std::uint32_t number = 0;
};

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// The rank enters a function at the present time. `function` is static text. Calls within calls are
  /// announced, too.
  virtual void enter(RankId rank, const char* function) = 0;
  virtual void leave(RankId rank) = 0;
  virtual void note(RankId rank, const CallNote& note) = 0;
  /// Before the first note with this context, in this host process: ranks of the world by rank in the
  /// communicator. `remote`: the other side of an intercommunicator, else empty.
  virtual void communicator(std::uint32_t context, std::span<const std::uint32_t> members,
                            std::span<const std::uint32_t> remote) = 0;
};

}  // namespace psim::net

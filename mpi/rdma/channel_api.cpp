// SPDX-License-Identifier: Apache-2.0
// Channels of ACP's middle layer: messages in one direction between two ranks, over the library's own eager
// and rendezvous protocols. The n-th channel of a pair on one side is the n-th on the other.
#include "mpi/include/acp.h"
#include "mpi/point_to_point.h"
#include "mpi/protocol.h"
#include "mpi/rdma/acp.h"
#include "mpi/requests.h"

using namespace psim::net;
using namespace psim::net::mpi;

/// One side of a channel.
struct psim_acp_channel {
  std::uint32_t sender, receiver;  ///< ranks of the world
  std::int32_t number;             ///< counts channels of the pair in this direction; even or odd by the
                                   ///< direction
  bool freed = false;
};

/// The request that acp_wait_ch waits for.
struct psim_acp_request {
  std::uint32_t request = 0;  ///< 0: complete
  bool receives = false;
  psim_acp_channel* freed = nullptr;  ///< deleted with the request
};

namespace {

// Contexts that no communicator has.
constexpr std::uint32_t kChannelContext = 0xfffffffc, kFreeContext = 0xfffffffa;

Route route_to(const psim_acp_channel& channel, std::uint32_t destination, std::uint32_t context) {
  return {context, self().id, destination, channel.number};
}

std::uint32_t receive_from(Rank& me, const psim_acp_channel& channel, std::uint32_t source,
                           std::uint32_t context, void* buffer, std::uint64_t bytes) {
  const std::uint32_t index = new_request(me, RequestKind::Receive);
  Request& r = library->requests[index];
  r.context = context;
  r.peer = static_cast<std::int32_t>(source);
  r.tag = channel.number;
  r.buffer = static_cast<std::byte*>(buffer);
  r.count = r.bytes = bytes;
  start_receive(me, index);
  return index;
}

bool usable(const psim_acp_channel* channel) {
  return acp_here() != nullptr && channel != nullptr && !channel->freed;
}

}  // namespace

extern "C" {

acp_ch_t acp_create_ch(int sender, int receiver) {
  const Call call("acp_create_ch");
  AcpRank* const state = acp_here();
  if (state == nullptr || sender == receiver) return ACP_CH_NULL;
  const int mine = static_cast<int>(state->rank), ranks = static_cast<int>(state->group->size());
  if ((sender != mine && receiver != mine) || sender < 0 || receiver < 0 || sender >= ranks ||
      receiver >= ranks)
    return ACP_CH_NULL;
  const std::uint32_t from = state->group->world(static_cast<std::uint32_t>(sender));
  const std::uint32_t to = state->group->world(static_cast<std::uint32_t>(receiver));
  const std::int32_t number = state->channels[{from, to}]++;
  return new psim_acp_channel{from, to, 2 * number + (from < to ? 0 : 1)};
}

acp_request_t acp_nbsend_ch(acp_ch_t channel, void* buffer, size_t size) {
  const Call call("acp_nbsend_ch");
  if (!usable(channel) || channel->sender != self().id) return ACP_REQUEST_NULL;
  Rank& me = acp_enter("acp_nbsend_ch");
  const Route route = route_to(*channel, channel->receiver, kChannelContext);
  library->host.send_overhead(library->config.send_overhead);
  auto* request = new psim_acp_request;
  if (size <= library->config.eager.count) {
    send_eager(me, route, static_cast<const std::byte*>(buffer), size);
    return request;
  }
  request->request = new_request(me, RequestKind::Send);
  Request& r = library->requests[request->request];
  r.context = route.context;
  r.tag = route.tag;
  r.buffer = static_cast<std::byte*>(buffer);
  r.count = r.bytes = size;
  send_request_to_send(me, route, request->request);
  return request;
}

acp_request_t acp_nbrecv_ch(acp_ch_t channel, void* buffer, size_t size) {
  const Call call("acp_nbrecv_ch");
  if (!usable(channel) || channel->receiver != self().id) return ACP_REQUEST_NULL;
  Rank& me = acp_enter("acp_nbrecv_ch");
  return new psim_acp_request{receive_from(me, *channel, channel->sender, kChannelContext, buffer, size),
                              true};
}

acp_request_t acp_nbfree_ch(acp_ch_t channel) {
  const Call call("acp_nbfree_ch");
  if (!usable(channel)) return ACP_REQUEST_NULL;
  Rank& me = acp_enter("acp_nbfree_ch");
  const std::uint32_t other = channel->sender == me.id ? channel->receiver : channel->sender;
  channel->freed = true;
  send_eager(me, route_to(*channel, other, kFreeContext), nullptr, 0);
  return new psim_acp_request{receive_from(me, *channel, other, kFreeContext, nullptr, 0), false, channel};
}

size_t acp_wait_ch(acp_request_t request) {
  const Call call("acp_wait_ch");
  if (request == ACP_REQUEST_NULL) return static_cast<size_t>(-1);
  Rank& me = acp_enter("acp_wait_ch");
  size_t size = 0;
  if (request->request != 0) {
    wait_for(me, request->request);
    if (request->receives) size = library->requests[request->request].got_bytes;
    release(request->request);
  }
  if (request->receives) library->host.receive_overhead(library->config.recv_overhead);
  delete request->freed;
  delete request;
  return size;
}

int acp_waitall_ch(acp_request_t* requests, int count, size_t* sizes) {
  int status = 0;
  for (int i = 0; i < count; ++i) {
    const size_t size = acp_wait_ch(requests[i]);
    if (size == static_cast<size_t>(-1)) status = -1;
    if (sizes != nullptr) sizes[i] = size;
  }
  return status;
}

int acp_free_ch(acp_ch_t channel) {
  const acp_request_t request = acp_nbfree_ch(channel);
  return acp_wait_ch(request) == 0 ? 0 : -1;
}

}  // extern "C"

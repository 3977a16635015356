// SPDX-License-Identifier: Apache-2.0
// The basic layer of ACP: copies, atomic operations and their completion.
#include "mpi/include/acp.h"
#include "mpi/rdma/acp.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

using rdma::Action;
using rdma::Handle;
using rdma::Operation;
using rdma::Order;

/// Sets the order. Returns false if `order` names an operation that did not exist.
bool order_of(const Rank& me, acp_handle_t order, Order& result) {
  const auto handle = static_cast<std::uint64_t>(order);
  if (handle == ACP_HANDLE_NULL) return true;
  if (handle == ACP_HANDLE_ALL)
    result.kind = Order::Kind::AfterAll;
  else if (handle == ACP_HANDLE_CONT)
    result.kind = Order::Kind::Continue;
  else if (handle <= library->rdma().engine.of(me.id).last())
    result = {Order::Kind::After, handle};
  else
    return false;
  return true;
}

/// Returns true if the address can be valid. Only this rank's memory is known; of other ranks only the range
/// is.
bool can_be(const AcpRank& me, std::uint64_t ga, std::uint64_t bytes) {
  const rdma::GlobalAddresses& addresses = library->rdma().addresses;
  if (acp_world_rank(me, ga) < 0) return false;
  return addresses.rank(ga) != me.rank ||
         me.memory.find(addresses.key(ga), addresses.offset(ga), bytes) != nullptr;
}

/// Starts `operation` on data at `src` and `dst`.
acp_handle_t start(const char* function, acp_ga_t dst, acp_ga_t src, Operation operation,
                   acp_handle_t order) {
  const Call call(function);
  const AcpRank* const state = acp_here();
  Order when;
  if (state == nullptr || !order_of(self(), order, when) || !can_be(*state, dst, operation.bytes) ||
      !can_be(*state, src, operation.bytes))
    return static_cast<acp_handle_t>(ACP_HANDLE_NULL);
  Rank& me = acp_enter(function);
  operation.addressed = true;
  operation.source = static_cast<std::uint32_t>(acp_world_rank(*state, src));
  operation.destination = static_cast<std::uint32_t>(acp_world_rank(*state, dst));
  operation.from = src;
  operation.to = dst;
  library->host.sleep(library->config.rdma.post);
  return static_cast<acp_handle_t>(library->rdma().engine.start(me.id, operation, when));
}

acp_handle_t atomic(const char* function, Action action, std::uint64_t bytes, acp_ga_t dst, acp_ga_t src,
                    std::uint64_t value, acp_handle_t order, std::uint64_t expected = 0) {
  const AcpRank* const state = acp_here();
  if (state == nullptr || acp_world_rank(*state, dst) != self().id || dst % bytes != 0 || src % bytes != 0)
    return static_cast<acp_handle_t>(ACP_HANDLE_NULL);
  Operation operation;
  operation.action = action;
  operation.bytes = bytes;
  operation.operand = value;
  operation.expected = expected;
  return start(function, dst, src, operation, order);
}

/// Returns the operation that `handle` names for waiting; 0: none.
Handle awaited(Rank& me, acp_handle_t handle) {
  const Handle last = library->rdma().engine.of(me.id).last();
  const auto wanted = static_cast<std::uint64_t>(handle);
  return wanted == ACP_HANDLE_ALL ? last : wanted <= last ? wanted : 0;
}

}  // namespace

extern "C" {

acp_handle_t acp_copy(acp_ga_t dst, acp_ga_t src, size_t size, acp_handle_t order) {
  Operation copy;
  copy.bytes = size;
  return start("acp_copy", dst, src, copy, order);
}

acp_handle_t acp_cas4(acp_ga_t dst, acp_ga_t src, uint32_t oldval, uint32_t newval, acp_handle_t order) {
  return atomic("acp_cas4", Action::CompareAndSwap, 4, dst, src, newval, order, oldval);
}
acp_handle_t acp_cas8(acp_ga_t dst, acp_ga_t src, uint64_t oldval, uint64_t newval, acp_handle_t order) {
  return atomic("acp_cas8", Action::CompareAndSwap, 8, dst, src, newval, order, oldval);
}

#define PSIM_ACP_ATOMIC(name, action)                                                          \
  acp_handle_t acp_##name##4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order) { \
    return atomic("acp_" #name "4", Action::action, 4, dst, src, value, order);                \
  }                                                                                            \
  acp_handle_t acp_##name##8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order) { \
    return atomic("acp_" #name "8", Action::action, 8, dst, src, value, order);                \
  }
PSIM_ACP_ATOMIC(swap, Swap)
PSIM_ACP_ATOMIC(add, Add)
PSIM_ACP_ATOMIC(xor, Xor)
PSIM_ACP_ATOMIC(or, Or)
PSIM_ACP_ATOMIC(and, And)
#undef PSIM_ACP_ATOMIC

void acp_complete(acp_handle_t handle) {
  const Call call("acp_complete");
  Rank& me = acp_enter("acp_complete");
  const Handle wanted = acp_here() != nullptr ? awaited(me, handle) : 0;
  if (wanted == 0) return;
  library->rdma().wait(me, wanted, true);
  library->host.sleep(library->config.rdma.completion);
}

int acp_inquire(acp_handle_t handle) {
  const Call call("acp_inquire");
  Rank& me = acp_enter("acp_inquire");
  const Handle wanted = acp_here() != nullptr ? awaited(me, handle) : 0;
  const bool under_way = wanted != 0 && !library->rdma().engine.of(me.id).all_complete(wanted);
  // Charged in any case, because programs poll their memory in loops around this call.
  library->host.sleep(library->config.rdma.poll);
  return under_way ? 1 : 0;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// Fence, post-start-complete-wait, locks and flushes (MPI-3.1 section 11.5). A flush waits for all operations
// of the rank on the window, for every target.
#include "mpi/window/synchronise.h"

#include <algorithm>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/object/group_handle.h"
#include "mpi/poll_call.h"
#include "mpi/window/guard.h"
#include "mpi/window/message.h"

using namespace psim::net::mpi;

namespace {

/// The user's target among the ranks of the world.
std::uint32_t world_of(const Window& w, int target) {
  const Group& g = communicator(w.comm).group();
  require(target >= 0 && target < static_cast<int>(g.size()), MPI_ERR_RANK);
  return g.world(static_cast<std::uint32_t>(target));
}

auto locked_target(Window& w, int target) { return std::ranges::find(w.locked, target, &LockedTarget::rank); }

void lock(Rank& me, Window& w, int target, std::uint32_t world, bool exclusive) {
  send_window(me.id, world, w.context, WindowMessage::Lock, 0, 0, exclusive ? 1 : 0);
  wait_until(me, [&] { return w.granted > 0; });
  --w.granted;
  w.locked.push_back({target, world, false});
}

void unlock(Rank& me, Window& w, const LockedTarget& target) {
  if (!target.no_check) send_window(me.id, target.world, w.context, WindowMessage::Unlock);
}

/// Waits once for the post of one target of the epoch.
void await_post(Rank& me, Window& w, std::uint32_t target) {
  const auto awaited = std::ranges::find(w.awaited, target);
  if (awaited == w.awaited.end()) return;
  w.awaited.erase(awaited);
  wait_until(me, [&] { return std::ranges::find(w.posts, target) != w.posts.end(); });
  w.posts.erase(std::ranges::find(w.posts, target));
}

void end_exposure(Window& w) {
  w.completes -= static_cast<std::uint32_t>(w.posted_to.size());
  w.posted_to.clear();
  w.exposed = false;
}

void flush(Rank& me, Window& w) {
  wait_until(me, [&] { return w.outstanding == 0; });
}

/// Flushes; `target` null: all targets.
int flush_call(const char* function, MPI_Win handle, const int* target) {
  return window_call(function, handle, [=](Window& w, Rank& me) {
    if (target != nullptr && *target == MPI_PROC_NULL) return;
    if (target != nullptr) world_of(w, *target);
    require(w.lock_all || (target != nullptr ? locked_target(w, *target) != w.locked.end() : w.passive()),
            MPI_ERR_RMA_SYNC);
    flush(me, w);
  });
}

}  // namespace

namespace psim::net::mpi {

void reach_target(Rank& me, Window& w, int target, std::uint32_t world) {
  if (w.lock_all) {
    if (!w.no_check && locked_target(w, target) == w.locked.end()) lock(me, w, target, world, false);
  } else if (w.starting) {
    require(std::ranges::find(w.started, world) != w.started.end(), MPI_ERR_RMA_SYNC);
    await_post(me, w, world);
  } else {
    require(w.fenced || locked_target(w, target) != w.locked.end(), MPI_ERR_RMA_SYNC);
  }
}

}  // namespace psim::net::mpi

PSIM_MPI(int, Win_fence, (int assertion, MPI_Win handle)) {
  const CountedCall whole("MPI_Win_fence");
  MPI_Comm comm = MPI_COMM_NULL;
  const int error = window_call("MPI_Win_fence", handle, [&](Window& w, Rank& me) {
    require(!w.passive() && !w.starting && !w.exposed, MPI_ERR_RMA_SYNC);
    flush(me, w);
    w.fenced = (assertion & MPI_MODE_NOSUCCEED) == 0;
    comm = w.comm;
  });
  if (error != MPI_SUCCESS) return error;
  return collective_call("MPI_Win_fence", comm, nullptr,
                         [](Collective& c, Communicator&) { return barrier(c.local); });
}

PSIM_MPI(int, Win_post, (MPI_Group origins, int, MPI_Win handle)) {
  return window_call("MPI_Win_post", handle, [&](Window& w, Rank& me) {
    require(!w.exposed, MPI_ERR_RMA_SYNC);
    const Ref<Group> g = group(origins);
    w.exposed = true;
    w.fenced = false;
    for (std::uint32_t i = 0; i < g->size(); ++i) {
      w.posted_to.push_back(g->world(i));
      send_window(me.id, g->world(i), w.context, WindowMessage::Post);
    }
  });
}
/// Returns at once: the first operation on a target, or complete, waits for its post.
PSIM_MPI(int, Win_start, (MPI_Group targets, int, MPI_Win handle)) {
  return window_call("MPI_Win_start", handle, [&](Window& w, Rank&) {
    require(!w.passive() && !w.starting, MPI_ERR_RMA_SYNC);
    const Ref<Group> g = group(targets);
    for (std::uint32_t i = 0; i < g->size(); ++i) w.started.push_back(g->world(i));
    w.awaited = w.started;
    w.starting = true;
    w.fenced = false;
  });
}
PSIM_MPI_CALL(Win_complete, (MPI_Win handle), window_call, handle, [](Window& w, Rank& me) {
  require(w.starting, MPI_ERR_RMA_SYNC);
  while (!w.awaited.empty()) await_post(me, w, w.awaited.front());
  flush(me, w);
  for (std::uint32_t target : w.started) send_window(me.id, target, w.context, WindowMessage::Complete);
  w.started.clear();
  w.starting = false;
})
PSIM_MPI_CALL(Win_wait, (MPI_Win handle), window_call, handle, [](Window& w, Rank& me) {
  require(w.exposed, MPI_ERR_RMA_SYNC);
  wait_until(me, [&] { return w.completes >= w.posted_to.size(); });
  end_exposure(w);
})
PSIM_MPI_POLL(Win_test, (MPI_Win handle, int* flag)) {
  const psim::net::PollCall from = poll_call(PMPI_Win_test);
  return window_call("MPI_Win_test", handle, [&](Window& w, Rank&) {
    require(w.exposed, MPI_ERR_RMA_SYNC);
    out(flag) = w.completes >= w.posted_to.size();
    if (!*flag) return found_nothing(from, flag);
    end_exposure(w);
  });
}

PSIM_MPI(int, Win_lock, (int type, int target, int assertion, MPI_Win handle)) {
  return window_call("MPI_Win_lock", handle, [&](Window& w, Rank& me) {
    require(type == MPI_LOCK_EXCLUSIVE || type == MPI_LOCK_SHARED, MPI_ERR_LOCKTYPE);
    if (target == MPI_PROC_NULL) return;
    const std::uint32_t world = world_of(w, target);
    require(!w.lock_all && !w.starting && locked_target(w, target) == w.locked.end(), MPI_ERR_RMA_SYNC);
    w.fenced = false;
    if ((assertion & MPI_MODE_NOCHECK) != 0)
      w.locked.push_back({target, world, true});
    else
      lock(me, w, target, world, type == MPI_LOCK_EXCLUSIVE);
  });
}
PSIM_MPI_CALL(Win_unlock, (int target, MPI_Win handle), window_call, handle, [&](Window& w, Rank& me) {
  if (target == MPI_PROC_NULL) return;
  world_of(w, target);
  require(!w.lock_all && locked_target(w, target) != w.locked.end(), MPI_ERR_RMA_SYNC);
  flush(me, w);
  const auto at = locked_target(w, target);
  unlock(me, w, *at);
  w.locked.erase(at);
})
PSIM_MPI_CALL(Win_lock_all, (int assertion, MPI_Win handle), window_call, handle, [&](Window& w, Rank&) {
  require(!w.passive() && !w.starting, MPI_ERR_RMA_SYNC);
  w.fenced = false;
  w.lock_all = true;
  w.no_check = (assertion & MPI_MODE_NOCHECK) != 0;
})
PSIM_MPI_CALL(Win_unlock_all, (MPI_Win handle), window_call, handle, [](Window& w, Rank& me) {
  require(w.lock_all, MPI_ERR_RMA_SYNC);
  flush(me, w);
  for (const LockedTarget& target : w.locked) unlock(me, w, target);
  w.locked.clear();
  w.lock_all = false;
})
PSIM_MPI_CALL(Win_flush, (int target, MPI_Win handle), flush_call, handle, &target)
PSIM_MPI(int, Win_flush_all, (MPI_Win handle)) { return flush_call("MPI_Win_flush_all", handle, nullptr); }
PSIM_MPI_CALL(Win_flush_local, (int target, MPI_Win handle), flush_call, handle, &target)
PSIM_MPI_CALL(Win_flush_local_all, (MPI_Win handle), flush_call, handle, nullptr)
/// Only checks the window: there is one copy of the memory.
PSIM_MPI_CALL(Win_sync, (MPI_Win handle), window_call, handle, [](Window&, Rank&) {})

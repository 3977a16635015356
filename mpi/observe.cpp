// SPDX-License-Identifier: Apache-2.0
#include "mpi/observe.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "mpi/library.h"
#include "mpi/tool_events.h"
#include "mpi/warnings.h"

namespace psim::net::mpi {

CallObserver* observer = nullptr;
bool noting = false;
bool measured = false, forked = false, calls_observed = false, clock_ahead = false;
const void *rank_thread = nullptr, *main_thread = nullptr;

namespace {

using Kind = CallNote::Kind;

constexpr std::uint32_t kBlocking = ~std::uint32_t{0};  // Request::number of a collective that ends with its
                                                        // call

std::vector<std::uint32_t> members(const Ref<Group>& group) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; group && i < group->size(); ++i) list.push_back(group->world(i));
  return list;
}

std::uint32_t announce(Shared& shared) {
  if (!shared.observed)
    observer->communicator(shared.context, members(shared.local[0]), members(shared.local[1]));
  shared.observed = true;
  return shared.context;
}

}  // namespace

// Ends the process, because the rank itself may be waiting for that thread and cannot get an error code.
void refuse_thread(const char* function) {
  char text[256];
  const int size = std::snprintf(
      text, sizeof text,
      "psim: %s was called by a thread of the host, as those of OpenMP are; a rank's own thread "
      "may call MPI, and those that its program starts by pthread_create, std::thread or "
      "thrd_create\n",
      function);
  ::syscall(SYS_write, 2, text, size);
  ::syscall(SYS_exit_group, 1);
  __builtin_unreachable();
}

void admit_thread(const char* function) {
  if (library == nullptr || !library->host.admits_any_thread()) refuse_thread(function);
  if (library->any_threads) return;  // begin_call() follows
  if (self().inside != 0) {
    char text[256];
    std::snprintf(
        text, sizeof text,
        "rank %d: %s was called while another thread of the rank was in a call of MPI; expected calls "
        "one at a time, since the program has not requested MPI_THREAD_MULTIPLE",
        self().world.rank, function);
    library->host.abort_job(1, text);
  }
  rank_thread = this_thread();
}

namespace {
/// Ends the child process; the simulator is its parent.
[[noreturn]] void refuse_copy(const char* function) {
  char text[256];
  const int size = std::snprintf(text, sizeof text,
                                 "psim: rank %d: %s was called in a child process, a copy that fork() made; "
                                 "only the rank itself may call MPI\n",
                                 self().world.rank, function);
  ::syscall(SYS_write, 2, text, size);
  ::syscall(SYS_exit_group, 1);
  __builtin_unreachable();
}
}  // namespace

// The threads of a rank are inside calls at the same time, so their nested calls are counted, too.
void CountedCall::begin(const char* function) {
  Rank& me = self();
  if (me.threaded || me.inside == 0) ++counts_of(function).calls;
  if (me.threaded) return;
  ++me.inside;
  inside_ = &me;
}

CountedCall::~CountedCall() {
  if (inside_ != nullptr) --inside_->inside;
}

void count_bytes(const Rank& me, const char* function, std::uint64_t bytes) {
  if (me.threaded || me.inside == 1) counts_of(function).bytes += bytes;
}

void update_calls_observed() {
  noting = observer != nullptr || tool_callbacks != 0;
  calls_observed =
      observer != nullptr || measured || forked || library->any_threads || library->starting != 0;
}

void catch_up() {
  clock_ahead = false;
  library->host.catch_up();
}

namespace {
/// Returns true for the first thread of a rank, which is the one that observers see.
bool is_observed(const Rank& me) { return !me.threaded || library->host.threads()->number() == 0; }

/// Returns the threads of the running rank; null: it has not started any.
ThreadTurns* turns() { return library->any_threads ? library->host.threads() : nullptr; }

void leave_outside_callback() {
  Rank& me = self();
  if (observer != nullptr && is_observed(me)) observer->leave(RankId{me.id});
  if (measured && --me.calls == 0) library->host.leave_call();
  if (me.threaded) library->host.threads()->yield_thread();  // other threads of the rank run
}
}  // namespace

void ThreadHold::begin() {
  turns_ = turns();
  if (turns_ != nullptr) turns_->begin_call();
}

// In a callback the simulator, not the rank, calls a user's function.
void enter_observed(const char* function) {
  if (forked) [[unlikely]]
    refuse_copy(function);
  if (ThreadTurns* const threads = turns()) threads->begin_call();
  if (library->in_callback) return;
  Rank& me = self();
  if (!me.initialized) [[unlikely]]
    note_early_call(me, function);
  if (measured && me.calls++ == 0) library->host.enter_call(std::string_view(function) != "MGEN_Comp");
  if (observer != nullptr && is_observed(me)) observer->enter(RankId{me.id}, function);
}
void leave_observed() {
  if (!library->in_callback) leave_outside_callback();
  if (ThreadTurns* const threads = turns()) threads->end_call();
}

void note_send(const Rank& me, const Communicator& comm, int peer, int tag, std::uint64_t bytes) {
  if (tool_callbacks != 0) raise_event(me, ToolEvent::Send, peer, tag, bytes);
  if (observer == nullptr) return;
  observer->note(RankId{me.id}, {.kind = Kind::Send,
                                 .peer = comm.peers().world(static_cast<std::uint32_t>(peer)),
                                 .peer_rank = static_cast<std::uint32_t>(peer),
                                 .context = announce(*comm.shared),
                                 .tag = tag,
                                 .bytes = bytes,
                                 .serial = me.sends});
}

void note_post(Rank& me, const Communicator& comm, Request& receive) {
  announce(*comm.shared);
  receive.number = ++me.numbers;
  observer->note(RankId{me.id}, {.kind = Kind::Post, .number = receive.number});
}

void note_collective(Rank& me, const Communicator& comm, Request& request, bool blocking) {
  request.context = announce(*comm.shared);
  request.number = blocking ? kBlocking : ++me.numbers;
  observer->note(RankId{me.id}, {.kind = Kind::CollectiveBegin, .number = blocking ? 0 : request.number});
}

namespace {

void note_end(const Request& r, std::uint32_t number) {
  observer->note(RankId{r.owner},
                 {.kind = Kind::CollectiveEnd,
                  .peer = r.peer < 0 ? CallNote::kNoRoot : static_cast<std::uint32_t>(r.peer),
                  .context = r.context,
                  .bytes = r.bytes,
                  .received = r.got_bytes,
                  .number = number});
}

}  // namespace

void note_blocking_end(const Request& collective) {
  if (collective.number == kBlocking) note_end(collective, 0);
}

void note_finish(const Request& r) {
  if (tool_callbacks != 0 && r.kind == RequestKind::Receive && !r.cancelled && r.got_source != MPI_PROC_NULL)
    raise_event(library->ranks[r.owner], ToolEvent::Receive, r.got_source, r.got_tag, r.got_bytes);
  if (observer == nullptr) return;
  const RankId rank{r.owner};
  switch (r.kind) {
    case RequestKind::Send:
      if (r.serial != 0) observer->note(rank, {.kind = Kind::SendDone, .serial = r.serial});
      break;
    case RequestKind::Receive:
      if (r.cancelled || r.context == kPutContext)  // no send of the program's belongs to it
        observer->note(rank, {.kind = Kind::Cancelled, .number = r.number});
      else if (r.got_source != MPI_PROC_NULL)
        observer->note(rank, {.kind = Kind::Receive,
                              .peer = r.world,
                              .peer_rank = static_cast<std::uint32_t>(r.got_source),
                              .context = r.context,
                              .tag = r.got_tag,
                              .bytes = r.got_bytes,
                              .serial = r.serial,
                              .number = r.number});
      break;
    case RequestKind::Collective:
      if (r.number != 0) note_end(r, r.number);
      break;
    default:
      break;
  }
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
// Sessions (MPI-4.1 section 11.3): process sets, and communicators that are made from groups alone. All
// processes of a job are in the set "mpi://WORLD"; "mpi://SELF" has the calling one.
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "mpi/api.h"
#include "mpi/attached_buffer.h"
#include "mpi/communicators.h"
#include "mpi/functions/communicator_create.h"
#include "mpi/object/group_handle.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/run_state.h"

using namespace psim::net::mpi;

namespace {

constexpr std::array<const char*, 2> kSets = {"mpi://WORLD", "mpi://SELF"};

struct OpenSession {
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  bool open = false;
};
using Sessions = Pool<OpenSession, 6>;
Sessions& sessions() {
  static RunState<Sessions> pool;
  return pool.value;
}

OpenSession& open_session(MPI_Session handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Session) && sessions().holds(index) && sessions()[index].open,
          MPI_ERR_SESSION, handle == MPI_SESSION_NULL ? "MPI_SESSION_NULL" : "no session has this handle");
  return sessions()[index];
}

/// Runs `body` with the session; failures go to the session's error handler.
template <class Body>
int with_session(const char* function, MPI_Session handle, Body&& body) {
  const Call call(function);
  Failure caught{};
  MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
  try {
    OpenSession& found = open_session(handle);
    handler = found.errhandler;
    body(found);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return is_handle(handle, HandleKind::Session) && sessions().holds(handle_index(handle))
             ? raise_session(function, handle, handler, caught.code, caught.note)
             : raise(function, MPI_COMM_NULL, caught.code, caught.note);
}

/// Runs the body of a function that makes an object; failures go to the error handler that it passes for that
/// object.
template <class Body>
int with_handler(const char* function, MPI_Errhandler handler, Body&& body) {
  const Call call(function);
  Failure caught{};
  bool valid = false;
  try {
    drop_errhandler(get_errhandler(handler));
    valid = true;
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return valid ? raise_session(function, MPI_COMM_NULL, handler, caught.code, caught.note)
               : raise(function, MPI_COMM_NULL, caught.code, caught.note);
}

/// Fails if the hints request a level of threads that is none.
void check_thread_level(MPI_Info hints) {
  if (hints == MPI_INFO_NULL) return;
  constexpr std::array<std::string_view, 4> kLevels = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                       "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
  for (const auto& [key, value] : info(hints))
    require(key != "thread_level" || std::ranges::find(kLevels, value) != kLevels.end(), MPI_ERR_INFO_VALUE,
            "thread_level is none of MPI_THREAD_SINGLE, …, MPI_THREAD_MULTIPLE");
}

std::size_t number_of_set(const char* name) {
  out(name);
  const auto at = std::ranges::find_if(kSets, [=](const char* set) { return strcasecmp(set, name) == 0; });
  require(at != kSets.end(), MPI_ERR_ARG, "no process set has this name");
  return static_cast<std::size_t>(at - kSets.begin());
}

Ref<Group> process_set(std::size_t set, MPI_Session session) {
  Rank& me = self();
  Ref<Group> members = set == 0 ? new Group(*me.world.shared->local[0]) : new Group(me.id, 1, 1);
  members->session = session;
  return members;
}

/// Returns a tag from the program's string, the same on all ranks.
int tag_from(const char* text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char* c = text; *c != '\0'; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
  return static_cast<int>(hash & 0x3fffffff);
}

void check_creation(const char* tag, MPI_Info hints) {
  require(std::strlen(&out(tag)) < MPI_MAX_STRINGTAG_LEN, MPI_ERR_ARG, "stringtag is too long");
  check_info(hints);
}

int finish_creation(const char* function, MPI_Session session, MPI_Info hints, MPI_Errhandler handler,
                    MPI_Comm* result) {
  return with_handler(function, handler, [&] {
    Communicator& made = communicator(*result);
    set_session(self(), *made.shared, session);
    set_errhandler(made.errhandler, handler);
    merge_info(made.info, hints);
  });
}

}  // namespace

PSIM_MPI(int, Session_init, (MPI_Info hints, MPI_Errhandler handler, MPI_Session* result)) {
  return with_handler("MPI_Session_init", handler, [&] {
    check_info(hints);
    check_thread_level(hints);
    out(result);
    const std::uint32_t index = sessions().take();
    OpenSession& made = sessions()[index];
    made.open = true;
    set_errhandler(made.errhandler, handler);
    self("MPI_Session_init").early = true;  // other functions need no MPI_Init now
    library->host.grant_multiple();
    *result = make_handle(HandleKind::Session, index);
  });
}
PSIM_MPI_CALL(Session_finalize, (MPI_Session * handle), with_session,
              handle != nullptr ? *handle : MPI_SESSION_NULL, [&](OpenSession& s) {
                forget_buffer(enter_buffer_call("MPI_Session_finalize"), *handle);
                drop_errhandler(s.errhandler);
                sessions().give(handle_index(*handle));
                *handle = MPI_SESSION_NULL;
              })
PSIM_MPI(int, Session_get_info, (MPI_Session handle, MPI_Info* result)) {
  return with_session("MPI_Session_get_info", handle, [&](OpenSession&) {
    out(result) = publish_info({{"thread_level", "MPI_THREAD_MULTIPLE"}});
  });
}
PSIM_MPI(int, Session_get_num_psets, (MPI_Session handle, MPI_Info hints, int* n)) {
  return with_session("MPI_Session_get_num_psets", handle, [&](OpenSession&) {
    check_info(hints);
    out(n) = static_cast<int>(kSets.size());
  });
}
/// `length` is the size of `name` and becomes the size that the name needs, both with the terminator.
PSIM_MPI(int, Session_get_nth_pset, (MPI_Session handle, MPI_Info hints, int n, int* length, char* name)) {
  return with_session("MPI_Session_get_nth_pset", handle, [&](OpenSession&) {
    check_info(hints);
    require(n >= 0 && n < static_cast<int>(kSets.size()), MPI_ERR_ARG, "no process set has this number");
    const std::string_view text = kSets[static_cast<std::size_t>(n)];
    const int room = out(length);
    *length = static_cast<int>(text.size()) + 1;
    if (room <= 0) return;
    const std::size_t kept = std::min(text.size(), static_cast<std::size_t>(room) - 1);
    std::memcpy(&out(name), text.data(), kept);
    name[kept] = '\0';
  });
}
PSIM_MPI(int, Session_get_pset_info, (MPI_Session handle, const char* name, MPI_Info* result)) {
  return with_session("MPI_Session_get_pset_info", handle, [&](OpenSession&) {
    const Ref<Group> members = process_set(number_of_set(name), handle);
    out(result) = publish_info({{"mpi_size", std::to_string(members->size())}});
  });
}
PSIM_MPI_CALL(Group_from_session_pset, (MPI_Session handle, const char* name, MPI_Group* result),
              with_session, handle,
              [&](OpenSession&) { out(result) = publish_group(process_set(number_of_set(name), handle)); })

PSIM_MPI(int, Comm_create_from_group,
         (MPI_Group handle, const char* tag, MPI_Info hints, MPI_Errhandler handler, MPI_Comm* result)) {
  const char* const function = "MPI_Comm_create_from_group";
  const CountedCall whole(function);
  Ref<Group> members;
  if (const int error = with_handler(function, handler, [&] {
        check_creation(tag, hints);
        out(result) = MPI_COMM_NULL;
        members = group(handle);
      }))
    return error;
  if (members->size() == 0) return MPI_SUCCESS;
  if (const int error = create_from_group(function, members, tag_from(tag), result)) return error;
  return *result == MPI_COMM_NULL ? MPI_SUCCESS
                                  : finish_creation(function, members->session, hints, handler, result);
}
PSIM_MPI(int, Intercomm_create_from_groups,
         (MPI_Group local, int local_leader, MPI_Group remote, int remote_leader, const char* tag,
          MPI_Info hints, MPI_Errhandler handler, MPI_Comm* result)) {
  const char* const function = "MPI_Intercomm_create_from_groups";
  const CountedCall whole(function);
  Ref<Group> members;
  int leader = 0;
  if (const int error = with_handler(function, handler, [&] {
        check_creation(tag, hints);
        out(result) = MPI_COMM_NULL;
        members = group(local);
        const Ref<Group> others = group(remote);
        require(local_leader >= 0 && local_leader < static_cast<int>(members->size()), MPI_ERR_RANK,
                "local_leader is not in the group");
        if (members->rank_of(self().id) != local_leader)
          return;  // the remote group has a meaning at the leader
        require(remote_leader >= 0 && remote_leader < static_cast<int>(others->size()), MPI_ERR_RANK,
                "remote_leader is not in the group");
        leader = self().world.group().rank_of(others->world(static_cast<std::uint32_t>(remote_leader)));
      }))
    return error;
  MPI_Comm side = MPI_COMM_NULL;
  if (const int error = create_from_group(function, members, tag_from(tag), &side)) return error;
  const int error = PMPI_Intercomm_create(side, local_leader, MPI_COMM_WORLD, leader, tag_from(tag), result);
  PMPI_Comm_free(&side);
  return error != MPI_SUCCESS ? error : finish_creation(function, members->session, hints, handler, result);
}

PSIM_MPI_COUNTED_CALL(Session_attach_buffer, (MPI_Session handle, void* buffer, Number size), with_session,
                      handle,
                      [&](OpenSession&) { attach_buffer(enter_buffer_call(function), handle, buffer, size); })
PSIM_MPI_COUNTED_CALL(Session_detach_buffer, (MPI_Session handle, void* buffer, Number* size), with_session,
                      handle, [&](OpenSession&) {
                        set_size(out(size), detach_buffer(enter_buffer_call(function), handle, buffer));
                      })
PSIM_MPI_CALL(Session_flush_buffer, (MPI_Session handle), with_session, handle,
              [&](OpenSession&) { flush_buffer(enter_buffer_call("MPI_Session_flush_buffer"), handle); })
PSIM_MPI(int, Session_iflush_buffer, (MPI_Session handle, MPI_Request* request)) {
  return with_session("MPI_Session_iflush_buffer", handle, [&](OpenSession&) {
    out(request) = iflush_buffer(enter_buffer_call("MPI_Session_iflush_buffer"), handle, MPI_COMM_WORLD);
  });
}

PSIM_MPI_CALL(Session_create_errhandler, (MPI_Session_errhandler_function * function, MPI_Errhandler* result),
              unobserved, [&] { out(result) = new_errhandler(&out(function)); })
PSIM_MPI_CALL(Session_set_errhandler, (MPI_Session handle, MPI_Errhandler handler), with_session, handle,
              [&](OpenSession& s) { set_errhandler(s.errhandler, handler); })
PSIM_MPI_CALL(Session_get_errhandler, (MPI_Session handle, MPI_Errhandler* handler), with_session, handle,
              [&](OpenSession& s) { out(handler) = get_errhandler(s.errhandler); })
PSIM_MPI(int, Session_call_errhandler, (MPI_Session handle, int code)) {
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (const int error = with_session("MPI_Session_call_errhandler", handle,
                                     [&](OpenSession& s) { handler = s.errhandler; }))
    return error;
  raise_session("MPI_Session_call_errhandler", handle, handler, code);
  return MPI_SUCCESS;
}

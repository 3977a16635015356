// SPDX-License-Identifier: Apache-2.0
// Events of the tool information interface (MPI-4.1 section 15.3.8): sends and receives of the program, with
// the simulated time as their source. Callbacks run inside the call of MPI that raises the event, so events
// are never dropped. Errors are returned, never raised.
#include "mpi/tool_events.h"

#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>

#include "mpi/api.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {

std::uint32_t tool_callbacks = 0;

}  // namespace psim::net::mpi

using namespace psim::net::mpi;

namespace {

struct EventKind {
  const char *name, *description;
};
constexpr std::array<EventKind, 2> kEvents = {
    EventKind{"psim_send",
              "The program starts a send: destination in the communicator, tag, and bytes of data."},
    EventKind{"psim_receive",
              "The program has waited for a receive: source in the communicator, tag, and bytes of data."}};
constexpr int kEventCount = static_cast<int>(kEvents.size());

/// The data of an event, as MPI_T_event_copy stores them.
struct EventData {
  int peer, tag;
  MPI_Count bytes;
};
constexpr std::array<MPI_Datatype, 3> kTypes = {MPI_INT, MPI_INT, MPI_COUNT};
constexpr std::array<MPI_Aint, 3> kDisplacements = {offsetof(EventData, peer), offsetof(EventData, tag),
                                                    offsetof(EventData, bytes)};

constexpr const char* kSourceName = "psim_clock";
constexpr const char* kSourceDescription = "The simulated time in picoseconds.";

struct EventCallback {
  MPI_T_event_cb_function* function = nullptr;
  void* data = nullptr;
};
struct Registration {
  int event = 0;
  std::array<EventCallback, 4> callbacks;  ///< by MPI_T_CB_REQUIRE_NONE, …
  MPI_T_event_dropped_cb_function* dropped = nullptr;
};
/// The registrations of one rank by handle, and the event whose callbacks run.
struct RankEvents {
  std::map<MPI_T_event_registration, Registration> registrations;
  MPI_T_event_registration last = 0;
  bool running = false;
  EventData data{};
  MPI_Count time = 0;
};
std::map<std::uint32_t, RankEvents>& events_by_rank() {
  static RunState<std::map<std::uint32_t, RankEvents>> all;
  return all.value;
}

/// Calls `body` with the events of the running rank if the interface is initialised. A null pointer for a
/// result gives MPI_T_ERR_INVALID, as require() in `body` does.
template <class Body>
int with_events(Body&& body) {
  Rank& me = self();
  if (me.tools == 0) return MPI_T_ERR_NOT_INITIALIZED;
  try {
    body(events_by_rank()[me.id]);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return failure.code == MPI_ERR_ARG || failure.code == MPI_ERR_INFO ? MPI_T_ERR_INVALID : failure.code;
  }
}

void check_index(int index, int count) { require(index >= 0 && index < count, MPI_T_ERR_INVALID_INDEX); }

Registration& registration(RankEvents& events, MPI_T_event_registration handle) {
  const auto found = events.registrations.find(handle);
  require(found != events.registrations.end(), MPI_T_ERR_INVALID_HANDLE);
  return found->second;
}

EventCallback& callback(Registration& of, MPI_T_cb_safety safety) {
  require(safety >= MPI_T_CB_REQUIRE_NONE && safety <= MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_T_ERR_INVALID);
  return of.callbacks[static_cast<std::size_t>(safety)];
}

/// Fails unless the handle is that of the event whose callbacks run.
RankEvents& instance(RankEvents& events, MPI_T_event_instance handle) {
  require(events.running && handle == 1, MPI_T_ERR_INVALID_HANDLE);
  return events;
}

/// Copies a text as the functions of the interface do: `length` is the room and becomes the size with the
/// terminator. Both pointers may be null.
void give_text(std::string_view text, char* to, int* length) {
  if (length == nullptr) return;
  if (to != nullptr && *length > 0) {
    const std::size_t n = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    std::memcpy(to, text.data(), n);
    to[n] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}
template <class T>
void give(T* to, T value) {
  if (to != nullptr) *to = value;
}

MPI_Count time_now() { return static_cast<MPI_Count>(library->host.now().count()); }

}  // namespace

namespace psim::net::mpi {

void raise_event(const Rank& me, ToolEvent event, int peer, int tag, std::uint64_t bytes) {
  const auto found = events_by_rank().find(me.id);
  if (found == events_by_rank().end() || found->second.running || library->in_callback) return;
  RankEvents& events = found->second;
  events.running = true;
  events.data = {peer, tag, static_cast<MPI_Count>(bytes)};
  events.time = time_now();
  for (MPI_T_event_registration handle = 1; handle <= events.last;
       ++handle) {  // callbacks may change the map
    const auto at = events.registrations.find(handle);
    if (at == events.registrations.end() || at->second.event != static_cast<int>(event)) continue;
    for (std::size_t safety = 0; safety < at->second.callbacks.size(); ++safety)
      if (const EventCallback c = at->second.callbacks[safety]; c.function != nullptr) {
        c.function(1, handle, safety == 0 ? MPI_T_CB_REQUIRE_NONE : MPI_T_CB_REQUIRE_MPI_RESTRICTED, c.data);
        break;
      }
  }
  events.running = false;
}

}  // namespace psim::net::mpi

PSIM_MPI(int, T_source_get_num, (int* number)) {
  return with_events([&](RankEvents&) { out(number) = 1; });
}
PSIM_MPI(int, T_source_get_info,
         (int source, char* name, int* name_length, char* description, int* description_length,
          MPI_T_source_order* order, MPI_Count* ticks_per_second, MPI_Count* most_ticks, MPI_Info* hints)) {
  return with_events([&](RankEvents&) {
    check_index(source, 1);
    give_text(kSourceName, name, name_length);
    give_text(kSourceDescription, description, description_length);
    give(order, MPI_T_SOURCE_ORDERED);
    give(ticks_per_second, MPI_Count{1'000'000'000'000});
    give(most_ticks, std::numeric_limits<MPI_Count>::max());
    if (hints != nullptr) *hints = publish_info({});
  });
}
PSIM_MPI(int, T_source_get_timestamp, (int source, MPI_Count* time)) {
  return with_events([&](RankEvents&) {
    check_index(source, 1);
    out(time) = time_now();
  });
}

PSIM_MPI(int, T_event_get_num, (int* number)) {
  return with_events([&](RankEvents&) { out(number) = kEventCount; });
}
PSIM_MPI(int, T_event_get_info,
         (int index, char* name, int* name_length, int* verbosity, MPI_Datatype* types,
          MPI_Aint* displacements, int* elements, MPI_T_enum* enumeration, MPI_Info* hints, char* description,
          int* description_length, int* bind)) {
  return with_events([&](RankEvents&) {
    check_index(index, kEventCount);
    const EventKind& kind = kEvents[static_cast<std::size_t>(index)];
    give_text(kind.name, name, name_length);
    give_text(kind.description, description, description_length);
    give(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    if (elements != nullptr) {
      for (int i = 0; i < *elements && i < static_cast<int>(kTypes.size()); ++i) {
        if (types != nullptr) types[i] = kTypes[static_cast<std::size_t>(i)];
        if (displacements != nullptr) displacements[i] = kDisplacements[static_cast<std::size_t>(i)];
      }
      *elements = static_cast<int>(kTypes.size());
    }
    give(enumeration, MPI_T_ENUM_NULL);
    if (hints != nullptr) *hints = publish_info({});
    give(bind, MPI_T_BIND_NO_OBJECT);
  });
}
PSIM_MPI(int, T_event_get_index, (const char* name, int* index)) {
  return with_events([&](RankEvents&) {
    const std::string_view text = &out(name);
    out(index);
    for (int i = 0; i < kEventCount; ++i)
      if (text == kEvents[static_cast<std::size_t>(i)].name) {
        *index = i;
        return;
      }
    fail(MPI_T_ERR_INVALID_NAME);
  });
}

PSIM_MPI(int, T_event_handle_alloc, (int index, void*, MPI_Info hints, MPI_T_event_registration* result)) {
  return with_events([&](RankEvents& events) {
    check_index(index, kEventCount);
    check_info(hints);
    out(result) = ++events.last;
    events.registrations[events.last].event = index;
  });
}
PSIM_MPI(int, T_event_handle_set_info, (MPI_T_event_registration handle, MPI_Info hints)) {
  return with_events([&](RankEvents& events) {
    registration(events, handle);
    check_info(hints);
  });
}
PSIM_MPI(int, T_event_handle_get_info, (MPI_T_event_registration handle, MPI_Info* used)) {
  return with_events([&](RankEvents& events) {
    registration(events, handle);
    out(used) = publish_info({});  // no hint is known
  });
}
PSIM_MPI(int, T_event_handle_free,
         (MPI_T_event_registration handle, void* data, MPI_T_event_free_cb_function freed)) {
  return with_events([&](RankEvents& events) {
    for (const EventCallback& c : registration(events, handle).callbacks)
      if (c.function != nullptr) --tool_callbacks;
    events.registrations.erase(handle);
    update_calls_observed();
    if (freed != nullptr) freed(handle, MPI_T_CB_REQUIRE_NONE, data);
  });
}

PSIM_MPI(int, T_event_register_callback,
         (MPI_T_event_registration handle, MPI_T_cb_safety safety, MPI_Info hints, void* data,
          MPI_T_event_cb_function function)) {
  return with_events([&](RankEvents& events) {
    check_info(hints);
    EventCallback& c = callback(registration(events, handle), safety);
    if (c.function != nullptr) --tool_callbacks;
    c = {function, data};
    if (function != nullptr) ++tool_callbacks;
    update_calls_observed();
  });
}
PSIM_MPI(int, T_event_callback_set_info,
         (MPI_T_event_registration handle, MPI_T_cb_safety safety, MPI_Info hints)) {
  return with_events([&](RankEvents& events) {
    require(callback(registration(events, handle), safety).function != nullptr, MPI_T_ERR_INVALID_HANDLE);
    check_info(hints);
  });
}
PSIM_MPI(int, T_event_callback_get_info,
         (MPI_T_event_registration handle, MPI_T_cb_safety safety, MPI_Info* used)) {
  return with_events([&](RankEvents& events) {
    require(callback(registration(events, handle), safety).function != nullptr, MPI_T_ERR_INVALID_HANDLE);
    out(used) = publish_info({});
  });
}
PSIM_MPI(int, T_event_set_dropped_handler,
         (MPI_T_event_registration handle, MPI_T_event_dropped_cb_function dropped)) {
  return with_events([&](RankEvents& events) { registration(events, handle).dropped = dropped; });
}

PSIM_MPI(int, T_event_read, (MPI_T_event_instance event, int element, void* buffer)) {
  return with_events([&](RankEvents& events) {
    const EventData& data = instance(events, event).data;
    check_index(element, static_cast<int>(kTypes.size()));
    require(buffer != nullptr, MPI_T_ERR_INVALID);
    const auto* from =
        reinterpret_cast<const std::byte*>(&data) + kDisplacements[static_cast<std::size_t>(element)];
    std::memcpy(buffer, from, element == 2 ? sizeof data.bytes : sizeof data.peer);
  });
}
PSIM_MPI(int, T_event_copy, (MPI_T_event_instance event, void* buffer)) {
  return with_events([&](RankEvents& events) {
    const EventData& data = instance(events, event).data;
    require(buffer != nullptr, MPI_T_ERR_INVALID);
    std::memcpy(buffer, &data, sizeof data);
  });
}
PSIM_MPI(int, T_event_get_timestamp, (MPI_T_event_instance event, MPI_Count* time)) {
  return with_events([&](RankEvents& events) {
    const MPI_Count at = instance(events, event).time;
    out(time) = at;
  });
}
PSIM_MPI(int, T_event_get_source, (MPI_T_event_instance event, int* source)) {
  return with_events([&](RankEvents& events) {
    instance(events, event);
    out(source) = 0;
  });
}

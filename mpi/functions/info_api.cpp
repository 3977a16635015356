// SPDX-License-Identifier: Apache-2.0
// Info objects (MPI-3.1 chapter 9). Hints are stored and returned; none changes the library's behaviour.
#include <algorithm>
#include <cstring>
#include <string>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/object/info_handle.h"

using namespace psim::net::mpi;

namespace {

InfoList::iterator find(InfoList& list, const char* key) {
  require(key != nullptr && std::strlen(key) > 0 && std::strlen(key) <= MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY);
  return std::ranges::find(list, std::string_view(key),
                           [](const auto& entry) { return std::string_view(entry.first); });
}

template <class Body>
int with_info(const char* function, Body body) {
  return guarded(function, body);
}

}  // namespace

PSIM_MPI_CALL(Info_create, (MPI_Info * result), with_info, [&] { out(result) = publish_info({}); })
PSIM_MPI_CALL(Info_dup, (MPI_Info from, MPI_Info* result), with_info,
              [&] { out(result) = publish_info(info(from)); })
PSIM_MPI_CALL(Info_free, (MPI_Info * handle), with_info, [&] {
  free_info(out(handle));
  *handle = MPI_INFO_NULL;
})
PSIM_MPI_CALL(Info_set, (MPI_Info handle, const char* key, const char* value), with_info, [&] {
  InfoList& list = info(handle);
  require(value != nullptr && std::strlen(value) <= MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE);
  const auto at = find(list, key);
  if (at != list.end())
    at->second = value;
  else
    list.emplace_back(key, value);
})
PSIM_MPI_CALL(Info_delete, (MPI_Info handle, const char* key), with_info, [&] {
  InfoList& list = info(handle);
  const auto at = find(list, key);
  require(at != list.end(), MPI_ERR_INFO_NOKEY);
  list.erase(at);
})
PSIM_MPI(int, Info_get, (MPI_Info handle, const char* key, int length, char* value, int* flag)) {
  return with_info("MPI_Info_get", [&] {
    InfoList& list = info(handle);
    const auto at = find(list, key);
    out(flag) = at != list.end();
    if (!*flag) return;
    require(length >= 0, MPI_ERR_ARG, "valuelen is negative");
    out(value);
    // Writes only the value and its terminator: programs pass MPI_MAX_INFO_VAL for an array of that size.
    const std::size_t n = std::min(at->second.size(), static_cast<std::size_t>(length));
    std::memcpy(value, at->second.c_str(), n);
    value[n] = '\0';
  });
}
PSIM_MPI_CALL(Info_get_valuelen, (MPI_Info handle, const char* key, int* length, int* flag), with_info, [&] {
  InfoList& list = info(handle);
  const auto at = find(list, key);
  out(flag) = at != list.end();
  if (*flag) out(length) = static_cast<int>(at->second.size());
})
/// `length` is the size of `value` and becomes the size that the value needs, both with the terminator.
PSIM_MPI(int, Info_get_string, (MPI_Info handle, const char* key, int* length, char* value, int* flag)) {
  return with_info("MPI_Info_get_string", [&] {
    InfoList& list = info(handle);
    const auto at = find(list, key);
    out(flag) = at != list.end();
    if (!*flag) return;
    const int room = out(length);
    require(room >= 0, MPI_ERR_ARG, "buflen is negative");
    *length = static_cast<int>(at->second.size()) + 1;
    if (room == 0) return;
    const std::size_t n = std::min(at->second.size(), static_cast<std::size_t>(room) - 1);
    std::memcpy(&out(value), at->second.c_str(), n);
    value[n] = '\0';
  });
}
/// The simulator knows the number of processes only. May be called before MPI_Init.
PSIM_MPI_CALL(Info_create_env, (int, char**, MPI_Info* result), unobserved, [&] {
  out(result) = publish_info({{"maxprocs", std::to_string(self().world.size())}});
})
PSIM_MPI_CALL(Info_get_nkeys, (MPI_Info handle, int* n), with_info,
              [&] { out(n) = static_cast<int>(info(handle).size()); })
PSIM_MPI_CALL(Info_get_nthkey, (MPI_Info handle, int n, char* key), with_info, [&] {
  InfoList& list = info(handle);
  require(n >= 0 && n < static_cast<int>(list.size()), MPI_ERR_ARG, "n is not below the number of keys");
  std::strcpy(&out(key), list[static_cast<std::size_t>(n)].first.c_str());
})
/// Hardware resources have names, with "true" for each that the process cannot leave.
PSIM_MPI_CALL(Get_hw_resource_info, (MPI_Info * result), with_info, [&] {
  out(result) = publish_info({{"psim://node", "true"}});
})
PSIM_MPI_CALL(Comm_set_info, (MPI_Comm comm, MPI_Info handle), guarded, comm,
              [&] { merge_info(communicator(comm).info, handle); })
PSIM_MPI_CALL(Comm_get_info, (MPI_Comm comm, MPI_Info* result), guarded, comm, [&] {
  const Communicator& c = communicator(comm);
  out(result) = publish_info(c.info ? *c.info : InfoList{});
})

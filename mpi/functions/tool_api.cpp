// SPDX-License-Identifier: Apache-2.0
// The tool information interface (MPI-4.1 section 15.3) except for events. The library reports no control
// variables, performance variables or categories. Sessions exist but are empty. Errors are returned, never
// raised.
#include <algorithm>

#include "mpi/api.h"

using namespace psim::net::mpi;

namespace {

/// Calls `body` if MPI_T_init_thread was called more often than MPI_T_finalize; MPI_Init and MPI_Finalize do
/// not matter.
template <class Body>
int with_tools(Body&& body) {
  const ThreadHold hold;
  return self().tools > 0 ? body() : MPI_T_ERR_NOT_INITIALIZED;
}
int none(int code) {
  return with_tools([=] { return code; });
}
int count(int* number) {
  return with_tools([=] {
    if (number == nullptr) return MPI_T_ERR_INVALID;
    *number = 0;
    return MPI_SUCCESS;
  });
}
int session(MPI_T_pvar_session which) {
  return with_tools([=] { return which == 1 ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION; });
}
/// Checks a variable of a session: only "all variables" is valid.
int variables(MPI_T_pvar_session which, MPI_T_pvar_handle handle) {
  const int code = session(which);
  return code != MPI_SUCCESS || handle == MPI_T_PVAR_ALL_HANDLES ? code : MPI_T_ERR_INVALID_HANDLE;
}

}  // namespace

PSIM_MPI(int, T_init_thread, (int required, int* provided)) {
  if (provided == nullptr) return MPI_ERR_ARG;
  const ThreadHold hold;
  ++self().tools;
  *provided = std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
  return MPI_SUCCESS;
}
PSIM_MPI(int, T_finalize, (void)) {
  return with_tools([] {
    --self().tools;
    return MPI_SUCCESS;
  });
}

PSIM_MPI(int, T_enum_get_info, (MPI_T_enum, int*, char*, int*)) { return none(MPI_T_ERR_INVALID_HANDLE); }
PSIM_MPI(int, T_enum_get_item, (MPI_T_enum, int, int*, char*, int*)) {
  return none(MPI_T_ERR_INVALID_HANDLE);
}

PSIM_MPI(int, T_cvar_get_num, (int* number)) { return count(number); }
PSIM_MPI(int, T_cvar_get_info,
         (int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*)) {
  return none(MPI_T_ERR_INVALID_INDEX);
}
PSIM_MPI(int, T_cvar_get_index, (const char*, int*)) { return none(MPI_T_ERR_INVALID_NAME); }
PSIM_MPI(int, T_cvar_handle_alloc, (int, void*, MPI_T_cvar_handle*, int*)) {
  return none(MPI_T_ERR_INVALID_INDEX);
}
PSIM_MPI(int, T_cvar_handle_free, (MPI_T_cvar_handle*)) { return none(MPI_T_ERR_INVALID_HANDLE); }
PSIM_MPI(int, T_cvar_read, (MPI_T_cvar_handle, void*)) { return none(MPI_T_ERR_INVALID_HANDLE); }
PSIM_MPI(int, T_cvar_write, (MPI_T_cvar_handle, const void*)) { return none(MPI_T_ERR_INVALID_HANDLE); }

PSIM_MPI(int, T_pvar_get_num, (int* number)) { return count(number); }
PSIM_MPI(int, T_pvar_get_info,
         (int, char*, int*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*, int*, int*)) {
  return none(MPI_T_ERR_INVALID_INDEX);
}
PSIM_MPI(int, T_pvar_get_index, (const char*, int, int*)) { return none(MPI_T_ERR_INVALID_NAME); }
PSIM_MPI(int, T_pvar_session_create, (MPI_T_pvar_session * result)) {
  return with_tools([=] {
    if (result == nullptr) return MPI_T_ERR_INVALID;
    *result = 1;  // all are equal: empty
    return MPI_SUCCESS;
  });
}
PSIM_MPI(int, T_pvar_session_free, (MPI_T_pvar_session * which)) {
  const int code = session(*which);
  if (code == MPI_SUCCESS) *which = MPI_T_PVAR_SESSION_NULL;
  return code;
}
PSIM_MPI(int, T_pvar_handle_alloc, (MPI_T_pvar_session which, int, void*, MPI_T_pvar_handle*, int*)) {
  const int code = session(which);
  return code != MPI_SUCCESS ? code : MPI_T_ERR_INVALID_INDEX;
}
PSIM_MPI(int, T_pvar_handle_free, (MPI_T_pvar_session which, MPI_T_pvar_handle*)) {
  const int code = session(which);
  return code != MPI_SUCCESS ? code : MPI_T_ERR_INVALID_HANDLE;
}
PSIM_MPI(int, T_pvar_start, (MPI_T_pvar_session which, MPI_T_pvar_handle handle)) {
  return variables(which, handle);
}
PSIM_MPI(int, T_pvar_stop, (MPI_T_pvar_session which, MPI_T_pvar_handle handle)) {
  return variables(which, handle);
}
PSIM_MPI(int, T_pvar_read, (MPI_T_pvar_session which, MPI_T_pvar_handle, void*)) {
  const int code = session(which);
  return code != MPI_SUCCESS ? code : MPI_T_ERR_INVALID_HANDLE;
}
PSIM_MPI(int, T_pvar_write, (MPI_T_pvar_session which, MPI_T_pvar_handle, const void*)) {
  const int code = session(which);
  return code != MPI_SUCCESS ? code : MPI_T_ERR_INVALID_HANDLE;
}
PSIM_MPI(int, T_pvar_reset, (MPI_T_pvar_session which, MPI_T_pvar_handle handle)) {
  return variables(which, handle);
}
PSIM_MPI(int, T_pvar_readreset, (MPI_T_pvar_session which, MPI_T_pvar_handle, void*)) {
  const int code = session(which);
  return code != MPI_SUCCESS ? code : MPI_T_ERR_INVALID_HANDLE;
}

PSIM_MPI(int, T_category_get_num, (int* number)) { return count(number); }
PSIM_MPI(int, T_category_get_info, (int, char*, int*, char*, int*, int*, int*, int*)) {
  return none(MPI_T_ERR_INVALID_INDEX);
}
PSIM_MPI(int, T_category_get_index, (const char*, int*)) { return none(MPI_T_ERR_INVALID_NAME); }
PSIM_MPI(int, T_category_get_cvars, (int, int, int[])) { return none(MPI_T_ERR_INVALID_INDEX); }
PSIM_MPI(int, T_category_get_pvars, (int, int, int[])) { return none(MPI_T_ERR_INVALID_INDEX); }
PSIM_MPI(int, T_category_get_categories, (int, int, int[])) { return none(MPI_T_ERR_INVALID_INDEX); }
PSIM_MPI(int, T_category_get_num_events, (int, int*)) { return none(MPI_T_ERR_INVALID_INDEX); }
PSIM_MPI(int, T_category_get_events, (int, int, int[])) { return none(MPI_T_ERR_INVALID_INDEX); }
PSIM_MPI(int, T_category_changed, (int* stamp)) { return count(stamp); }

// SPDX-License-Identifier: Apache-2.0
// Error handlers, classes, codes and strings (MPI-3.1 sections 8.3 to 8.5).
#include <cstdio>
#include <map>
#include <string>

#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/errhandler.h"
#include "mpi/file/file.h"
#include "mpi/object/run_state.h"
#include "mpi/window/window.h"

using namespace psim::net::mpi;

namespace {

struct Handler {
  MPI_Comm_errhandler_function* function = nullptr;  ///< a window's function has the same type but for the
                                                     ///< name of the int
  std::uint32_t uses = 0;
};
using Handlers = Pool<Handler, 6>;

Handlers& handlers() {
  static Handlers pool;
  return pool;
}
/// Predefined error handlers; those of the program's follow.
constexpr std::uint32_t kPredefined = 3;
bool is_predefined(MPI_Errhandler handle) {
  return handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_RETURN || handle == MPI_ERRORS_ABORT;
}
/// Returns an error handler of the program's.
Handler& handler(MPI_Errhandler handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Errhandler) && index > kPredefined &&
              handlers().holds(index - kPredefined),
          MPI_ERR_ARG, "no error handler has this handle");
  return handlers()[index - kPredefined];
}
void hold(MPI_Errhandler handle) {
  if (!is_predefined(handle)) ++handler(handle).uses;
}
void drop(MPI_Errhandler handle) {
  if (is_predefined(handle)) return;
  if (--handler(handle).uses == 0) handlers().give(handle_index(handle) - kPredefined);
}

constexpr const char* kText[] = {
    "no error",
    "invalid buffer, or not enough attached buffer",
    "invalid count",
    "invalid or uncommitted datatype",
    "invalid tag",
    "invalid communicator",
    "invalid rank",
    "invalid request",
    "invalid root",
    "invalid group",
    "invalid operation, or not defined for the datatype",
    "invalid topology",
    "invalid dimensions",
    "invalid argument",
    "unknown error",
    "message longer than the receive buffer",
    "other error",
    "internal error",
    "request still pending",
    "an error code is in the status",
    "permission denied",
    "invalid access mode",
    "invalid assertion",
    "invalid file name",
    "invalid base of memory to free",
    "error in data conversion",
    "invalid displacement",
    "data representation already defined",
    "file exists",
    "file in use",
    "invalid file",
    "info key too long",
    "info key not found",
    "info value too long",
    "invalid info",
    "input or output error",
    "invalid keyval",
    "invalid type of lock",
    "service name not published",
    "out of memory",
    "collective argument not the same on all ranks",
    "not enough space",
    "file does not exist",
    "invalid port",
    "quota exceeded",
    "read-only file",
    "conflicting accesses to a window",
    "wrong synchronisation of one-sided calls",
    "service name",
    "invalid size",
    "processes could not be spawned",
    "unsupported data representation",
    "unsupported operation",
    "invalid window",
    "target memory outside the window",
    "memory cannot be attached",
    "wrong flavour of window",
    "memory cannot be shared",
    "no memory for the tool interface",
    "tool interface not initialized",
    "tool interface cannot be initialized",
    "no variable or category of this number",
    "no item of this number",
    "invalid handle of the tool interface",
    "no more handles of the tool interface",
    "no more sessions of the tool interface",
    "invalid session of the tool interface",
    "control variable cannot be set now",
    "control variable cannot be set",
    "performance variable cannot be started or stopped",
    "performance variable cannot be written",
    "performance variable cannot be read and written at once",
    "no variable or category of this name",
    "invalid use of the tool interface",
    "another process of the communicator has aborted",
    "value too large for its result",
    "invalid session",
    "invalid error handler",
    "not supported by the tool interface",
    "not accessible through the tool interface",
};
constexpr int kErrorClasses = static_cast<int>(std::size(kText));

/// Classes and codes that the program added; codes are numbered from MPI_ERR_LASTCODE + 1.
struct Added {
  int class_of = 0;
  std::string text;
};
struct AddedCodes {
  int last = MPI_ERR_LASTCODE;
  std::map<int, Added> codes;
};
std::map<std::uint32_t, AddedCodes>& added() {  // by rank: each rank numbers its own
  static RunState<std::map<std::uint32_t, AddedCodes>> all;
  return all.value;
}
AddedCodes& my_codes() { return added()[self().id]; }

/// Removes a code. The last used code is then the highest one that is left.
void remove_code(std::map<int, Added>::iterator at) {
  AddedCodes& mine = my_codes();
  mine.codes.erase(at);
  mine.last = mine.codes.empty() ? MPI_ERR_LASTCODE : mine.codes.rbegin()->first;
}

/// Fails for a code that is neither the standard's (up to MPI_ERR_LASTCODE, with gaps) nor added by the
/// program.
void check_code(int code) {
  require(code >= 0 && code <= my_codes().last, MPI_ERR_ARG, "the error code is not defined");
}

/// Returns the program's text for a code that it added, else the library's.
const char* text_of(int code) {
  if (code >= 0 && code < kErrorClasses) return kText[code];
  const auto& codes = my_codes().codes;
  const auto found = codes.find(code);
  return found != codes.end() && !found->second.text.empty()
             ? found->second.text.c_str()
             : "error code without a text, added by the program";
}

[[noreturn]] void fatal(const char* function, int code, const char* note) {
  char text[MPI_MAX_ERROR_STRING + 128];
  const bool both = note != nullptr && code != MPI_ERR_OTHER;  // "other error" adds nothing to the note
  std::snprintf(text, sizeof text, "rank %d: %s: %s%s%s (error %d; MPI_ERRORS_ARE_FATAL)", self().world.rank,
                function, both || note == nullptr ? text_of(code) : "", both ? ": " : "",
                note != nullptr ? note : "", code);
  library->host.abort_job(code, text);
  __builtin_unreachable();  // gcc does not see [[noreturn]] through a virtual call
}

template <class Handle, class Object>
int dispatch(const char* function, Handle handle, Object* object, int code, const char* note = nullptr) {
  const MPI_Errhandler chosen = object->errhandler;
  if (chosen == MPI_ERRORS_RETURN) return code;
  // A job whose process aborts ends as a whole, as from MPI_ERRORS_ARE_FATAL.
  if (chosen == MPI_ERRORS_ARE_FATAL || chosen == MPI_ERRORS_ABORT) fatal(function, code, note);
  handler(chosen).function(reinterpret_cast<int*>(&handle), &code);
  return code;
}

}  // namespace

namespace psim::net::mpi {

int raise(const char* function, MPI_Comm comm, int code, const char* note) {
  // Errors without an object go to the handler of MPI_COMM_SELF (MPI-4.1 section 9.3) or, as before MPI-4, of
  // MPI_COMM_WORLD, if the program gave MPI_COMM_SELF none.
  Rank& me = self();
  const bool own = me.self.errhandler != MPI_ERRORS_ARE_FATAL;
  Communicator* object = own ? &me.self : &me.world;
  MPI_Comm handle = own ? MPI_COMM_SELF : MPI_COMM_WORLD;
  try {
    Communicator& given = communicator(comm);
    if (given.errhandler != MPI_ERRORS_ARE_FATAL || note != kNullPointer) {
      object = &given;
      handle = comm;
    }
  } catch (const Failure&) {  // a bad handle, or none
  }
  return dispatch(function, handle, object, code, note);
}

int raise_window(const char* function, MPI_Win window_handle, int code, const char* note) {
  Window* object;
  try {
    object = &window(window_handle);
  } catch (const Failure&) {
    return raise(function, MPI_COMM_NULL, code, note);
  }
  // A null pointer, or a key of another kind of object, concerns no window.
  if (object->errhandler == MPI_ERRORS_ARE_FATAL && (note == kNullPointer || code == MPI_ERR_KEYVAL))
    return raise(function, MPI_COMM_NULL, code, note);
  return dispatch(function, window_handle, object, code, note);
}

int raise_file(const char* function, MPI_File handle, int code, const char* note) {
  struct Chosen {
    MPI_Errhandler errhandler;
  } chosen{default_file_errhandler()};
  try {
    chosen.errhandler = file(handle).errhandler;
  } catch (const Failure&) {
  }
  return dispatch(function, handle, &chosen, code, note);
}

int raise_session(const char* function, MPI_Session handle, MPI_Errhandler errhandler, int code,
                  const char* note) {
  struct Chosen {
    MPI_Errhandler errhandler;
  } chosen{errhandler};
  return dispatch(function, handle, &chosen, code, note);
}

int new_errhandler(MPI_Comm_errhandler_function* function) {
  const std::uint32_t index = handlers().take();
  handlers()[index] = {function, 1};
  return make_handle(HandleKind::Errhandler, index + kPredefined);
}
void set_errhandler(MPI_Errhandler& slot, MPI_Errhandler handle) {
  hold(handle);
  drop(slot);
  slot = handle;
}
MPI_Errhandler get_errhandler(MPI_Errhandler slot) {
  hold(slot);
  return slot;
}
void drop_errhandler(MPI_Errhandler handle) { drop(handle); }
int* last_used_code() { return &my_codes().last; }

}  // namespace psim::net::mpi

PSIM_MPI_CALL(Errhandler_free, (MPI_Errhandler * handle), guarded, [&] {
  drop(out(handle));
  *handle = MPI_ERRHANDLER_NULL;
})

PSIM_MPI_CALL(Error_class, (int code, int* result), guarded, [&] {
  check_code(code);
  const auto& codes = my_codes().codes;
  const auto found = codes.find(code);
  out(result) = found != codes.end() ? found->second.class_of : code < kErrorClasses ? code : MPI_ERR_UNKNOWN;
})
PSIM_MPI_CALL(Error_string, (int code, char* text, int* length), guarded, [&] {
  check_code(code);
  const auto& codes = my_codes().codes;
  const auto found = codes.find(code);
  const char* what = code < kErrorClasses   ? kText[code]
                     : found != codes.end() ? found->second.text.c_str()
                                            : kText[MPI_ERR_UNKNOWN];
  out(length) = std::snprintf(&out(text), MPI_MAX_ERROR_STRING, "%s", what);
})
PSIM_MPI_CALL(Add_error_class, (int* result), unobserved, [&] {
  AddedCodes& mine = my_codes();
  out(result) = mine.last + 1;
  mine.codes[++mine.last].class_of = *result;
})
PSIM_MPI_CALL(Add_error_code, (int class_of, int* code), unobserved, [&] {
  AddedCodes& mine = my_codes();
  check_code(class_of);
  out(code) = mine.last + 1;
  mine.codes[++mine.last].class_of = class_of;
})
PSIM_MPI_CALL(Add_error_string, (int code, const char* text), guarded, [&] {
  AddedCodes& mine = my_codes();
  require(mine.codes.contains(code), MPI_ERR_ARG);
  mine.codes[code].text = std::string(&out(text)).substr(0, MPI_MAX_ERROR_STRING - 1);
})

/// Removing a class or code frees its number; a code of a class, or a text, must be removed before.
PSIM_MPI_CALL(Remove_error_class, (int code), guarded, [&] {
  auto& codes = my_codes().codes;
  const auto at = codes.find(code);
  require(at != codes.end() && at->second.class_of == code, MPI_ERR_ARG,
          "the error class was not added by the program");
  require(at->second.text.empty(), MPI_ERR_OTHER, "the error class has a text, which must be removed first");
  for (const auto& [other, added] : codes)
    require(other == code || added.class_of != code, MPI_ERR_OTHER,
            "the error class has codes, which must be removed first");
  remove_code(at);
})
PSIM_MPI_CALL(Remove_error_code, (int code), guarded, [&] {
  auto& codes = my_codes().codes;
  const auto at = codes.find(code);
  require(at != codes.end() && at->second.class_of != code, MPI_ERR_ARG,
          "the error code was not added by the program");
  require(at->second.text.empty(), MPI_ERR_OTHER, "the error code has a text, which must be removed first");
  remove_code(at);
})
PSIM_MPI_CALL(Remove_error_string, (int code), guarded, [&] {
  auto& codes = my_codes().codes;
  const auto at = codes.find(code);
  require(at != codes.end() && !at->second.text.empty(), MPI_ERR_ARG, "the error code has no text");
  at->second.text.clear();
})

// SPDX-License-Identifier: Apache-2.0
// Views and file pointers (MPI-3.1 sections 13.3, 13.4.3, 13.4.4).
#include <cstring>
#include <utility>

#include "mpi/datatype/registry.h"
#include "mpi/file/file.h"

using namespace psim::net::mpi;

namespace {

/// Returns a handle that the user frees unless the type is predefined.
MPI_Datatype for_user(Datatype& type) {
  if (!type.predefined) ++type.refs;
  return type.handle;
}

/// Returns the target of a seek, in etypes of the view.
long long sought(const File& f, MPI_Offset offset, int whence, long long now) {
  const auto etype = static_cast<long long>(f.etype_size());
  long long from = 0;
  if (whence == MPI_SEEK_CUR) {
    from = now;
  } else if (whence == MPI_SEEK_END) {
    from = (static_cast<long long>(f.view->below(f.host->size())) + etype - 1) / etype;
  } else {
    require(whence == MPI_SEEK_SET, MPI_ERR_ARG);
  }
  require(from + offset >= 0, MPI_ERR_ARG);
  return from + offset;
}

void refuse_sequential(const File& f) {
  require((f.amode & MPI_MODE_SEQUENTIAL) == 0, MPI_ERR_UNSUPPORTED_OPERATION);
}

void view_at(File& f, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
             const char* representation) {
  Representation in_file(&out(representation));
  if (displacement == MPI_DISPLACEMENT_CURRENT) {
    require((f.amode & MPI_MODE_SEQUENTIAL) != 0, MPI_ERR_ARG);
    const long long at = advance_shared_pointer(f, 0) * static_cast<long long>(f.etype_size());
    displacement = f.view->piece(static_cast<std::uint64_t>(at), 1).offset;
  }
  f.view = std::make_unique<View>(displacement, committed(etype), committed(filetype), std::move(in_file),
                                  (f.amode & MPI_MODE_RDONLY) == 0);
  f.pointer = 0;
}

}  // namespace

PSIM_MPI(int, File_set_view,
         (MPI_File handle, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
          const char* representation, MPI_Info hints)) {
  const CountedCall whole("MPI_File_set_view");
  const int code = file_call("MPI_File_set_view", handle, [&](File& f, Rank&) {
    Failure wrong{};
    try {
      view_at(f, displacement, etype, filetype, representation);
    } catch (const Failure& failure) {
      wrong = failure;
    }
    if (wrong.code != MPI_SUCCESS) {  // ranks with valid views synchronise too
      PMPI_Barrier(f.comm);
      PMPI_Barrier(f.comm);
      fail(wrong.code, wrong.note);
    }
    set_shared_pointer(f, 0);
  });
  return code != MPI_SUCCESS || hints == MPI_INFO_NULL ? code : PMPI_File_set_info(handle, hints);
}
PSIM_MPI(int, File_get_view,
         (MPI_File handle, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
          char* representation)) {
  return file_call("MPI_File_get_view", handle, [&](File& f, Rank&) {
    out(displacement) = f.view->displacement();
    out(etype) = for_user(f.view->etype());
    out(filetype) = for_user(f.view->filetype());
    std::strcpy(&out(representation), f.view->representation().name().c_str());
  });
}

PSIM_MPI(int, File_seek, (MPI_File handle, MPI_Offset offset, int whence)) {
  return file_call("MPI_File_seek", handle, [&](File& f, Rank&) {
    refuse_sequential(f);
    const auto etype = f.etype_size();
    f.pointer =
        static_cast<std::uint64_t>(sought(f, offset, whence, static_cast<long long>(f.pointer / etype))) *
        etype;
  });
}
PSIM_MPI(int, File_get_position, (MPI_File handle, MPI_Offset* offset)) {
  return file_call("MPI_File_get_position", handle, [&](File& f, Rank&) {
    refuse_sequential(f);
    out(offset) = static_cast<MPI_Offset>(f.pointer / f.etype_size());
  });
}
PSIM_MPI(int, File_get_byte_offset, (MPI_File handle, MPI_Offset offset, MPI_Offset* result)) {
  return file_call("MPI_File_get_byte_offset", handle, [&](File& f, Rank&) {
    refuse_sequential(f);
    require(offset >= 0, MPI_ERR_ARG);
    out(result) = f.view->piece(static_cast<std::uint64_t>(offset) * f.etype_size(), 1).offset;
  });
}
PSIM_MPI(int, File_seek_shared, (MPI_File handle, MPI_Offset offset, int whence)) {
  const CountedCall whole("MPI_File_seek_shared");
  return file_call("MPI_File_seek_shared", handle, [&](File& f, Rank&) {
    PMPI_Barrier(f.comm);
    const long long now = whence == MPI_SEEK_CUR ? advance_shared_pointer(f, 0) : 0;
    set_shared_pointer(f, sought(f, offset, whence, now));
  });
}
PSIM_MPI_CALL(File_get_position_shared, (MPI_File handle, MPI_Offset* offset), file_call, handle,
              [&](File& f, Rank&) { out(offset) = advance_shared_pointer(f, 0); })

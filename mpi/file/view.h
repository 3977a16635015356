// SPDX-License-Identifier: Apache-2.0
// The part of a file that a rank sees (MPI-3.1 section 13.3). Copies of a filetype follow each other from a
// displacement on. Their data without the holes are the stream, in which reads, writes and file pointers
// count. Its bytes are those in the file, whose representation may give types other sizes and extents.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/datatype/datatype.h"
#include "mpi/file/representation.h"
#include "mpi/object/ref.h"

namespace psim::net::mpi {

class View {
 public:
  /// Makes the view of all bytes of the file.
  View();
  /// Makes a view of a file, whose offsets must not overlap if it is `written`. Fails with MPI_ERR_ARG if the
  /// filetype is not made of etypes, or has data below its start. An empty filetype has an empty stream.
  View(MPI_Offset displacement, Datatype& etype, Datatype& filetype, Representation representation,
       bool written);

  MPI_Offset displacement() const { return displacement_; }
  Datatype& etype() const { return *etype_; }
  Datatype& filetype() const { return *filetype_; }
  const Representation& representation() const { return representation_; }
  /// Returns the bytes of an etype.
  std::uint64_t etype_size() const { return etype_size_; }

  /// A part of the stream that is contiguous in the file.
  struct Piece {
    MPI_Offset offset = 0;     ///< in the file
    std::uint64_t length = 0;  ///< ≥ 1 and at most the bytes requested; 0 in an empty stream
  };
  /// Returns the piece that begins at byte `at` of the stream, at most `bytes` ≥ 1 long.
  Piece piece(std::uint64_t at, std::uint64_t bytes) const;
  /// Returns the number of bytes of the stream that lie below byte `size` of the file.
  std::uint64_t below(MPI_Offset size) const;

 private:
  struct Run {
    std::ptrdiff_t offset;  // in the filetype
    std::uint64_t before;   // bytes of the stream in earlier runs
    std::uint64_t length;
  };
  void add(std::ptrdiff_t offset, std::uint64_t length);

  MPI_Offset displacement_ = 0;
  Ref<Datatype> etype_, filetype_;
  Representation representation_;
  std::uint64_t etype_size_, size_;  // of an etype and a filetype
  MPI_Aint extent_;                  // of the filetype
  std::vector<Run> runs_;
};

}  // namespace psim::net::mpi

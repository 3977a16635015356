// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/view.h"

#include <algorithm>

#include "mpi/datatype/registry.h"
#include "mpi/object/failure.h"

namespace psim::net::mpi {

View::View() : View(0, datatype(MPI_BYTE), datatype(MPI_BYTE)) {}

View::View(MPI_Offset displacement, Datatype& etype, Datatype& filetype)
    : displacement_(displacement), etype_(&etype), filetype_(&filetype) {
  require(displacement >= 0 && etype.size > 0, MPI_ERR_ARG);
  require(filetype.size % etype.size == 0, MPI_ERR_ARG);
  if (filetype.size == 0) return;  // of a rank without a share
  require(filetype.true_lb >= 0 && filetype.extent() > 0, MPI_ERR_ARG);
  for (const Segment& s : filetype.segments)
    for (std::uint64_t i = 0; i < s.repeats; ++i)
      add(s.offset + static_cast<std::ptrdiff_t>(i) * s.stride, s.run_bytes());
}

void View::add(std::ptrdiff_t offset, std::uint64_t length) {
  if (length == 0) return;
  if (!runs_.empty() && runs_.back().offset + static_cast<std::ptrdiff_t>(runs_.back().length) == offset)
    runs_.back().length += length;
  else
    runs_.push_back({offset, runs_.empty() ? 0 : runs_.back().before + runs_.back().length, length});
}

View::Piece View::piece(std::uint64_t at, std::uint64_t bytes) const {
  if (runs_.empty()) return {displacement_, 0};
  const std::uint64_t tile = at / filetype_->size, within = at % filetype_->size;
  const MPI_Offset start = displacement_ + static_cast<MPI_Offset>(tile) * filetype_->extent();
  const auto run = std::ranges::upper_bound(runs_, within, {}, &Run::before) - 1;
  const std::uint64_t skip = within - run->before;
  std::uint64_t length = std::min(bytes, run->length - skip);
  // Copies of a filetype without holes form one piece.
  if (runs_.size() == 1 && static_cast<MPI_Aint>(run->length) == filetype_->extent()) length = bytes;
  return {start + run->offset + static_cast<MPI_Offset>(skip), length};
}

std::uint64_t View::below(MPI_Offset size) const {
  if (size <= displacement_ || runs_.empty()) return 0;
  const MPI_Offset room = size - displacement_, extent = filetype_->extent();
  const auto whole = static_cast<std::uint64_t>(room / extent);
  const MPI_Offset rest = room % extent;
  std::uint64_t bytes = whole * filetype_->size;
  for (const Run& run : runs_)
    if (rest > run.offset) bytes += std::min(run.length, static_cast<std::uint64_t>(rest - run.offset));
  return bytes;
}

}  // namespace psim::net::mpi

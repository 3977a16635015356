// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/view.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "mpi/datatype/registry.h"
#include "mpi/object/failure.h"

namespace psim::net::mpi {

namespace {

/// Checks that offsets in a file ascend from 0, and do not overlap where they may be written (MPI-3.1 section
/// 13.3).
void check_displacements(const Datatype& type, bool written) {
  std::ptrdiff_t least = 0;
  for (const Segment s : type.all_segments()) {
    const std::ptrdiff_t apart = written ? static_cast<std::ptrdiff_t>(s.run_bytes()) : 0;
    require(s.offset >= least && (s.repeats == 1 || s.stride >= apart), MPI_ERR_IO,
            "an etype or filetype has offsets that are negative, descend or overlap");
    least = s.offset + static_cast<std::ptrdiff_t>(s.repeats - 1) * s.stride + apart;
  }
}

}  // namespace

View::View() : View(0, datatype(MPI_BYTE), datatype(MPI_BYTE), Representation(), true) {}

View::View(MPI_Offset displacement, Datatype& etype, Datatype& filetype, Representation representation,
           bool written)
    : displacement_(displacement),
      etype_(&etype),
      filetype_(&filetype),
      representation_(std::move(representation)) {
  const std::unique_ptr<Datatype> in_file[] = {representation_.layout(etype),
                                               representation_.layout(filetype)};
  const Datatype &unit = in_file[0] ? *in_file[0] : etype, &tile = in_file[1] ? *in_file[1] : filetype;
  check_displacements(unit, written);
  check_displacements(tile, written);
  etype_size_ = unit.size, size_ = tile.size, extent_ = tile.extent();
  require(displacement >= 0 && etype_size_ > 0, MPI_ERR_ARG);
  require(size_ % etype_size_ == 0, MPI_ERR_ARG);
  if (size_ == 0) return;  // of a rank without a share
  require(tile.true_lb >= 0 && extent_ > 0, MPI_ERR_ARG);
  for (const Segment s : tile.all_segments())
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
  const std::uint64_t tile = at / size_, within = at % size_;
  const MPI_Offset start = displacement_ + static_cast<MPI_Offset>(tile) * extent_;
  const auto run = std::ranges::upper_bound(runs_, within, {}, &Run::before) - 1;
  const std::uint64_t skip = within - run->before;
  std::uint64_t length = std::min(bytes, run->length - skip);
  // Copies of a filetype without holes form one piece.
  if (runs_.size() == 1 && static_cast<MPI_Aint>(run->length) == extent_) length = bytes;
  return {start + run->offset + static_cast<MPI_Offset>(skip), length};
}

std::uint64_t View::below(MPI_Offset size) const {
  if (size <= displacement_ || runs_.empty()) return 0;
  const MPI_Offset room = size - displacement_;
  const auto whole = static_cast<std::uint64_t>(room / extent_);
  const MPI_Offset rest = room % extent_;
  std::uint64_t bytes = whole * size_;
  for (const Run& run : runs_)
    if (rest > run.offset) bytes += std::min(run.length, static_cast<std::uint64_t>(rest - run.offset));
  return bytes;
}

}  // namespace psim::net::mpi

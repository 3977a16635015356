// SPDX-License-Identifier: Apache-2.0
#include "mpi/functions/datatype/build.h"

#include <algorithm>

namespace psim::net::mpi {
namespace {

MPI_Aint alignment_of(Basic basic) {
  switch (basic) {
    case Basic::ComplexFloat:
      return 4;
    case Basic::ComplexDouble:
      return 8;
    case Basic::Int128:
    case Basic::LongDouble:
    case Basic::Quad:
    case Basic::ComplexLongDouble:
    case Basic::ComplexQuad:
      return 16;
    default:
      return std::min<MPI_Aint>(8, size_of(basic));
  }
}

}  // namespace

void pad(Datatype& type) {
  if (type.lb_marked || type.ub_marked) return;
  MPI_Aint strictest = 1;
  for (const Segment& s : type.segments) strictest = std::max(strictest, alignment_of(s.basic));
  const MPI_Aint rest = type.extent() % strictest;
  if (rest != 0) type.ub += strictest - rest;
}

}  // namespace psim::net::mpi

// SPDX-License-Identifier: Apache-2.0
#include "mpi/datatype/file_layout.h"

#include <vector>

#include "mpi/datatype/construct.h"

namespace psim::net::mpi {

std::unique_ptr<Datatype> file_layout(
    const Datatype& type, const std::function<std::uint64_t(const Datatype& predefined)>& size_of) {
  auto layout = std::make_unique<Datatype>();
  if (type.predefined) {
    layout->predefined = true;
    layout->lb_marked = type.lb_marked, layout->ub_marked = type.ub_marked;
    if (type.size > 0) {  // not MPI_LB, MPI_UB
      layout->size = size_of(type);
      layout->ub = static_cast<MPI_Aint>(layout->size);
      layout->segments.push_back({0, 0, 1, layout->size, Basic::Byte});
      layout->basic = Basic::Byte;
    }
  } else {
    std::vector<std::unique_ptr<Datatype>> owned;
    std::vector<const Datatype*> parts;
    for (const Ref<Datatype>& part : type.parts) {
      owned.push_back(file_layout(*part, size_of));
      parts.push_back(owned.back().get());
    }
    layout->combiner = MPI_UNDEFINED;
    construct(*layout, type.combiner, type.contents, parts);
  }
  measure(*layout);
  return layout;
}

}  // namespace psim::net::mpi

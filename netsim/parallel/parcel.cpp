// SPDX-License-Identifier: Apache-2.0
#include "netsim/parallel/parcel.h"

namespace psim::net {

// Not inline: gcc 12 wrongly warns of overflows in the insert.
void Parcel::put(const void* data, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), from, from + size);
}

}  // namespace psim::net

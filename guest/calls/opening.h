// SPDX-License-Identifier: Apache-2.0
// From a place in the guest's tree to an open file.
#pragma once

#include <cstdint>
#include <memory>

#include "guest/calls/support.h"

namespace psim::isa::calls {

/// Opens what `path_address` names, by the guest's flags. 0 or a host errno.
int open_at(Process& p, int dirfd, std::uint64_t path_address, std::uint64_t flags, std::uint64_t mode,
            std::shared_ptr<OpenFile>& file);

}  // namespace psim::isa::calls

// SPDX-License-Identifier: Apache-2.0
// Opens files by their paths in the guest's tree.
#pragma once

#include <cstdint>
#include <memory>

#include "guest/calls/support.h"

namespace psim::isa::calls {

/// Opens what `path_address` names, with the guest's flags. Returns 0 or a host errno.
int open_at(Process& p, int dirfd, std::uint64_t path_address, std::uint64_t flags, std::uint64_t mode,
            std::shared_ptr<OpenFile>& file);

}  // namespace psim::isa::calls

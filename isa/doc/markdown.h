// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace psim::isa {

/// Returns docs/isa.md: the instruction table of the program. `isa_doc > docs/isa.md` renews the file; a test
/// compares it.
std::string isa_markdown();

}  // namespace psim::isa

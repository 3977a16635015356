// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace psim::isa {

/// docs/isa.md, whole: the instruction table as the program has it. `isa_doc > docs/isa.md` renews the file;
/// a test compares it.
std::string isa_markdown();

}  // namespace psim::isa

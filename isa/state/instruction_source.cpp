// SPDX-License-Identifier: Apache-2.0
#include "isa/state/instruction_source.h"

#include <stdexcept>

namespace psim::isa {

BlockTransfer InstructionSource::transfer(const InstructionRecord&) const {
  throw std::logic_error("this source of instructions has no block transfers");
}

}  // namespace psim::isa

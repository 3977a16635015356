// SPDX-License-Identifier: Apache-2.0
#include "report/dump/dumped_instruction.h"

namespace psim::pipeline::dump {

std::uint32_t StageNames::number(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(name, number);
  return number;
}

}  // namespace psim::pipeline::dump

// SPDX-License-Identifier: Apache-2.0
// The instructions of a dump, for tests of readers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "report/dump/read_dump.h"

namespace psim::pipeline::dump {

struct Collected : DumpSink {
  void instruction(DumpedInstruction&& instruction) override {
    instructions.push_back(std::move(instruction));
  }
  std::vector<DumpedInstruction> instructions;
};

/// Returns the error with which `read` refuses `text`, or "accepted". Messages name the file "t".
template <class Read>
std::string error_of_reader(Read read, std::string_view text, const ReadOptions& options) {
  StageNames names;
  Collected collected;
  try {
    LineReader lines(text, "t");
    read(lines, options, names, collected);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace psim::pipeline::dump

// SPDX-License-Identifier: Apache-2.0
// A profile by functions and source lines: addresses of pipeline::Profile with the names of the program.
//
// A function is a symbol of the program. Code without symbols is divided at the targets of calls, and named
// by the address of its first instruction. A line has the instructions that the compiler generated from it,
// inlined copies in other functions included.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/profile.h"

namespace psim::report {

/// Names of a program's code. Addresses are those of the run.
struct CodeNames {
  struct Function {
    std::uint64_t address = 0, bytes = 0;  ///< bytes 0: up to the next
    std::string name;                      ///< as shown to readers
  };
  struct Line {
    std::string file;  ///< empty: unknown
    int number = 0;
  };
  std::vector<Function> functions;                ///< ascending
  std::function<Line(std::uint64_t pc)> line_of;  ///< may be empty
  std::function<std::string(std::uint32_t word, std::uint64_t pc)> disassemble;
};

struct NamedProfile {
  struct Cost {
    pipeline::ProfileCounts counts;
    pipeline::CpiAccount::Stack cpi{};
    void add(const pipeline::ProfiledInstruction& one);
    /// Returns the largest part of its cycles other than Base; Base if it never waited.
    pipeline::CpiPart waits_most_for() const;
    double ipc() const;
  };
  struct Instruction {
    std::uint64_t pc;
    std::string text;
    CodeNames::Line line;
    Cost cost;
  };
  struct Function {
    std::string name;
    std::uint64_t address = 0;       ///< of its symbol, or of its first instruction that was executed
    std::size_t first = 0, end = 0;  ///< instructions [first, end)
    CodeNames::Line line;            ///< of its first instruction
    Cost cost;
    std::uint64_t calls = 0;
    pipeline::ProfileCounts inclusive;  ///< with its callees; its own counts if no call of it was observed
  };
  struct Line {
    CodeNames::Line line;
    Cost cost;
  };

  NamedProfile(const pipeline::Profile& profile, const CodeNames& names);
  /// Returns the function that contains `pc`, which was executed or called.
  std::size_t function_at(std::uint64_t pc) const;

  Cost total;
  std::vector<Instruction> instructions;      ///< by address
  std::vector<Function> functions;            ///< by address
  std::vector<std::size_t> hottest;           ///< functions by cycles
  std::vector<Line> lines;                    ///< by cycles; only those that are known
  std::vector<pipeline::ProfiledCall> calls;  ///< by address of the call
};

}  // namespace psim::report

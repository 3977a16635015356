// SPDX-License-Identifier: Apache-2.0
// One random instruction: a row of the instruction table, its fields filled so that it can go anywhere in a
// chunk. It traps nowhere, loads and stores only in the chunk's scratch memory, and spares the registers with
// a duty.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/spec.h"
#include "tests/differential/code_builder.h"
#include "tests/differential/generator.h"
#include "tests/differential/random.h"

namespace psim::differential {

/// True if the row may appear in programs of the subset.
bool in_subset(const isa::Spec& spec, Subset subset);

class PlainInstructions {
 public:
  /// Rows of the subset that are no control transfer. `random` outlives this.
  PlainInstructions(Random& random, Subset subset);

  /// Appends one, after the instructions that prepare it (an address in a register, a divisor that is not
  /// zero). Now and then nothing, where the fields drawn make none.
  void append(CodeBuilder& code);
  /// A register that may be written.
  unsigned destination();

 private:
  unsigned even_destination();
  std::uint32_t filled(const isa::Spec& spec, CodeBuilder& code, bool& usable);

  Random& random_;
  Subset subset_;
  std::vector<const isa::Spec*> rows_;
};

}  // namespace psim::differential

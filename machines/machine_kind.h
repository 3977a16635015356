// SPDX-License-Identifier: Apache-2.0
// The kind of a machine file: a core (psim run) or a network (psim net), by the keys that it sets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/schema.h"
#include "base/config/setting.h"

namespace psim {

/// Returns true if a setting of this key sets a field of the schema: by its key, or in a table {value,
/// source}.
bool sets_field(const Schema& schema, std::string_view key);

enum class MachineKind : unsigned char {
  Core,     ///< sets keys that only cores have
  Network,  ///< sets keys that only networks have
  Unclear,  ///< neither of both, or some of both
};
MachineKind kind_of(const std::vector<Setting>& settings);

/// Throws UserError if the machine is of the other kind than `wanted`. Files with other mistakes pass:
/// loading reports them. `own`: the schema of the wanted kind.
void check_kind(std::string_view machine, MachineKind wanted, const Schema& own);

/// Does apply_machine(). If that fails because the machine is of the other kind, the error states that.
void apply_machine_of(MachineKind wanted, Schema& schema, std::string_view machine,
                      const std::vector<std::string>& sets);

struct ShippedMachine {
  std::string name, description;
  MachineKind kind;
  bool is_base;  ///< sets only energy coefficients, for machines that build on it
};
/// Returns the shipped machines, sorted by name.
std::vector<ShippedMachine> shipped_machines();

}  // namespace psim

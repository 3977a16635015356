// SPDX-License-Identifier: Apache-2.0
// The rows of the instruction table, group by group, each next to the meaning of its instructions.
#pragma once

#include <span>

#include "isa/table/spec.h"

namespace psim::isa::table {

std::span<const Spec> integer_rows();                // isa/instructions/integer.cpp
std::span<const Spec> shift_multiply_divide_rows();  // isa/instructions/shift_multiply_divide.cpp
std::span<const Spec> conditional_move_rows();       // isa/instructions/conditional_move.cpp
std::span<const Spec> branch_rows();                 // isa/instructions/control_transfer.cpp
std::span<const Spec> trap_rows();                   // isa/instructions/control_transfer.cpp
std::span<const Spec> window_rows();                 // isa/instructions/window_instructions.cpp
std::span<const Spec> load_store_rows();             // isa/instructions/load_store.cpp
std::span<const Spec> alternate_space_rows();        // isa/instructions/alternate_space.cpp
std::span<const Spec> atomic_rows();                 // isa/instructions/atomic.cpp
std::span<const Spec> ordering_rows();               // isa/instructions/load_store.cpp
std::span<const Spec> state_rows();                  // isa/instructions/state_registers.cpp
std::span<const Spec> fp_arithmetic_rows();          // isa/instructions/fp/arithmetic.cpp
std::span<const Spec> fp_convert_rows();             // isa/instructions/fp/convert.cpp
std::span<const Spec> fp_compare_rows();             // isa/instructions/fp/compare.cpp
std::span<const Spec> fp_move_rows();                // isa/instructions/fp/moves.cpp
std::span<const Spec> vis1_rows();                   // isa/vis/vis1.cpp
std::span<const Spec> vis2_rows();                   // isa/vis/vis2.cpp
std::span<const Spec> vis3_rows();                   // isa/vis/vis3.cpp
std::span<const Spec> simd_state_rows();             // isa/simd/state_registers.cpp
std::span<const Spec> simd_exchange_rows();          // isa/simd/exchange.cpp
std::span<const Spec> simd_cross_rows();             // isa/simd/cross.cpp
std::span<const Spec> simd_transfer_rows();          // isa/simd/transfer.cpp
std::span<const Spec> privileged_rows();             // isa/instructions/control_transfer.cpp
std::span<const Spec> illegal_rows();                // isa/instructions/control_transfer.cpp

}  // namespace psim::isa::table

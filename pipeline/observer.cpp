// SPDX-License-Identifier: Apache-2.0
#include "pipeline/observer.h"

namespace psim::pipeline {

namespace {
constexpr std::array<std::string_view, kStallCauses> kStallNames{
    "none",
    "instruction_cache",
    "branch_redirect",
    "instruction_buffer_full",
    "serialise",
    "reservation_station_full",
    "reorder_buffer_full",
    "rename_full",
    "store_queue_full",
    "load_queue_full",
    "operand",
    "pipe_busy",
    "cancelled",
    "l1_miss",
    "l2_miss",
    "store_forward",
    "commit_width",
    "window_trap",
    "transfer_queue_full",
    "transfer",
};
constexpr std::array<std::string_view, kCpiParts> kCpiNames{
    "base",
    "front_end",
    "branch",
    "reservation_station",
    "reorder_buffer",
    "int_latency",
    "fp_latency",
    "store_queue",
    "l1",
    "l2",
    "memory",
    "sbm",
    "transfer",
    "c_w1",
    "window_trap",
    "serial",
    "drain",
};
static_assert(!kStallNames.back().empty() && !kCpiNames.back().empty(), "every name is written");
}  // namespace

std::string_view name(StallCause cause) { return kStallNames.at(static_cast<std::size_t>(cause)); }
std::string_view name(CpiPart part) { return kCpiNames.at(static_cast<std::size_t>(part)); }

}  // namespace psim::pipeline

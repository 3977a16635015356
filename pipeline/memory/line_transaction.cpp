// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/line_transaction.h"

namespace psim::pipeline {

tlm::tlm_extension_base* LineInfo::clone() const {
  // The owner of a copy would have to free it, which free() above does not do; so no copy is made.
  return nullptr;
}

void LineInfo::copy_from(const tlm::tlm_extension_base& other) {
  const auto& info = static_cast<const LineInfo&>(other);
  kind = info.kind;
  level = info.level;
  user = info.user;
}

TransactionPool::Entry::Entry(TransactionPool& pool) : payload(&pool) {
  payload.set_extension(&info);
  payload.set_data_ptr(scratch.data());
}

tlm::tlm_generic_payload& TransactionPool::acquire(tlm::tlm_command command, std::uint64_t address,
                                                   std::uint32_t bytes) {
  if (free_.empty()) free_.push_back(&all_.emplace_back(*this).payload);
  tlm::tlm_generic_payload& payload = *free_.back();
  free_.pop_back();
  payload.acquire();
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return payload;
}

}  // namespace psim::pipeline

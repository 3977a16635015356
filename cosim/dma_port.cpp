// SPDX-License-Identifier: Apache-2.0
#include "cosim/dma_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <utility>

#include "cosim/address_spaces.h"

namespace psim::cosim {

using pipeline::L2Cache;
using sc_core::sc_time;

DmaPort::DmaPort(sc_core::sc_module_name name, std::vector<isa::GuestMemory*> memories, L2Cache& cache,
                 std::uint32_t line_bytes)
    : sc_core::sc_module(name), memories_(std::move(memories)), cache_(cache), line_bytes_(line_bytes) {
  in_dma.register_b_transport(this, &DmaPort::serve);
}

/// Returns the time from now until memory has served [begin, end).
sc_time DmaPort::access_lines(bool read, std::uint64_t begin, std::uint64_t end) {
  std::array<unsigned char, 256> scratch{};
  sc_time longest = sc_core::SC_ZERO_TIME;
  for (Listener* listener : listeners_) listener->on_dma_begin();
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t line = at & ~(line_bytes_ - 1), stop = std::min(end, line + line_bytes_);
    const bool whole = stop - at == line_bytes_;
    const auto now = sc_core::sc_time_stamp().value();
    const auto ready = cache_.snoop(line,
                                    read    ? L2Cache::Snoop::Read
                                    : whole ? L2Cache::Snoop::Overwrite
                                            : L2Cache::Snoop::Write,
                                    now);
    tlm::tlm_generic_payload request;
    request.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    request.set_address(at);
    request.set_data_ptr(scratch.data());
    request.set_data_length(static_cast<unsigned>(stop - at));
    request.set_streaming_width(request.get_data_length());
    sc_time delay = sc_time::from_value(ready - now);
    out_memory->b_transport(request, delay);
    if (request.is_response_error() || sc_core::sc_time_stamp().value() != now)
      throw std::runtime_error(
          fmt::format("{}: memory {} in b_transport() for address {:#x}; expected {}", name(),
                      request.is_response_error() ? request.get_response_string() : "waited", at,
                      "TLM_OK_RESPONSE and an annotated delay"));
    longest = std::max(longest, delay);
    at = stop;
  }
  for (Listener* listener : listeners_) listener->on_dma_end();
  return longest;
}

void DmaPort::serve(tlm::tlm_generic_payload& payload, sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const std::uint64_t begin = payload.get_address(), bytes = payload.get_data_length();
  const std::span<std::byte> data{reinterpret_cast<std::byte*>(payload.get_data_ptr()), bytes};
  if (payload.get_byte_enable_ptr() != nullptr || payload.get_streaming_width() < bytes) {
    payload.set_response_status(payload.get_byte_enable_ptr() != nullptr ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                                                         : tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t space = begin / kAddressSpace, address = begin % kAddressSpace;
  if (space >= memories_.size()) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  isa::GuestMemory& memory = *memories_[space];
  std::size_t done = bytes;
  if (payload.is_read()) {
    done = memory.copy_out(address, data);
    delay = access_lines(true, begin, begin + done);
  } else if (payload.is_write()) {
    done = memory.accessible(address, bytes, isa::kWrite);
    wait(access_lines(false, begin, begin + done));
    // A core's cycle at this very time must not see it.
    wait(sc_time::from_value(1));
    for (Listener* listener : listeners_) listener->on_dma_begin();
    for (std::uint64_t line = begin & ~(line_bytes_ - 1); line < begin + done; line += line_bytes_)
      cache_.snoop(line, L2Cache::Snoop::Overwrite, sc_core::sc_time_stamp().value());
    for (Listener* listener : listeners_) listener->on_dma_end();
    memory.copy_in(address, data.first(done));
  }
  for (Listener* listener : listeners_) listener->on_dma_bytes(done);
  payload.set_response_status(done == bytes ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace psim::cosim

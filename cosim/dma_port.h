// SPDX-License-Identifier: Apache-2.0
// A device's access to a node's memory: guest bytes, their timing, and the notification of caches.
//
// Input:  in_dma, TLM-2.0, b_transport: a read or write of any length and alignment, at a physical address
//         (cosim/address_spaces.h).
// Output: out_memory, to the memory controller that L2 uses, a request for each line (or part of one).
//   read   dirty copies are written back; all lines are requested at once; the bytes are those in memory then
//   write  lines of which not all bytes are written are written back first; when the last byte is across the
//          bus, the bytes are there and no cache keeps a copy
// A write waits, and returns when it is done. A read returns at once with the time of its end as the delay,
// so that an initiator may have several under way. Memory and caches change between two cycles of a core:
// later cycles see the change, so results do not depend on the order in which SystemC runs processes. An
// address that the program has not mapped for the access is answered by TLM_ADDRESS_ERROR_RESPONSE; the part
// before it is done.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <vector>

#include "isa/memory/guest_memory.h"
#include "pipeline/memory/l2_cache.h"

namespace psim::cosim {

class DmaPort : public sc_core::sc_module {
 public:
  /// Is notified before and after each use of caches and memory, within which no time passes.
  class Listener {
   public:
    virtual void on_dma_begin() = 0;
    virtual void on_dma_end() = 0;
    virtual void on_dma_bytes(std::uint64_t bytes) = 0;  ///< of a completed access

   protected:
    ~Listener() = default;
  };

  tlm_utils::simple_target_socket<DmaPort> in_dma{"in_dma"};
  tlm_utils::simple_initiator_socket<DmaPort> out_memory{"out_memory"};

  /// `memories`: of the node's programs, by the number of their address space.
  DmaPort(sc_core::sc_module_name name, std::vector<isa::GuestMemory*> memories, pipeline::L2Cache& cache,
          std::uint32_t line_bytes);
  /// Call before the simulation. `listener` outlives the port.
  void observe(Listener& listener) { listeners_.push_back(&listener); }

 private:
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  sc_core::sc_time access_lines(bool read, std::uint64_t begin, std::uint64_t end);

  const std::vector<isa::GuestMemory*> memories_;
  pipeline::L2Cache& cache_;
  std::uint64_t line_bytes_;
  std::vector<Listener*> listeners_;
};

}  // namespace psim::cosim

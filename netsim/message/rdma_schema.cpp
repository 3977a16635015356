// SPDX-License-Identifier: Apache-2.0
#include "netsim/message/rdma_config.h"

namespace psim::net {

void describe(Schema& schema, RdmaConfig& config) {
  constexpr Picoseconds kNone{0}, kSecond{1'000'000'000'000};
  constexpr std::string_view kLibrary = "paper 000, table 1: library overhead 0";
  schema.section("rdma", "remote direct memory access; its engines are nic.dma_…");
  schema.add("rdma.put_ack", config.put_ack, {{"nic", PutAck::Nic}, {"program", PutAck::Program}},
             "sender of the control packet of a put by MGEN_acp_copy: the destination's interface, or its "
             "program by "
             "LMGEN_Isend_acp_put_ctrl",
             "paper 000, 3.1; program: its sample, 3.2");
  schema.add("rdma.control", config.control, {0_B, 4_KiB}, "data of a control packet, beyond nic.header",
             kAssumption);
  schema.add("rdma.outstanding", config.outstanding, {0, 1'000'000},
             "operations of a rank under way at once, later ones wait; 0: no limit", kAssumption);
  schema.add("rdma.post", config.post, {kNone, kSecond}, "processor time to start an operation", kLibrary);
  schema.add("rdma.completion", config.completion, {kNone, kSecond},
             "processor time to notice that an operation has completed, or that a put has arrived", kLibrary);
  schema.add("rdma.poll", config.poll, {Picoseconds{1}, kSecond}, "processor time of each acp_inquire",
             kAssumption);
  schema.add("rdma.registration", config.registration, {kNone, kSecond},
             "processor time to register memory, also of windows of MPI", kAssumption);
  schema.add("rdma.registration_page", config.registration_page, {kNone, kSecond},
             "in addition, for each 4 KiB of that memory", kAssumption);
  schema.add("rdma.starter_memory", config.starter_memory, {8_B, 1_GiB}, "starter memory of each rank",
             kAssumption);
}

}  // namespace psim::net

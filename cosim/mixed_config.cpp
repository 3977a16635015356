// SPDX-License-Identifier: Apache-2.0
#include "cosim/mixed_config.h"

namespace psim {

MixedConfig::MixedConfig() {
  schema.add("at", at,
             "nodes of the network that are detailed, such as 0:3,512:515; the first ones if not set", "-");
  schema.add(
      "compute", compute,
      "time of computing of ranks, as psim net --compute: stated, or model:FILE, whose file is relative to "
      "this one",
      "-");
  schema.add("skeleton", skeleton, "leave out the bodies of PSIM_REGION_SKIP regions, as psim net --skeleton",
             "-");
  schema.add(
      "traffic.pattern", pattern,
      "pattern of the messages of all nodes that are neither detailed nor of a job, as psim net --traffic",
      "-");
  schema.add("traffic.load", load, {1e-6, 4.0}, "bytes that each of them makes, as a share of nic.bandwidth",
             "-");
  schema.add("traffic.message", message, {Bytes{1}, Bytes{std::uint64_t{1} << 30}}, "size of each message",
             "-");
  schema.add("traffic.hot", hot, {0.0, 1.0}, "share of a hotspot's traffic to node 0", "-");
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// The counts of interfaces of several host processes.
#include "netsim/nic/network_interface.h"

#include <algorithm>

namespace psim::net {

void NetworkInterfaces::write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const {
  for (std::size_t port = std::size_t{first} * ports_a_node_; port < std::size_t{end} * ports_a_node_;
       ++port) {
    parcel.put(ports_[port].sent);
    parcel.put(ports_[port].looped_packets);
    parcel.put(ports_[port].looped_bytes);
  }
}

void NetworkInterfaces::read(Parcel& parcel, std::uint32_t first, std::uint32_t end) {
  for (std::size_t port = std::size_t{first} * ports_a_node_; port < std::size_t{end} * ports_a_node_;
       ++port) {
    ports_[port].sent = parcel.take<ChannelCount>();
    ports_[port].looped_packets = parcel.take<std::uint64_t>();
    ports_[port].looped_bytes = parcel.take<std::uint64_t>();
  }
}

void NetworkInterfaces::add(const PacketCount& received, std::uint64_t messages, const DmaTime& dma) {
  dma_time_.add(dma);
  received_.packets += received.packets;
  received_.bytes += received.bytes;
  received_.latency_sum += received.latency_sum;
  received_.latency_most = std::max(received_.latency_most, received.latency_most);
  received_.latency.add(received.latency);
  messages_ += messages;
}

}  // namespace psim::net

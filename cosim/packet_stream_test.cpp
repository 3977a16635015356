// SPDX-License-Identifier: Apache-2.0
#include "cosim/packet_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace psim::cosim {
namespace {

/// An interface whose memory has a latency and a bus, and whose channel accepts a packet at once or after
/// those before it.
class TestInterface final : public QueueInterface {
 public:
  static constexpr std::uint64_t kLatency = 60'000;                                      // ps
  static constexpr std::uint64_t bus(std::uint64_t bytes) { return bytes * 1000 / 16; }  // 16 GB/s

  QueueInterface::Reading begin_read(std::uint64_t address, std::span<std::byte> bytes) override {
    begun.push_back(now_);
    bus_free_ = std::max(bus_free_, now_) + bus(bytes.size());
    std::ranges::fill(bytes, static_cast<std::byte>(address / 512));
    return {address + bytes.size() <= mapped, bus_free_ + kLatency};
  }
  void wait_until(std::uint64_t time) override { now_ = std::max(now_, time); }
  std::uint64_t now() const override { return now_; }
  bool write(std::uint64_t, std::span<const std::byte>) override { return true; }
  void transmit(std::uint32_t, QueueInterface::Bytes packet) override {
    wait_until(channel_free_);
    sent.emplace_back(now_, packet.size());
    channel_free_ = now_ + channel_time;
  }
  void post(std::function<void()>) override {}
  void report(std::string_view) override {}
  std::string place(const StoreOrigin&) const override { return {}; }
  void signal() override {}

  std::uint64_t mapped = 1 << 20, channel_time = 0;
  std::vector<std::uint64_t> begun;
  std::vector<std::pair<std::uint64_t, std::size_t>> sent;

 private:
  std::uint64_t now_ = 0, bus_free_ = 0, channel_free_ = 0;
};

constexpr std::uint64_t kPacket = 2048 + sizeof(QueuePacket);

/// Sends `total` bytes of address 0 in packets of 2,048 bytes of data.
queue::Status send(TestInterface& interface, std::uint64_t total, std::uint32_t reads,
                   const unsigned char* header = nullptr) {
  return PacketStream(interface, kPacket, reads, {.total = total}, 0, header).send(1);
}

TEST(PacketStream, OneReadAtATimePaysTheLatencyOfEach) {
  TestInterface interface;
  EXPECT_EQ(send(interface, 8192, 1), queue::Status::Good);
  const std::uint64_t read = TestInterface::bus(512) + TestInterface::kLatency;
  ASSERT_EQ(interface.sent.size(), 4u);
  for (std::uint64_t packet = 0; packet < 4; ++packet)
    EXPECT_EQ(interface.sent[packet], std::pair(4 * (packet + 1) * read, std::size_t{kPacket}));
}

TEST(PacketStream, ReadsThatCoverTheLatencyUseTheWholeBus) {
  // 4 reads of 32 ns cover 60 + 32 ns.
  for (const std::uint32_t reads : {4, 8, 64}) {
    TestInterface interface;
    EXPECT_EQ(send(interface, 65'536, reads), queue::Status::Good);
    ASSERT_EQ(interface.sent.size(), 32u);
    for (std::uint64_t packet = 0; packet < 32; ++packet)
      EXPECT_EQ(interface.sent[packet].first,
                TestInterface::bus(2048) * (packet + 1) + TestInterface::kLatency);
  }
}

TEST(PacketStream, TwoReadsAtATimeAreTwoPerLatency) {
  TestInterface interface;
  send(interface, 4096, 2);
  // A read begins when the one before the last ends: two in each 60 + 32 ns.
  std::vector<std::uint64_t> begun;
  for (std::uint64_t pair = 0; pair < 4; ++pair) {
    begun.push_back(pair * 92'000);
    begun.push_back(pair * 92'000 + (pair == 0 ? 0 : 32'000));
  }
  EXPECT_EQ(interface.begun, begun);
}

TEST(PacketStream, ReadsContinueWhilePacketsWaitForTheChannel) {
  TestInterface interface;
  interface.channel_time = 1'000'000;
  send(interface, 6144, 8);
  ASSERT_EQ(interface.sent.size(), 3u);
  const std::uint64_t first = TestInterface::bus(2048) + TestInterface::kLatency;
  EXPECT_EQ(interface.sent[2].first, first + 2'000'000);
  EXPECT_EQ(interface.begun[7], 0u) << "the second packet's bytes are requested with the first's";
}

TEST(PacketStream, TheFirstPacketAlsoCarriesTheHeader) {
  TestInterface interface;
  const unsigned char header[64]{};
  send(interface, 2048, 8, header);
  ASSERT_EQ(interface.sent.size(), 2u);
  EXPECT_EQ(interface.sent[0].second, kPacket);
  EXPECT_EQ(interface.sent[1].second, sizeof(QueuePacket) + 64);
  TestInterface empty;
  send(empty, 0, 8, header);
  ASSERT_EQ(empty.sent.size(), 1u);
  EXPECT_EQ(empty.sent[0], std::pair(std::uint64_t{0}, sizeof(QueuePacket) + 64));
}

TEST(PacketStream, BytesThatAreNotMappedEndIt) {
  TestInterface interface;
  interface.mapped = 2048 + 512;
  EXPECT_EQ(send(interface, 65'536, 8), queue::Status::BadLocalAddress);
  ASSERT_EQ(interface.sent.size(), 2u);
  EXPECT_EQ(interface.sent[1].second, sizeof(QueuePacket)) << "reports the error";
}

}  // namespace
}  // namespace psim::cosim

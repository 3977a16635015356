// SPDX-License-Identifier: Apache-2.0
// Built as a separate libpsim_mpi.so for the tests (see ranks/CMakeLists.txt).
#include "ranks/testing/rank_library.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/message/library_stamp.h"

namespace psim::net {

struct MpiConfig;  // not used by this library

namespace {

class TestLibrary final : public Library {
 public:
  explicit TestLibrary(Host& host) : host_(host) {}

  void send(std::uint32_t to, const void* data, std::uint64_t bytes) {
    Envelope envelope;
    envelope.source = host_.current();
    envelope.destination = RankId{to};
    envelope.bytes = bytes;
    host_.send(envelope, bytes, static_cast<const std::byte*>(data), bytes);
  }

  // Stores the data in the receiver's memory while the receiver is not running, as a real library does.
  void receive(std::uint32_t from, void* data, std::uint64_t bytes) {
    const RankId me = host_.current();
    auto& queue = queues_[{from, index(me)}];
    if (queue.empty()) {
      waiting_[index(me)] = {from, data, bytes};
      host_.block();
    } else {
      std::memcpy(data, queue.front().data(), bytes);
      queue.pop_front();
    }
  }

  void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) override {
    const std::uint32_t from = index(envelope.source), to = index(envelope.destination);
    const auto waiting = waiting_.find(to);
    if (waiting == waiting_.end() || waiting->second.from != from) {
      queues_[{from, to}].emplace_back(data, data + bytes);
      return;
    }
    std::memcpy(host_.memory(envelope.destination, waiting->second.data, bytes), data, bytes);
    waiting_.erase(waiting);
    host_.wake(envelope.destination);
  }
  void departed(const Envelope&) override {}
  void timer(RankId, std::uint64_t) override {}
  void describe(RankId rank, bool, char* text, std::size_t size) const override {
    const auto waiting = waiting_.find(index(rank));
    if (waiting == waiting_.end())
      std::snprintf(text, size, "nothing");
    else
      std::snprintf(text, size, "rank_receive(%u)", waiting->second.from);
  }

  Host& host() { return host_; }

 private:
  struct Waiting {
    std::uint32_t from = 0;
    void* data = nullptr;
    std::uint64_t bytes = 0;
  };
  Host& host_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::vector<std::byte>>> queues_;
  std::map<std::uint32_t, Waiting> waiting_;
};

TestLibrary* library = nullptr;

}  // namespace
}  // namespace psim::net

using psim::net::library;

extern "C" {

const char psim_library_stamp[] = PSIM_LIBRARY_STAMP;

psim::net::Library* psim_attach_library(psim::net::Host& host, const psim::net::MpiConfig&) {
  delete library;
  return library = new psim::net::TestLibrary(host);
}

int rank_number(void) { return static_cast<int>(index(library->host().current())); }
int rank_count(void) { return static_cast<int>(library->host().ranks()); }
long rank_time(void) { return library->host().now().count(); }
void rank_sleep(long picoseconds) { library->host().sleep(psim::Picoseconds{picoseconds}); }
void rank_send(int to, const void* data, long bytes) {
  library->send(static_cast<std::uint32_t>(to), data, static_cast<std::uint64_t>(bytes));
}
void rank_receive(int from, void* data, long bytes) {
  library->receive(static_cast<std::uint32_t>(from), data, static_cast<std::uint64_t>(bytes));
}
void rank_abort(int status) { library->host().abort_job(status, "rank_abort"); }

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace psim::net {
namespace {

void write(Parcel& parcel, const Ending& ending) {
  parcel.put(ending.kind);
  parcel.put(ending.status);
  parcel.put(ending.time);
  parcel.put(ending.rank);
  parcel.put(std::uint64_t{ending.lines.size()});
  for (const std::string& line : ending.lines) parcel.put_text(line);
  parcel.put(std::uint64_t{ending.waiting.size()});
  for (const auto& [rank, text] : ending.waiting) {
    parcel.put(rank);
    parcel.put_text(text);
  }
  parcel.put_all(ending.left);
}

Ending read(Parcel& parcel) {
  Ending ending;
  ending.kind = parcel.take<Ending::Kind>();
  ending.status = parcel.take<int>();
  ending.time = parcel.take<std::uint64_t>();
  ending.rank = parcel.take<std::uint32_t>();
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left)
    ending.lines.push_back(parcel.take_text());
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto rank = parcel.take<std::uint32_t>();
    ending.waiting.emplace_back(rank, parcel.take_text());
  }
  ending.left = parcel.take_all<Ending::Left>();
  return ending;
}

}  // namespace

bool Ending::before(const Ending& other) const {
  if (kind != other.kind) return kind > other.kind;
  return kind >= Kind::Aborted && std::pair(time, rank) < std::pair(other.time, other.rank);
}

void Ending::add(Ending other) {
  auto all_waiting = std::move(waiting);
  all_waiting.insert(all_waiting.end(), other.waiting.begin(), other.waiting.end());
  std::ranges::sort(all_waiting);
  auto all_left = std::move(left);
  all_left.insert(all_left.end(), other.left.begin(), other.left.end());
  const int most = std::max(status, other.status);
  const bool finished = kind == Kind::Finished && other.kind == Kind::Finished;
  if (other.before(*this)) *this = std::move(other);
  if (finished) status = most;
  waiting = std::move(all_waiting);
  left = std::move(all_left);
}

void Ending::settle() {
  std::ranges::sort(left);
  if (kind != Kind::Deadlocked) return;
  const auto bad = std::ranges::find_if(left, [](const Left& one) { return one.status != 0; });
  status = bad != left.end() ? bad->status : 0;
}

void Ending::report_deadlock(std::uint64_t when, std::uint32_t ended, std::uint32_t ranks) {
  const std::size_t listed = std::min(waiting.size(), kMostWaiting);
  const std::uint64_t left = ranks - ended;
  lines.push_back(fmt::format("deadlock at {:.9f} s: {} of {} ranks wait for events that cannot happen",
                              static_cast<double>(when) * 1e-12, left, ranks));
  for (std::size_t i = 0; i < listed; ++i) lines.push_back(waiting[i].second);
  if (left > listed) lines.push_back(fmt::format("… and {} more", left - listed));
}

const char* name(Ending::Kind kind) {
  switch (kind) {
    case Ending::Kind::Finished:
      return "finished";
    case Ending::Kind::Aborted:
      return "aborted";
    case Ending::Kind::Failed:
      return "failed";
    case Ending::Kind::Deadlocked:
      return "deadlocked";
    case Ending::Kind::Interrupted:
      break;
  }
  return "interrupted";
}

void RankResults::gather(HostProcesses& processes, std::span<const std::uint32_t> here) {
  processes.gather(
      [&](Parcel& parcel) {
        write(parcel, ending);
        parcel.put(ended);
        parcel.put(messages);
        parcel.put(bytes);
        warnings.write(parcel);
        parcel.put(std::uint64_t{here.size()});
        for (const std::uint32_t rank : here) {
          parcel.put(rank);
          parcel.put(times[rank]);
        }
      },
      [&](Parcel& parcel) {
        ending.add(read(parcel));  // in the order of processes
        ended += parcel.take<std::uint32_t>();
        messages += parcel.take<std::uint64_t>();
        bytes += parcel.take<std::uint64_t>();
        warnings.read(parcel);
        for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
          const auto rank = parcel.take<std::uint32_t>();
          times[rank] = parcel.take<RankTime>();
        }
      });
  ending.settle();
  std::vector<Parcel> out(processes.size()), in(processes.size());
  for (Parcel& parcel : out) {
    parcel.put(ending.kind);
    parcel.put(ending.status);
  }
  processes.exchange(out, in);
  if (processes.first()) return;
  ending.kind = in[0].take<Ending::Kind>();
  ending.status = in[0].take<int>();
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/warm_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/read_file.h"
#include "isa/trace/crc32c.h"
#include "isa/trace/layout.h"
#include "pipeline/sampling/warm_state.h"

namespace psim::pipeline {

namespace {
using isa::trace::Bytes;
using isa::trace::Fixed;
using isa::trace::Reader;

constexpr char kWarmMagic[] = "PSIMWRM\n";
constexpr std::size_t kWarmHeadBytes = 16, kWarmSectionBytes = 24;
constexpr std::uint32_t kSize = 1, kPoint = 2, kTrace = 3, kSummary = 4, kDescription = 5;
constexpr int kWarmLevel = 3;
constexpr std::uint64_t kMostWords = 1u << 25;  // of a state: 256 MiB
constexpr std::uint64_t kMostRegions = RegionAccount::kMostRows + 1;

/// The trace within the file.
class WindowBytes final : public isa::trace::TraceBytes {
 public:
  explicit WindowBytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, void* to, std::size_t count) override {
    if (count != 0) std::memcpy(to, bytes_.data() + offset, count);
  }

 private:
  std::string_view bytes_;
};

void put_passed(Bytes& payload, const std::vector<SampledStream::Passed>& passed) {
  isa::trace::put(payload, std::uint64_t{passed.size()});
  for (const SampledStream::Passed& each : passed)
    isa::trace::put(payload, each.kind), isa::trace::put(payload, each.instructions);
}

std::vector<SampledStream::Passed> read_passed(Reader& in) {
  std::vector<SampledStream::Passed> passed;
  for (std::uint64_t left = in.number(in.left(), "the number of episodes"); left != 0; --left) {
    const std::uint64_t kind = in.number();
    passed.push_back({kind, in.number()});
  }
  return passed;
}

void put_work(Bytes& payload, const Work& work) {
  for (const std::uint64_t count : work.all()) isa::trace::put(payload, count);
}

Work read_work(Reader& in) {
  std::array<std::uint64_t, Work::kCounts + 1> all{};
  for (std::uint64_t& count : all) count = in.number();
  return Work::of(all);
}

/// Reads all of a window but its state, which follows.
WarmPoint read_window(Reader& in) {
  WarmPoint point;
  point.instructions = in.number();
  point.skipped = in.number();
  point.weight = in.number();
  point.first = in.number();
  point.loop = in.number();
  const std::uint64_t flags = in.number(3, "the flags of a window");
  point.burst = (flags & 1) != 0, point.watch = (flags & 2) != 0;
  point.lost = in.number();
  point.episode = in.number();
  point.passed = read_passed(in);
  point.work = read_work(in);
  for (std::uint64_t left = in.number(RegionAccount::kMostOpen, "the number of open regions"); left != 0;
       --left)
    point.open.push_back(in.number(kMostRegions, "a region"));
  return point;
}
}  // namespace

WarmFileWriter::WarmFileWriter(const std::string& path, std::string_view option)
    : file_(path, option),
      trace_(std::make_unique<isa::trace::TraceFileWriter>(
          std::make_unique<isa::trace::MemorySink>(trace_bytes_))) {
  Fixed<kWarmHeadBytes> head;
  std::memcpy(head.bytes.data(), kWarmMagic, 8);
  head.put(8, kWarmFileVersion);
  write(head.bytes.data(), head.bytes.size());
}

WarmFileWriter::~WarmFileWriter() = default;

void WarmFileWriter::write(const void* bytes, std::size_t count) {
  file_.write({static_cast<const char*>(bytes), count});
  written_ += count;
}

void WarmFileWriter::section(std::uint32_t kind, const Bytes& payload, bool compress) {
  Bytes compressed;
  const Bytes* stored = &payload;
  if (compress) {
    compressed.resize(ZSTD_compressBound(payload.size()));
    const std::size_t size =
        ZSTD_compress(compressed.data(), compressed.size(), payload.data(), payload.size(), kWarmLevel);
    if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
    compressed.resize(size);
    stored = &compressed;
  }
  if (stored->size() > ~std::uint32_t{0}) throw UserError("saved warm state: more than 4 GiB of windows");
  Fixed<kWarmSectionBytes> head;
  head.put(0, kind);
  head.put(8, static_cast<std::uint32_t>(stored->size()));
  head.put(12, static_cast<std::uint32_t>(payload.size()));
  head.put(16, isa::trace::crc32c(stored->data(), stored->size()));
  head.put(20, isa::trace::crc32c(head.bytes.data(), 20));
  write(head.bytes.data(), head.bytes.size());
  write(stored->data(), stored->size());
}

void WarmFileWriter::point(const WarmPoint& point, const std::vector<std::uint64_t>& state) {
  if (last_.empty()) {
    Bytes size;
    isa::trace::put(size, std::uint64_t{state.size()});
    section(kSize, size);
    last_.resize(state.size());
  }
  Bytes payload;
  isa::trace::put(payload, point.instructions);
  isa::trace::put(payload, point.skipped);
  isa::trace::put(payload, point.weight);
  isa::trace::put(payload, point.first);
  isa::trace::put(payload, point.loop);
  isa::trace::put(payload, std::uint64_t{point.burst} | std::uint64_t{point.watch} << 1);
  isa::trace::put(payload, point.lost);
  isa::trace::put(payload, point.episode);
  put_passed(payload, point.passed);
  put_work(payload, point.work);
  isa::trace::put(payload, std::uint64_t{point.open.size()});
  for (const std::size_t row : point.open) isa::trace::put(payload, std::uint64_t{row});
  put_difference(payload, last_, state);
  section(kPoint, payload);
  last_ = state;
}

void WarmFileWriter::finish(const WarmSummary& summary, std::string_view description) {
  section(kTrace, Bytes(trace_bytes_.begin(), trace_bytes_.end()), false);
  Bytes payload;
  isa::trace::put(payload, summary.instructions);
  isa::trace::put(payload, std::uint64_t{summary.ends_in_window} | std::uint64_t{summary.limited} << 1);
  isa::trace::put(payload, std::uint64_t{summary.regions.size()});
  for (const MeasuredRegion& region : summary.regions) {
    isa::trace::put(payload, region.name);
    isa::trace::put(payload, std::uint64_t{region.arguments.size()});
    for (const std::int64_t argument : region.arguments)
      isa::trace::put(payload, isa::trace::zigzag(static_cast<std::uint64_t>(argument)));
    isa::trace::put(payload, region.executions);
    isa::trace::put(payload, region.totals.instructions);
    isa::trace::put(payload, region.statistics.empty() ? 0 : region.statistics.totals.front());
  }
  isa::trace::put(payload, std::uint64_t{summary.notes.size()});
  for (const std::string& note : summary.notes) isa::trace::put(payload, note);
  isa::trace::put(payload, summary.l2.misses);
  isa::trace::put(payload, summary.l2.evictions);
  put_passed(payload, summary.passed);
  put_work(payload, summary.work);
  isa::trace::put(payload, std::uint64_t{summary.new_code.size()});
  std::uint64_t last = 0;
  for (const std::uint64_t number : summary.new_code)
    isa::trace::put(payload, number - std::exchange(last, number));
  section(kSummary, payload);
  section(kDescription, Bytes(description.begin(), description.end()));
  file_.commit();
}

WarmFile::WarmFile(std::string path) : path_(std::move(path)), check_(true) {
  FileBytes file = read_regular_file(path_);
  if (!file.problem.empty()) fail(file.problem);
  bytes_ = std::move(file.bytes);
  read();
}

WarmFile::WarmFile(std::string path, std::string bytes, bool check)
    : path_(std::move(path)), bytes_(std::move(bytes)), check_(check) {
  read();
}

void WarmFile::fail(std::string_view what) const { throw UserError(fmt::format("{}: {}", path_, what)); }

WarmFile::Section WarmFile::section_at(std::uint64_t offset) const {
  Fixed<kWarmSectionBytes> head;
  if (bytes_.size() - offset < kWarmSectionBytes)
    fail(fmt::format("cut off after {} bytes; expected a complete file of saved warm state", bytes_.size()));
  std::memcpy(head.bytes.data(), bytes_.data() + offset, kWarmSectionBytes);
  const bool intact = !check_ || head.get<std::uint32_t>(20) == isa::trace::crc32c(head.bytes.data(), 20);
  const Section section{head.get<std::uint32_t>(0), offset + kWarmSectionBytes, head.get<std::uint32_t>(8),
                        head.get<std::uint32_t>(12)};
  if (!intact || section.raw > isa::trace::kMostPayload)
    fail(fmt::format("damaged at byte {}; save the warm state again", offset));
  if (bytes_.size() - section.offset < section.stored)
    fail(fmt::format("cut off after {} bytes; expected a complete file of saved warm state", bytes_.size()));
  if (check_ &&
      head.get<std::uint32_t>(16) != isa::trace::crc32c(bytes_.data() + section.offset, section.stored))
    fail(fmt::format("damaged in the {} bytes from byte {} on; save the warm state again", section.stored,
                     section.offset));
  return section;
}

Bytes WarmFile::payload_of(const Section& section) const {
  Bytes payload(section.raw);
  const std::size_t size =
      ZSTD_decompress(payload.data(), payload.size(), bytes_.data() + section.offset, section.stored);
  if (ZSTD_isError(size) || size != section.raw)
    fail(fmt::format("damaged at byte {}; save the warm state again", section.offset));
  return payload;
}

void WarmFile::read() {
  if (bytes_.size() < 8 || bytes_.compare(0, 8, kWarmMagic) != 0)
    fail("no file of saved warm state; expected one of psim run --save-warm");
  Fixed<kWarmHeadBytes> head;
  if (bytes_.size() < kWarmHeadBytes) fail("cut off after its first bytes");
  std::memcpy(head.bytes.data(), bytes_.data(), kWarmHeadBytes);
  if (const auto version = head.get<std::uint32_t>(8); version != kWarmFileVersion)
    fail(fmt::format("version {} of saved warm state; expected {}: save it again with this psim", version,
                     kWarmFileVersion));
  try {
    for (std::uint64_t at = kWarmHeadBytes;;) {
      const Section section = section_at(at);
      at = section.offset + section.stored;
      if (section.kind == kPoint) {
        read_point(section);
      } else if (section.kind == kTrace && trace_ == nullptr) {
        trace_bytes_ =
            std::make_unique<WindowBytes>(std::string_view(bytes_).substr(section.offset, section.stored));
        trace_ = std::make_unique<isa::trace::TraceFile>(path_, *trace_bytes_, check_);
      } else if (section.kind == kSummary) {
        read_summary(payload_of(section));
      } else if (section.kind == kSize && state_.empty()) {
        const Bytes payload = payload_of(section);
        state_.resize(Reader(payload.data(), payload.data() + payload.size())
                          .number(kMostWords, "the size of a state"));
      } else if (section.kind == kDescription) {
        const Bytes payload = payload_of(section);
        description_.assign(payload.begin(), payload.end());
        if (at != bytes_.size()) fail(fmt::format("has {} bytes too many", bytes_.size() - at));
        break;
      } else {
        fail(fmt::format("damaged before byte {}; save the warm state again", section.offset));
      }
    }
    if (trace_ == nullptr) fail("has no windows; save the warm state again");
    for (const WarmPoint& point : points_)
      for (const std::size_t row : point.open)
        if (row >= summary_.regions.size()) throw isa::trace::BadTrace("a region is out of range");
  } catch (const isa::trace::BadTrace& error) {
    fail(error.what());
  }
}

void WarmFile::read_point(const Section& section) {
  const Bytes payload = payload_of(section);
  Reader in(payload.data(), payload.data() + payload.size());
  WarmPoint point = read_window(in);
  if (!points_.empty() &&
      (point.first < points_.back().first || point.instructions < points_.back().instructions))
    throw isa::trace::BadTrace("the windows are not in order");
  points_.push_back(std::move(point));
  states_.push_back(section);
}

void WarmFile::read_summary(const Bytes& payload) {
  Reader in(payload.data(), payload.data() + payload.size());
  summary_ = {};
  summary_.instructions = in.number();
  const std::uint64_t flags = in.number(3, "the flags of the end");
  summary_.ends_in_window = (flags & 1) != 0, summary_.limited = (flags & 2) != 0;
  for (std::uint64_t left = in.number(kMostRegions, "the number of regions"); left != 0; --left) {
    MeasuredRegion& region = summary_.regions.emplace_back();
    region.name = in.text();
    for (std::uint64_t n = in.number(isa::region_marker::kMostArguments, "the number of arguments"); n != 0;
         --n)
      region.arguments.push_back(static_cast<std::int64_t>(isa::trace::unzigzag(in.number())));
    region.executions = in.number();
    region.totals.instructions = in.number();
    region.statistics.totals = {in.number()};
  }
  for (std::uint64_t left = in.number(in.left(), "the number of notes"); left != 0; --left)
    summary_.notes.emplace_back(in.text());
  summary_.l2.misses = in.number();
  summary_.l2.evictions = in.number();
  summary_.passed = read_passed(in);
  summary_.work = read_work(in);
  std::uint64_t last = 0;
  for (std::uint64_t left = in.number(in.left(), "the number of lines of code"); left != 0; --left)
    summary_.new_code.push_back(last += in.number());
}

const std::vector<std::uint64_t>& WarmFile::next_state() {
  const Bytes payload = payload_of(states_.at(next_));
  try {
    Reader in(payload.data(), payload.data() + payload.size());
    read_window(in);
    apply_difference(in, state_);
  } catch (const isa::trace::BadTrace& error) {
    fail(fmt::format("window {}: {}", next_, error.what()));
  }
  ++next_;
  return state_;
}

}  // namespace psim::pipeline

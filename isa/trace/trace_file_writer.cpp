// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <stdexcept>

#include "base/output_file.h"
#include "isa/trace/crc32c.h"
#include "isa/trace/layout.h"
#include "isa/trace/trace_file.h"

namespace psim::isa::trace {

namespace {
// Fast: payloads are small already, and recording must not wait for compression.
constexpr int kLevel = 1;

void put(Bytes& bytes, const Properties& properties) {
  trace::put(bytes, std::uint64_t{properties.size()});
  for (const auto& [name, value] : properties) trace::put(bytes, name), trace::put(bytes, value);
}

class FileSink final : public TraceSink {
 public:
  FileSink(const std::string& path, std::string_view option) : file_(path, option) {}
  void write(std::string_view bytes) override { file_.write(bytes); }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
};
}  // namespace

TraceFileWriter::TraceFileWriter(const std::string& path, std::string_view option)
    : TraceFileWriter(std::make_unique<FileSink>(path, option)) {}

TraceFileWriter::TraceFileWriter(std::unique_ptr<TraceSink> sink)
    : sink_(std::move(sink)), zstd_(ZSTD_createCCtx()) {
  if (zstd_ == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(zstd_, ZSTD_c_compressionLevel, kLevel);
  Fixed<kHeadBytes> head;
  std::memcpy(head.bytes.data(), kMagic, 8);
  head.put(8, kVersion);
  write(head.bytes.data(), head.bytes.size());
}

TraceFileWriter::~TraceFileWriter() { ZSTD_freeCCtx(zstd_); }

void TraceFileWriter::write(const void* bytes, std::size_t count) {
  sink_->write({static_cast<const char*>(bytes), count});
  written_ += count;
}

void TraceFileWriter::section(std::uint32_t kind, const FrameHeader& header, const Bytes& payload) {
  compressed_.resize(ZSTD_compressBound(payload.size()));
  const std::size_t stored =
      ZSTD_compress2(zstd_, compressed_.data(), compressed_.size(), payload.data(), payload.size());
  if (ZSTD_isError(stored)) throw std::runtime_error(ZSTD_getErrorName(stored));
  Fixed<kSectionBytes> head;
  head.put(0, kind);
  head.put(4, std::uint32_t{header.changes_text});
  head.put(8, static_cast<std::uint32_t>(stored));
  head.put(12, static_cast<std::uint32_t>(payload.size()));
  head.put(16, header.first);
  head.put(24, header.instructions);
  head.put(28, crc32c(compressed_.data(), stored));
  head.put(32, crc32c(head.bytes.data(), 32));
  write(head.bytes.data(), head.bytes.size());
  write(compressed_.data(), stored);
}

void TraceFileWriter::properties(const Properties& properties) {
  Bytes payload;
  put(payload, properties);
  section(section::kProperties, {}, payload);
}

void TraceFileWriter::text(const TextImage& image) {
  Bytes payload;
  image.for_each_run([&](std::uint64_t address, std::span<const std::uint32_t> words) {
    trace::put(payload, address);
    trace::put(payload, std::uint64_t{words.size()});
    trace::put(payload, words);
  });
  image.for_each_zero_run([&](std::uint64_t address, std::uint64_t pages) {
    trace::put(payload, address);
    trace::put(payload, std::uint64_t{0});
    trace::put(payload, pages);
  });
  section(section::kText, {}, payload);
}

void TraceFileWriter::frame(const FrameHeader& header, const Bytes& payload) {
  index_.push_back({written_, header});
  section(section::kFrame, header, payload);
  instructions_ += header.instructions;
}

void TraceFileWriter::finish(const Properties& ending) {
  const std::uint64_t at = written_;
  Bytes payload;
  Properties complete = ending;
  if (uses_extension_) complete["pes"] = std::to_string(pes_);
  put(payload, complete);
  trace::put(payload, std::uint64_t{index_.size()});
  std::uint64_t last = 0;
  for (const Indexed& frame : index_) {
    trace::put(payload, frame.offset - last);
    trace::put(payload, std::uint64_t{frame.header.instructions});
    trace::put(payload, std::uint64_t{frame.header.changes_text});
    last = frame.offset;
  }
  section(section::kIndex, {}, payload);
  Fixed<kTrailerBytes> trailer;
  trailer.put(0, at);
  std::memcpy(trailer.bytes.data() + 8, kEndMagic, 8);
  trailer.put(16, crc32c(trailer.bytes.data(), 16));
  write(trailer.bytes.data(), trailer.bytes.size());
  sink_->commit();
}

}  // namespace psim::isa::trace

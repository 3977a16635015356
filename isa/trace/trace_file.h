// SPDX-License-Identifier: Apache-2.0
// A trace file: a head, then sections, each compressed (zstd) and with a checksum of its own, an index at the
// end. docs/traces.md describes the bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/trace/frame.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace psim::isa::trace {

/// Counted up when a reader of the version before would misunderstand the file. Readers know the one before,
/// in which no site follows.
inline constexpr std::uint32_t kVersion = 3, kOldestVersion = 2;

/// Text by name: what a trace says of itself ("program", "fma", …). Names a reader does not know are kept.
using Properties = std::map<std::string, std::string>;

/// Where the bytes of a trace go.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void commit() = 0;
};

/// Writes a trace; nothing appears under its name before finish().
class TraceFileWriter {
 public:
  /// Throws UserError if the file cannot be made. `option` names who asked, "-o".
  TraceFileWriter(const std::string& path, std::string_view option);
  explicit TraceFileWriter(std::unique_ptr<TraceSink> sink);
  ~TraceFileWriter();

  /// In this order: once, once, any number, once. Throw UserError (disk full, …).
  void properties(const Properties& properties);
  void text(const TextImage& image);
  void frame(const FrameHeader& header, const Bytes& payload);
  void finish(const Properties& ending);

  /// An instruction of the SIMD extension was recorded, with so many PEs enabled: finish() adds it to the
  /// ending, as "pes".
  void uses_pes(std::uint8_t pes) { uses_extension_ = true, pes_ = std::max(pes_, pes); }
  std::uint64_t bytes() const { return written_; }
  std::uint64_t instructions() const { return instructions_; }

 private:
  void section(std::uint32_t kind, const FrameHeader& header, const Bytes& payload);
  void write(const void* bytes, std::size_t count);

  std::unique_ptr<TraceSink> sink_;
  ZSTD_CCtx_s* zstd_;
  Bytes compressed_;
  std::uint64_t written_ = 0, instructions_ = 0;
  bool uses_extension_ = false;
  std::uint8_t pes_ = 0;
  struct Indexed {
    std::uint64_t offset;
    FrameHeader header;
  };
  std::vector<Indexed> index_;
};

/// The bytes of a trace, wherever they are.
class TraceBytes {
 public:
  virtual ~TraceBytes() = default;
  virtual std::uint64_t size() const = 0;
  /// Throws UserError if they cannot be read.
  virtual void read(std::uint64_t offset, void* to, std::size_t count) = 0;
};
/// Of a file. Throws UserError.
std::unique_ptr<TraceBytes> open_trace_bytes(const std::string& path);
/// In memory.
class MemoryBytes final : public TraceBytes {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, void* to, std::size_t count) override {
    if (count != 0) std::memcpy(to, bytes_.data() + offset, count);  // a place for nothing may be null
  }

 private:
  std::string bytes_;
};
/// Appends to `bytes`.
class MemorySink final : public TraceSink {
 public:
  explicit MemorySink(std::string& bytes) : bytes_(bytes) {}
  void write(std::string_view bytes) override { bytes_ += bytes; }
  void commit() override {}

 private:
  std::string& bytes_;
};

/// A trace that has been opened: its head and its index are good. Every error is a UserError of one line that
/// begins with the path and names the frame.
class TraceFile {
 public:
  /// `bytes` outlives it. `check` false: checksums are not compared (for fuzzing what lies behind them).
  TraceFile(std::string path, TraceBytes& bytes, bool check = true);
  ~TraceFile();

  const std::string& path() const { return path_; }
  const Properties& properties() const { return properties_; }
  const Properties& ending() const { return ending_; }
  /// A property, or empty.
  std::string property(const std::string& name) const;

  std::size_t frames() const { return frames_.size(); }
  const FrameHeader& header(std::size_t frame) const { return frames_[frame].header; }
  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t bytes() const { return bytes_.size(); }
  /// Stored bytes of the text as it was at the start, and of a frame.
  std::uint64_t text_bytes() const { return text_bytes_; }
  std::uint64_t frame_bytes(std::size_t frame) const { return frames_[frame].stored; }
  /// The frame that holds instruction `number` (of the trace, from 0), or frames().
  std::size_t frame_of(std::uint64_t number) const;

  void read_text(TextImage& image);
  FrameReader read_frame(std::size_t frame);
  /// "PATH: frame 3 (instructions 2097152 to 3145727): WHAT", thrown.
  [[noreturn]] void fail_in_frame(std::size_t frame, std::string_view what) const;

 private:
  struct Section {
    std::uint32_t kind = 0;
    FrameHeader header;
    std::uint64_t offset = 0, stored = 0;  ///< of the compressed bytes
    std::uint32_t raw = 0, crc = 0;
    std::uint32_t head_crc = 0;
  };
  struct Frame {
    std::uint64_t offset = 0, stored = 0;
    FrameHeader header;
  };
  [[noreturn]] void fail(std::string_view what) const;
  /// The last part of the file is missing or damaged: says up to where it is good.
  [[noreturn]] void fail_without_index(std::string_view what);
  std::uint32_t frame_kind() const;
  Section section_at(std::uint64_t offset);
  Bytes payload_of(const Section& section);
  void read_index(std::uint64_t offset);

  std::string path_;
  TraceBytes& bytes_;
  bool check_;
  std::uint32_t version_ = 0;
  ZSTD_DCtx_s* zstd_;
  Properties properties_, ending_;
  std::vector<Frame> frames_;
  std::uint64_t text_offset_ = 0, text_bytes_ = 0, instructions_ = 0;
};

}  // namespace psim::isa::trace

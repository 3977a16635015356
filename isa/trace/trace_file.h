// SPDX-License-Identifier: Apache-2.0
// A trace file: a head, then sections, each compressed (zstd) and with its own checksum, and an index at the
// end. docs/trace-format.md describes the bytes.
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

/// The version increases when a reader of the previous version would misunderstand the file. Readers accept
/// the previous one, in which no site follows.
inline constexpr std::uint32_t kVersion = 3, kOldestVersion = 2;

/// Text by name: a trace's statements about itself ("program", "fma", …). Names unknown to a reader are kept.
using Properties = std::map<std::string, std::string>;

/// The destination of a trace's bytes.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void commit() = 0;
};

/// Writes a trace; no file appears under its name before finish().
class TraceFileWriter {
 public:
  /// Throws UserError if the file cannot be created. `option` is the requesting option, "-o".
  TraceFileWriter(const std::string& path, std::string_view option);
  explicit TraceFileWriter(std::unique_ptr<TraceSink> sink);
  ~TraceFileWriter();

  /// Call in this order: once, once, any number, once. They throw UserError (disk full, …).
  void properties(const Properties& properties);
  void text(const TextImage& image);
  void frame(const FrameHeader& header, const Bytes& payload);
  void finish(const Properties& ending);

  /// Records that an instruction of the SIMD extension ran with `pes` PEs enabled: finish() adds the most to
  /// the ending, as "pes".
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

/// A source of a trace's bytes.
class TraceBytes {
 public:
  virtual ~TraceBytes() = default;
  virtual std::uint64_t size() const = 0;
  /// Reads bytes. Throws UserError if that fails.
  virtual void read(std::uint64_t offset, void* to, std::size_t count) = 0;
};
/// Opens a file. Throws UserError.
std::unique_ptr<TraceBytes> open_trace_bytes(const std::string& path);
/// In memory.
class MemoryBytes final : public TraceBytes {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, void* to, std::size_t count) override {
    if (count != 0) std::memcpy(to, bytes_.data() + offset, count);  // null if count is 0
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

/// An open trace whose head and index are valid. Every error is a UserError of one line that begins with the
/// path and names the frame.
class TraceFile {
 public:
  /// `bytes` must outlive it. `check` false: checksums are not compared (for fuzzing the contents).
  TraceFile(std::string path, TraceBytes& bytes, bool check = true);
  ~TraceFile();

  const std::string& path() const { return path_; }
  const Properties& properties() const { return properties_; }
  const Properties& ending() const { return ending_; }
  /// Returns a property, or an empty string.
  std::string property(const std::string& name) const;

  std::size_t frames() const { return frames_.size(); }
  const FrameHeader& header(std::size_t frame) const { return frames_[frame].header; }
  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t bytes() const { return bytes_.size(); }
  /// Return the stored bytes of the initial text, and of a frame.
  std::uint64_t text_bytes() const { return text_bytes_; }
  std::uint64_t frame_bytes(std::size_t frame) const { return frames_[frame].stored; }
  /// Returns the frame that holds instruction `number` (of the trace, from 0), or frames().
  std::size_t frame_of(std::uint64_t number) const;

  void read_text(TextImage& image);
  FrameReader read_frame(std::size_t frame);
  /// Throws "PATH: frame 3 (instructions 2097152 to 3145727): WHAT".
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
  /// Throws for a trace whose last part is missing or damaged, with the extent of the valid part.
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

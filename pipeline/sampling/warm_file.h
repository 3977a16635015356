// SPDX-License-Identifier: Apache-2.0
// A file of saved warm state (live-points: Wenisch, Wunderlich, Falsafi, Hoe, ISPASS 2006): for each window
// of a sampled run, the warm state of the core at its start, and the records of its instructions, as a trace.
//
//   head      16  "PSIMWRM\n", version, 0
//   sections      24 bytes of header (kind, 0, bytes stored, bytes before compression, CRC-32C of the stored
//                 bytes, CRC-32C of the 20 bytes before), then a zstd frame:
//     size        words of a warm state
//     points      one section each: a Point, and its state as the difference from the one before
//     trace       a trace file (docs/traces.md), not compressed again
//     summary     Summary
//     description the text of the writer; the last section
//
// Numbers in payloads are those of isa/trace/varint.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "isa/trace/trace_file.h"
#include "pipeline/region_account.h"
#include "pipeline/sampling/sampled_stream.h"

namespace psim::pipeline {

inline constexpr std::uint32_t kWarmFileVersion = 6;

/// The start of a window.
struct WarmPoint {
  std::uint64_t instructions = 0;  ///< of the program before it
  std::uint64_t skipped = 0;       ///< of them, those since the last window
  std::uint64_t weight = 0;        ///< instructions that its unit stands for; 0: it has none
  std::uint64_t first = 0;         ///< number of its first instruction in the trace
  std::vector<std::size_t> open;   ///< rows of the regions that are open
  std::uint64_t loop = 0;          ///< head of a loop that begins here; 0: none
  bool burst = false;              ///< a burst is under way
  std::uint64_t lost = 0;          ///< instructions of that burst before the window
  bool watch = false;              ///< a burst that begins in the window counts as such
  std::uint64_t episode = 0;       ///< kind of the episode of block transfers that begins; 0: none
  std::vector<SampledStream::Passed> passed{};  ///< since the last window
  Work work{};                                  ///< likewise, of functional execution
};

/// The whole program.
struct WarmSummary {
  std::uint64_t instructions = 0;
  bool ends_in_window = false;  ///< the program, or the run, ended in the last window
  bool limited = false;         ///< the run ended at its limit of instructions
  std::vector<MeasuredRegion> regions;
  std::vector<std::string> notes;
  SampledStream::L2Counts l2;
  std::vector<SampledStream::Passed> passed;  ///< after the last window
  Work work;                                  ///< likewise
  std::vector<std::uint64_t> new_code;  ///< windows' first instructions of lines of code, by numbers in the
                                        ///< trace, each after it has been read
};

class WarmFileWriter {
 public:
  /// Throws UserError if the file cannot be created. `option` is the requesting option.
  WarmFileWriter(const std::string& path, std::string_view option);
  ~WarmFileWriter();

  /// Returns the writer of the windows' trace, which the caller completes before finish().
  isa::trace::TraceFileWriter& trace() { return *trace_; }
  void point(const WarmPoint& point, const std::vector<std::uint64_t>& state);
  /// Publishes the file. Nothing of it appears before.
  void finish(const WarmSummary& summary, std::string_view description);
  std::uint64_t bytes() const { return written_; }

 private:
  void section(std::uint32_t kind, const isa::trace::Bytes& payload, bool compress = true);
  void write(const void* bytes, std::size_t count);

  OutputFile file_;
  std::uint64_t written_ = 0;
  std::vector<std::uint64_t> last_;  // state of the last point
  std::string trace_bytes_;
  std::unique_ptr<isa::trace::TraceFileWriter> trace_;
};

/// An open file. Every error is a UserError of one line that begins with the path.
class WarmFile {
 public:
  explicit WarmFile(std::string path);
  /// Reads a file that is in memory. `check` false: checksums are not compared (for fuzzing the contents).
  WarmFile(std::string path, std::string bytes, bool check = true);

  const std::string& path() const { return path_; }
  const std::string& description() const { return description_; }
  const WarmSummary& summary() const { return summary_; }
  isa::trace::TraceFile& trace() { return *trace_; }
  std::size_t points() const { return points_.size(); }
  const WarmPoint& point(std::size_t number) const { return points_[number]; }
  /// Returns the states of points one after the other, from the first on.
  const std::vector<std::uint64_t>& next_state();
  [[noreturn]] void fail(std::string_view what) const;

 private:
  struct Section {
    std::uint32_t kind = 0;
    std::uint64_t offset = 0;
    std::uint32_t stored = 0, raw = 0;
  };
  void read();
  Section section_at(std::uint64_t offset) const;
  isa::trace::Bytes payload_of(const Section& section) const;
  void read_point(const Section& section);
  void read_summary(const isa::trace::Bytes& payload);

  std::string path_, bytes_;
  bool check_;
  std::string description_;
  WarmSummary summary_;
  std::vector<WarmPoint> points_;
  std::vector<Section> states_;
  std::size_t next_ = 0;
  std::vector<std::uint64_t> state_;
  std::unique_ptr<isa::trace::TraceBytes> trace_bytes_;
  std::unique_ptr<isa::trace::TraceFile> trace_;
};

}  // namespace psim::pipeline

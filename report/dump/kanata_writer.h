// SPDX-License-Identifier: Apache-2.0
// Kanata 0004, the log format that Konata opens (its docs/kanata-log-format.md). Lane 0 holds the stages,
// lane 1 the stall causes; W lines are wake-ups; the left pane shows PC and assembly, the hover text the
// sequence, the effective address, a remark and the cycles waited by cause.
//
// The format allows no past event once a later cycle is written. Events wait here, by cycle, until every
// instruction that could add to the cycle has arrived: the cycle is then earlier than the first one of the
// latest instruction. Memory is bounded by the instructions in flight.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/dump/buffered_file.h"
#include "report/dump/text_cache.h"
#include "report/dump/timeline_sink.h"

namespace psim::pipeline::dump {

class KanataWriter final : public TimelineSink {
 public:
  /// Opens the file. Throws UserError if `path` cannot be created.
  KanataWriter(std::string path, Disassembler disassembler, Remark remark = {});
  /// Adds timelines in order of sequence. Throws std::logic_error if one begins before an earlier one does.
  void add(const InstructionTimeline& timeline) override;
  /// Writes the waiting events and puts the file in place. Throws UserError if it cannot be written.
  void finish() override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  enum class Kind : std::uint8_t { Open, Stage, StallBegin, StallEnd, Wakeup, Leave };
  struct Event {
    std::uint32_t next;   ///< in its cycle
    std::uint32_t id;     ///< in the file
    std::uint32_t other;  ///< Wakeup: id of the producer
    Kind kind;
    std::uint8_t name;  ///< stage that begins, stall cause that begins or ends
  };
  struct Bucket {
    std::uint32_t first = kNone, last = kNone;
  };
  /// An instruction with lines still to be written.
  struct Live {
    char id[16];  ///< tab, the id in decimal, tab
    std::uint8_t id_length;
    bool left;  ///< its R line is written
    bool flushed;
    std::uint64_t retired;
    std::string open;  ///< its I and L lines
  };
  struct Identity {
    std::uint64_t sequence = ~std::uint64_t{0};
    std::uint32_t id = 0;
  };
  Live& live(std::uint32_t id) { return live_[id & (live_.size() - 1)]; }
  void open(const InstructionTimeline& timeline);
  void describe(const InstructionTimeline& timeline, Live& entry);
  /// Adds an event of the instruction being added.
  void put(std::uint64_t cycle, Kind kind, std::uint8_t name = 0, std::uint32_t other = 0);
  void refill_near();
  /// Writes every event before `cycle`; no earlier event can follow.
  void write_until(std::uint64_t cycle);
  void write_cycle(std::uint64_t cycle, Bucket& bucket);
  char* write_event(char* out, const Event& event);

  BufferedFile file_;
  std::string path_;
  TextCache texts_;
  const Remark remark_;

  std::vector<Event> events_;
  std::uint32_t free_event_ = kNone;
  std::vector<Bucket> near_;             ///< the kNear cycles from next_cycle_, by cycle modulo kNear
  std::uint64_t near_used_ = 0;          ///< buckets of near_ that hold events
  std::map<std::uint64_t, Bucket> far_;  ///< later ones: instructions that stay for thousands of cycles
  std::uint64_t next_cycle_ = 0;         ///< all earlier cycles are written
  std::uint64_t written_cycle_ = 0;      ///< of the last C line
  bool header_written_ = false;

  std::vector<Live> live_;  ///< by id modulo its size, a power of two
  std::uint32_t first_live_ = 0, next_id_ = 0;
  std::vector<Identity> identities_;   ///< of recent instructions, by sequence modulo its size
  std::uint64_t begin_ = 0, end_ = 0;  ///< cycles of the instruction being added
};

}  // namespace psim::pipeline::dump

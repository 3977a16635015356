// SPDX-License-Identifier: Apache-2.0
// The end of a load: how its jobs ended, warnings, and what was counted, gathered from all host processes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "ranks/job/rank_load.h"

namespace psim::net {
namespace {

void write_counts(Parcel& parcel, const MpiCounts& counts) {
  parcel.put(std::uint64_t{counts.functions.size()});
  for (const auto& [name, function] : counts.functions) {
    parcel.put_text(name);
    parcel.put(function);
  }
  parcel.put(std::uint64_t{counts.collectives.size()});
  for (const auto& [name, calls] : counts.collectives) {
    parcel.put_text(name);
    parcel.put(calls);
  }
  for (const std::uint64_t count : {counts.expected, counts.unexpected, counts.offloaded,
                                    counts.longest_posted, counts.longest_unexpected})
    parcel.put(count);
}

MpiCounts read_counts(Parcel& parcel) {
  MpiCounts counts;
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    MpiCounts::Function& function = counts.functions[parcel.take_text()];
    function = parcel.take<MpiCounts::Function>();
  }
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    std::uint64_t& calls = counts.collectives[parcel.take_text()];
    calls = parcel.take<std::uint64_t>();
  }
  for (std::uint64_t MpiCounts::*count : {&MpiCounts::expected, &MpiCounts::unexpected, &MpiCounts::offloaded,
                                          &MpiCounts::longest_posted, &MpiCounts::longest_unexpected})
    counts.*count = parcel.take<std::uint64_t>();
  return counts;
}

}  // namespace

Ending RankLoad::finish() {
  output_.end_all();
  if (host_processes_ != nullptr)
    host_processes_->gather([&](Parcel& parcel) { output_.write(parcel); },
                            [&](Parcel& parcel) { output_.read(parcel); });
  output_.print_before(~std::uint64_t{0} >> 1);
  for (const auto& job : jobs_) {
    Ending& ending = job->results.ending;
    if (cut_) settle_polls(*job);
    if (cut_ || failed_) {
      if (ending.kind == Ending::Kind::Finished && job->results.ended < job->here().size())
        ending.kind = Ending::Kind::Interrupted;
    } else if (!job->stopped && !job->stops) {
      job->find_deadlock(*library_);
    }
  }
  collect_warnings();
  simulation_->gather();
  if (timeline_ != nullptr) gather_timeline();
  for (const auto& job : jobs_) {
    RankResults& results = job->results;
    if (host_processes_ != nullptr) {
      results.gather(*host_processes_, job->here());
      job->regions.gather(*host_processes_, job->here());
    }
    if (results.ending.kind != Ending::Kind::Deadlocked) continue;
    job->report_remaining();
    results.ending.report_deadlock(simulation_->last(), results.ended, job->ranks());
  }
  gather_rdma();
  gather_mpi_counts();
  gather_program_seconds();
  gather_record();
  jobs_[0]->processes().detach();
  library_ = nullptr;
  return combined();
}

/// Collects warnings of finished programs: other programs have worse to report and could not free objects.
void RankLoad::collect_warnings() {
  library_->warnings([this](RankId rank, const std::string& what, std::uint64_t number) {
    Job& job = job_of(index(rank));
    if (job.results.ending.kind == Ending::Kind::Finished)
      job.results.warnings.add(what, index(rank) - job.first(), number);
  });
  for (const auto& job : jobs_)
    if (job->results.ending.kind == Ending::Kind::Finished)
      for (const Ending::Left& left : job->results.ending.left)
        if (library_->started(RankId{job->first() + left.rank}))
          job->results.warnings.add("ended without MPI_Finalize", left.rank);
}

std::vector<std::string> RankLoad::warnings() const {
  std::vector<std::string> all;
  for (const auto& job : jobs_) {
    if (job->results.ending.kind != Ending::Kind::Finished) continue;
    const auto lines = job->results.warnings.lines(job->config().name);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  return all;
}

Ending RankLoad::combined() const {
  Ending all = jobs_[0]->results.ending;
  for (std::size_t i = 1; i < jobs_.size(); ++i) {
    std::vector<std::string> lines = std::move(all.lines);
    const Ending& next = jobs_[i]->results.ending;
    lines.insert(lines.end(), next.lines.begin(), next.lines.end());
    all.lines.clear();
    all.add(next);
    all.lines = std::move(lines);
  }
  return all;
}

/// Gathers the timelines. Calls that have not returned end with the last event of all processes.
void RankLoad::gather_timeline() {
  timeline_->finish(simulation_->last());
  if (host_processes_ == nullptr) return;
  host_processes_->gather([&](Parcel& parcel) { timeline_->write(parcel); },
                          [&](Parcel& parcel) { timeline_->read(parcel); });
}

void RankLoad::gather_rdma() {
  if (const rdma::Counts* counts = library_->rdma_counts()) rdma_ = *counts;
  if (host_processes_ == nullptr) return;
  host_processes_->gather([&](Parcel& parcel) { parcel.put(rdma_); },
                          [&](Parcel& parcel) { rdma_.add(parcel.take<rdma::Counts>()); });
}

void RankLoad::gather_mpi_counts() {
  mpi_counts_ = library_->mpi_counts();
  if (host_processes_ != nullptr)
    host_processes_->gather(
        [&](Parcel& parcel) {
          for (const MpiCounts& counts : mpi_counts_) write_counts(parcel, counts);
        },
        [&](Parcel& parcel) {
          for (MpiCounts& counts : mpi_counts_) counts.add(read_counts(parcel));
        });
  for (std::size_t i = 0; i < mpi_counts_.size(); ++i)
    for (const RankTime& time : jobs_[i]->results.times) mpi_counts_[i].polls += time.polls;
}

void RankLoad::gather_program_seconds() {
  for (std::size_t part = 0; part < program_seconds_.size(); ++part)
    program_seconds_[part] += ComputeSamples::seconds(part);
  if (host_processes_ == nullptr) return;
  host_processes_->gather([&](Parcel& parcel) { parcel.put(program_seconds_); },
                          [&](Parcel& parcel) {
                            for (double& seconds : program_seconds_) seconds += parcel.take<double>();
                          });
}

double RankLoad::program_seconds() const {
  return std::accumulate(program_seconds_.begin(), program_seconds_.end(), 0.0);
}

void RankLoad::gather_record() {
  if (!computing_.records || host_processes_ == nullptr) return;
  host_processes_->gather(
      [&](Parcel& parcel) {
        for (std::uint32_t rank = 0; rank < ranks_; ++rank)
          if (local(RankId{rank})) {
            parcel.put(std::uint64_t{rank} + 1);
            parcel.put_all(record_.times[rank]);
          }
        parcel.put(std::uint64_t{0});
      },
      [&](Parcel& parcel) {
        while (const auto rank = parcel.take<std::uint64_t>())
          record_.times[rank - 1] = parcel.take_all<std::uint64_t>();
      });
}

}  // namespace psim::net

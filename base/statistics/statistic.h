// SPDX-License-Identifier: Apache-2.0
// Statistics of components. A component declares each with name, unit and meaning in the group next to its
// state, and increments it; the incremented object is the printed one. A registry (registry.h) names the
// groups of a run and reads them.
//
//     struct CacheStats : statistics::Group {
//       Counter hits{*this, "hits", "accesses", "accesses that found their lines"};
//       Counter misses{*this, "misses", "accesses", "accesses that did not"};
//       Ratio miss_rate{*this, "miss_rate", "misses/access", "share of the accesses that missed",
//                       {misses}, {hits, misses}};
//     };
//     ++stats_.hits;
//
// Everything is an integer sum over the run, so the statistics of an interval or a region are a difference of
// two readings. Ratios are evaluated from these sums.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace psim::statistics {

class Buckets;
class Computed;
class Counter;
class Distribution;
class LogDistribution;
class Ratio;
class Watched;
template <std::size_t N>
class CounterArray;
enum class Run : std::uint8_t;

/// The printed properties of a statistic other than its value.
struct Description {
  std::string name;     ///< lower-case letters, digits and underscores
  std::string unit;     ///< "lines", "cycles", "bytes/second"
  std::string meaning;  ///< one sentence fragment
};

/// A declared statistic. It reads the object that declared it.
struct Statistic {
  Description description;
  std::variant<const std::uint64_t*, const Computed*, const Buckets*, const Ratio*> source;
};

/// The statistics of a component, in the order of their declaration. Neither the group nor its statistics may
/// move.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// Returns the statistics; one without a name in its description is not printed.
  const std::vector<Statistic>& statistics() const { return statistics_; }
  /// Declares a count that is printed only as part of ratios.
  void declare_part(const std::uint64_t& count) { statistics_.push_back({{}, &count}); }
  void declare_part(const Computed& count) { statistics_.push_back({{}, &count}); }
  /// Declares a statistic. Throws std::logic_error if the name is taken or malformed, or unit or meaning is
  /// missing.
  void declare(Statistic statistic);

 protected:
  ~Group() = default;

  // Shortens declarations.
  using Computed = statistics::Computed;
  using Counter = statistics::Counter;
  template <std::size_t N>
  using CounterArray = statistics::CounterArray<N>;
  using Distribution = statistics::Distribution;
  using LogDistribution = statistics::LogDistribution;
  using Ratio = statistics::Ratio;
  using Run = statistics::Run;
  using Watched = statistics::Watched;

 private:
  std::vector<Statistic> statistics_;
};

/// A count that its component increments.
class Counter {
 public:
  Counter(Group& group, std::string_view name, std::string_view unit, std::string_view meaning);
  /// Declares a counter that is printed only as part of ratios.
  explicit Counter(Group& group);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() {
    ++count_;
    return *this;
  }
  Counter& operator+=(std::uint64_t more) {
    count_ += more;
    return *this;
  }
  operator std::uint64_t() const { return count_; }  // NOLINT: a counter is read as a number
  const std::uint64_t& count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
};

/// A count that its component keeps for another purpose (the cycle it has reached), declared as a statistic.
class Watched {
 public:
  /// Declares `count` as one that is printed only as part of ratios.
  Watched(Group& group, const std::uint64_t& count) : count_(count) { group.declare_part(count); }
  /// Declares `count`, which outlives the group and never decreases.
  Watched(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
          const std::uint64_t& count);
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  const std::uint64_t& count() const { return count_; }

 private:
  const std::uint64_t& count_;
};

/// A count that is a sum over parts too many to have groups of their own, such as the links of a network. It
/// is computed when it is read.
class Computed {
 public:
  /// Declares a count. `compute` returns it and never decreases; the objects that it reads outlive the group.
  Computed(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
           std::function<std::uint64_t()> compute);
  /// Declares a count that is printed only as part of ratios.
  Computed(Group& group, std::function<std::uint64_t()> compute);
  Computed(const Computed&) = delete;
  Computed& operator=(const Computed&) = delete;
  std::uint64_t count() const { return compute_(); }

 private:
  std::function<std::uint64_t()> compute_;
};

/// Counters of one unit, numbered by an enumeration.
template <std::size_t N>
class CounterArray {
 public:
  struct Named {
    std::string_view name, meaning;
  };
  CounterArray(Group& group, std::string_view unit, const std::array<Named, N>& named) {
    for (std::size_t i = 0; i < N; ++i)
      group.declare(
          {{std::string(named[i].name), std::string(unit), std::string(named[i].meaning)}, &counts_[i]});
  }
  CounterArray(const CounterArray&) = delete;
  CounterArray& operator=(const CounterArray&) = delete;

  template <class Index>
  std::uint64_t& operator[](Index index) {
    return counts_[static_cast<std::size_t>(index)];
  }
  template <class Index>
  const std::uint64_t& operator[](Index index) const {
    return counts_[static_cast<std::size_t>(index)];
  }

 private:
  std::array<std::uint64_t, N> counts_{};
};

/// Counts how often each value, or each range of values, occurred.
class Buckets {
 public:
  Buckets(const Buckets&) = delete;
  Buckets& operator=(const Buckets&) = delete;

  std::size_t size() const { return counts_.size(); }
  std::uint64_t count(std::size_t bucket) const { return counts_[bucket]; }
  std::vector<std::uint64_t>& counts() { return counts_; }
  /// Returns the smallest value of a bucket.
  std::uint64_t least(std::size_t bucket) const {
    return !powers_ ? bucket : bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
  }
  std::uint64_t samples() const;
  /// Returns the sum of the values.
  std::uint64_t sum() const;

 protected:
  Buckets(std::size_t buckets, bool powers) : counts_(buckets), powers_(powers) {}
  ~Buckets() = default;

  std::vector<std::uint64_t> counts_;
  std::uint64_t sum_ = 0;  ///< used with `powers_`
  const bool powers_;      ///< a bucket for 0 and one from each power of two; otherwise one for each value
};

/// The distribution of small values, such as entries in use, with a bucket for each.
class Distribution final : public Buckets {
 public:
  /// Declares a distribution of values 0 … `most`; larger ones count as `most`.
  Distribution(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
               std::uint64_t most);
  void add(std::uint64_t value, std::uint64_t times = 1) { first_[std::min(value, most_)] += times; }
  /// Does the same for a value that is at most `most`.
  void add_bounded(std::uint64_t value, std::uint64_t times = 1) { first_[value] += times; }

 private:
  // Copied here for the hot loop.
  const std::uint64_t most_;
  std::uint64_t* const first_;
};

/// The distribution of values of any size, such as latencies: buckets 0, 1, 2–3, 4–7, …
class LogDistribution final : public Buckets {
 public:
  LogDistribution(Group& group, std::string_view name, std::string_view unit, std::string_view meaning);
  void add(std::uint64_t value) {
    ++counts_[static_cast<std::size_t>(std::bit_width(value))];
    sum_ += value;
  }
};

/// Counts that the registry of a run provides, to which every component may relate its own.
enum class Run : std::uint8_t {
  Cycles,        ///< of the core's clock
  Seconds,       ///< simulated
  Instructions,  ///< committed
};

/// A sum of counts; some may be subtracted.
class Sum {
 public:
  struct Term {
    Term(Run run) : run(run) {}                                // NOLINT
    Term(const Counter& counter) : count(&counter.count()) {}  // NOLINT: {hits, misses} is to be a sum
    Term(const Watched& watched) : count(&watched.count()) {}  // NOLINT
    Term(const Computed& computed) : count(&computed) {}       // NOLINT
    Term(const std::uint64_t& element) : count(&element) {}    // NOLINT: an element of a CounterArray
    Term(const std::uint64_t&&) = delete;
    const void* count = nullptr;  ///< if null: `run`
    Run run{};
    bool subtracted = false;
  };
  Sum(std::initializer_list<Term> terms) : terms_(terms) {}
  const std::vector<Term>& terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};
/// Returns a term that is subtracted.
inline Sum::Term minus(Sum::Term term) {
  term.subtracted = true;
  return term;
}

/// A quotient of sums of counts, times a scale. Without a denominator it is a sum.
class Ratio {
 public:
  Ratio(Group& group, std::string_view name, std::string_view unit, std::string_view meaning, Sum numerator,
        Sum denominator = {}, double scale = 1);
  Ratio(const Ratio&) = delete;
  Ratio& operator=(const Ratio&) = delete;

  const Sum& numerator() const { return numerator_; }
  const Sum& denominator() const { return denominator_; }
  double scale() const { return scale_; }

 private:
  Sum numerator_, denominator_;
  double scale_;
};

}  // namespace psim::statistics

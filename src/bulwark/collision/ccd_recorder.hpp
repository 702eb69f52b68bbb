// Keeps a sample of the queries that a run asks its CCD, for `run --record-queries`.
#pragma once

#include <bulwark/collision/ccd_queries.hpp>

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace bulwark {

/// Of all different queries of a kind, those with the smallest hashes, up to a limit: a fair sample that does
/// not depend on the order of threads.
class CcdRecorder {
 public:
  explicit CcdRecorder(std::size_t limit_per_kind) : limit_(limit_per_kind) {}

  void add(CcdKind kind, const CcdQuery& query);
  /// The sample so far, with its truth by the exact oracle.
  std::vector<MovingPair> queries(CcdKind kind) const;

 private:
  struct Sample {
    std::map<std::uint64_t, MovingPair> by_hash;
    std::atomic<std::uint64_t> bound =
        std::numeric_limits<std::uint64_t>::max();  ///< hashes below it are wanted
  };

  std::size_t limit_;
  Sample sample_[2];
  mutable std::mutex mutex_;
};

/// Answers as `ccd` does, and records what it was asked for a largest step.
std::unique_ptr<Ccd> make_recording_ccd(std::unique_ptr<Ccd> ccd, std::shared_ptr<CcdRecorder> recorder);

}  // namespace bulwark

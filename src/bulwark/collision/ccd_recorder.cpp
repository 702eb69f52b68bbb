#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/ccd_recorder.hpp>

#include <bit>
#include <iterator>

namespace bulwark {
namespace {

std::uint64_t hash_of(const MovingPair& pair) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const auto& points : {pair.start, pair.end}) {
    for (const Vector3& x : points) {
      for (int c = 0; c < 3; ++c) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(x[c])) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
      }
    }
  }
  return hash;
}

class RecordingCcd final : public Ccd {
 public:
  RecordingCcd(std::unique_ptr<Ccd> ccd, std::shared_ptr<CcdRecorder> recorder)
      : ccd_(std::move(ccd)), recorder_(std::move(recorder)) {}

  double point_triangle(const CcdQuery& query, const CcdOptions& options) const override {
    recorder_->add(CcdKind::point_triangle, query);
    return ccd_->point_triangle(query, options);
  }
  double edge_edge(const CcdQuery& query, const CcdOptions& options) const override {
    recorder_->add(CcdKind::edge_edge, query);
    return ccd_->edge_edge(query, options);
  }
  CcdAnswer point_triangle_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return ccd_->point_triangle_impact(query, options);
  }
  CcdAnswer edge_edge_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return ccd_->edge_edge_impact(query, options);
  }

 private:
  std::unique_ptr<Ccd> ccd_;
  std::shared_ptr<CcdRecorder> recorder_;
};

}  // namespace

void CcdRecorder::add(CcdKind kind, const CcdQuery& query) {
  MovingPair pair;
  for (int i = 0; i < 4; ++i) {
    if (!query.x[i].allFinite() || !query.p[i].allFinite()) return;
    pair.start[i] = query.x[i];
    pair.end[i] = query.x[i] + query.p[i];
  }
  Sample& sample = sample_[static_cast<int>(kind)];
  const std::uint64_t hash = hash_of(pair);
  if (limit_ == 0 || hash >= sample.bound.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  sample.by_hash.emplace(hash, pair);
  if (sample.by_hash.size() > limit_) {
    sample.by_hash.erase(std::prev(sample.by_hash.end()));
    sample.bound = sample.by_hash.rbegin()->first;
  }
}

std::vector<MovingPair> CcdRecorder::queries(CcdKind kind) const {
  std::vector<MovingPair> pairs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [hash, pair] : sample_[static_cast<int>(kind)].by_hash) pairs.push_back(pair);
  }
  parallel_for(pairs.size(), [&](std::size_t i) { pairs[i].collides = exactly_collides(kind, pairs[i]); });
  return pairs;
}

std::unique_ptr<Ccd> make_recording_ccd(std::unique_ptr<Ccd> ccd, std::shared_ptr<CcdRecorder> recorder) {
  return std::make_unique<RecordingCcd>(std::move(ccd), std::move(recorder));
}

}  // namespace bulwark

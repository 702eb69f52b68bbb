#include <bulwark/solve/row_clusters.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

class Clustering {
 public:
  Clustering(const RowGraph& graph, int most)
      : graph_(graph),
        most_(most),
        rows_(static_cast<int>(graph.start.size()) - 1),
        cluster_(rows_, -1),
        connection_(rows_, 0) {}

  RowClusters run() {
    for (int first = 0; first < rows_; ++first) {
      if (cluster_[first] >= 0) continue;
      grow(first);
      // On from the rim, so that clusters lie side by side without gaps.
      while (next_ < rim_.size()) {
        const int row = rim_[next_++];
        if (cluster_[row] < 0) grow(row);
      }
    }
    add_remainders();
    return sorted();
  }

 private:
  void grow(int first) {
    const int own = static_cast<int>(size_.size());
    size_.push_back(0);
    candidates_.assign(1, first);
    connection_[first] = 1;
    while (size_[own] < most_ && !candidates_.empty()) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < candidates_.size(); ++k) {
        const float more = connection_[candidates_[k]] - connection_[candidates_[best]];
        if (more > 0 || (more == 0 && candidates_[k] < candidates_[best])) best = k;
      }
      const int row = candidates_[best];
      candidates_[best] = candidates_.back();
      candidates_.pop_back();
      cluster_[row] = own;
      ++size_[own];
      connection_[row] = 0;
      for (int e = graph_.start[row]; e < graph_.start[row + 1]; ++e) {
        const int other = graph_.column[e];
        if (cluster_[other] >= 0 || !(graph_.strength[e] > 0)) continue;
        if (connection_[other] == 0) candidates_.push_back(other);
        connection_[other] += graph_.strength[e];
      }
    }
    std::sort(candidates_.begin(), candidates_.end(), [&](int a, int b) {
      return connection_[a] != connection_[b] ? connection_[a] > connection_[b] : a < b;
    });
    for (const int row : candidates_) connection_[row] = 0;
    rim_.insert(rim_.end(), candidates_.begin(), candidates_.end());
  }

  /// Clusters of less than a third of the size go to the neighbour that they are connected with most.
  void add_remainders() {
    const int small = std::max(1, most_ / 3), large = most_ + most_ / 2;
    std::vector<std::vector<int>> members(size_.size());
    for (int row = 0; row < rows_; ++row) {
      if (size_[cluster_[row]] <= small) members[cluster_[row]].push_back(row);
    }
    std::vector<float> connection(size_.size(), 0);
    for (std::size_t own = 0; own < members.size(); ++own) {
      if (members[own].empty()) continue;
      std::vector<int> others;
      for (const int row : members[own]) {
        for (int e = graph_.start[row]; e < graph_.start[row + 1]; ++e) {
          const int other = cluster_[graph_.column[e]];
          if (other == static_cast<int>(own)) continue;
          if (connection[other] == 0) others.push_back(other);
          connection[other] += graph_.strength[e];
        }
      }
      int best = -1;
      for (const int other : others) {
        const bool fits = size_[other] + size_[own] <= large;
        if (fits && (best < 0 || connection[other] > connection[best])) best = other;
      }
      for (const int other : others) connection[other] = 0;
      if (best < 0) continue;
      for (const int row : members[own]) cluster_[row] = best;
      if (!members[best].empty())
        members[best].insert(members[best].end(), members[own].begin(), members[own].end());
      size_[best] += size_[own];
      size_[own] = 0;
    }
  }

  RowClusters sorted() const {
    std::vector<int> number(size_.size(), -1);
    RowClusters clusters;
    clusters.start.push_back(0);
    for (std::size_t own = 0; own < size_.size(); ++own) {
      if (size_[own] == 0) continue;
      number[own] = clusters.count();
      clusters.start.push_back(clusters.start.back() + size_[own]);
    }
    clusters.order.resize(rows_);
    std::vector<int> next(clusters.start.begin(), clusters.start.end() - 1);
    for (int row = 0; row < rows_; ++row) clusters.order[next[number[cluster_[row]]]++] = row;
    return clusters;
  }

  const RowGraph& graph_;
  int most_;
  int rows_;
  std::vector<int> cluster_, size_;
  std::vector<float> connection_;  ///< of rows with the cluster that grows
  std::vector<int> candidates_;    ///< rows that have any
  std::vector<int> rim_;           ///< rows next to clusters
  std::size_t next_ = 0;           ///< in it
};

}  // namespace

RowClusters cluster_rows(const RowGraph& graph, int most) {
  return Clustering(graph, most).run();
}

}  // namespace bulwark

// A uniform grid of cells about as large as the boxes: pairs that share a cell are tested. Boxes that cover
// very many cells (a floor under small bodies) are kept apart and swept against the rest.
#include <bulwark/collision/sweep.hpp>

#include <cmath>
#include <cstdint>

namespace bulwark {
namespace {

constexpr double most_cells = 64;  ///< that a box may cover
constexpr int bits = 21;           ///< of a key per axis
constexpr std::size_t cells_per_chunk = 64;
constexpr double last_cell = (1 << bits) - 1;

struct Grid {
  double origin[3];
  double cell;

  /// The cell of a coordinate; the same rounding for all boxes, so that overlapping boxes share a cell.
  std::uint64_t at(double x, int axis) const {
    return static_cast<std::uint64_t>(std::clamp(std::floor((x - origin[axis]) / cell), 0.0, last_cell));
  }
};

std::uint64_t key(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return x << (2 * bits) | y << bits | z;
}

Grid fitted_grid(const std::vector<SweptItem>& items) {
  Grid grid{};
  std::size_t count = 0;
  double extent = 0, low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (std::size_t k = 0; k < items.size(); ++k) {
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
      low[i] = k == 0 ? items[k].box.lower[i] : std::min(low[i], items[k].box.lower[i]);
      high[i] = k == 0 ? items[k].box.upper[i] : std::max(high[i], items[k].box.upper[i]);
      largest = std::max(largest, items[k].box.upper[i] - items[k].box.lower[i]);
    }
    // Points fit into any cell.
    if (!(largest > 0)) continue;
    extent += std::log(largest);
    ++count;
  }
  // The geometric mean is not led astray by a few huge boxes.
  grid.cell = 2 * std::exp(extent / std::max<double>(1, static_cast<double>(count)));
  for (int i = 0; i < 3; ++i) {
    grid.origin[i] = low[i];
    grid.cell = std::max(grid.cell, (high[i] - low[i]) / (last_cell - 1));
  }
  return grid;
}

struct Entry {
  std::uint64_t key;
  std::uint32_t item;
};

/// Boxes in the grid, sorted by cell, and those too large for it.
struct FilledGrid {
  Grid grid;
  std::vector<SweptItem> small, large;
  std::vector<Entry> entries;
  std::vector<std::size_t> runs;  ///< first entry of each cell, and the end

  explicit FilledGrid(const std::vector<SweptItem>& items) : grid(fitted_grid(items)) {
    for (const SweptItem& item : items) insert(item);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : a.item < b.item;
    });
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (e == 0 || entries[e].key != entries[e - 1].key) runs.push_back(e);
    }
    runs.push_back(entries.size());
  }

  void insert(const SweptItem& item) {
    std::uint64_t low[3], high[3];
    double cells = 1;
    for (int i = 0; i < 3; ++i) {
      low[i] = grid.at(item.box.lower[i], i);
      high[i] = grid.at(item.box.upper[i], i);
      cells *= static_cast<double>(high[i] - low[i] + 1);
    }
    if (cells > most_cells) {
      large.push_back(item);
      return;
    }
    for (auto x = low[0]; x <= high[0]; ++x) {
      for (auto y = low[1]; y <= high[1]; ++y) {
        for (auto z = low[2]; z <= high[2]; ++z) {
          entries.push_back({key(x, y, z), static_cast<std::uint32_t>(small.size())});
        }
      }
    }
    small.push_back(item);
  }

  /// Whether this cell, of the cells that a pair shares, is the one that reports it: that of the lower corner
  /// of their common part.
  bool reports(std::uint64_t cell, const Box& a, const Box& b) const {
    std::uint64_t corner[3];
    for (int i = 0; i < 3; ++i) corner[i] = grid.at(std::max(a.lower[i], b.lower[i]), i);
    return key(corner[0], corner[1], corner[2]) == cell;
  }
};

/// All overlapping pairs, between two sets or within one, as in sweep(). Returns false when there are too
/// many.
template <class Candidate, class MakePair>
bool search(const CollisionMesh& mesh, const std::vector<SweptItem>& items, bool between, std::size_t limit,
            MakePair&& make_pair, std::vector<Candidate>& result) {
  const FilledGrid filled(items);
  const std::size_t cells = filled.runs.size() - 1;
  const std::size_t chunks = (cells + cells_per_chunk - 1) / cells_per_chunk;
  PairCollector<Candidate> collector(mesh, chunks + filled.large.size(), limit);
  auto visit = [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
    const auto [i, j] = make_pair(a, b);
    collector.add(chunk, i, j);
  };
  auto meet = [&](const SweptItem& a, const SweptItem& b) {
    return !(between && a.second == b.second) && overlap(a.box, b.box);
  };
  parallel_chunks(cells, cells_per_chunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t r = begin; r < end && !collector.full(); ++r) {
      for (std::size_t e = filled.runs[r]; e < filled.runs[r + 1]; ++e) {
        for (std::size_t f = e + 1; f < filled.runs[r + 1]; ++f) {
          const SweptItem& a = filled.small[filled.entries[e].item];
          const SweptItem& b = filled.small[filled.entries[f].item];
          if (meet(a, b) && filled.reports(filled.entries[e].key, a.box, b.box)) visit(chunk, a, b);
        }
      }
    }
  });
  parallel_for(filled.large.size(), [&](std::size_t k) {
    const SweptItem& a = filled.large[k];
    for (const SweptItem& b : filled.small) {
      if (meet(a, b)) visit(chunks + k, a, b);
    }
    for (std::size_t j = k + 1; j < filled.large.size() && !collector.full(); ++j) {
      if (meet(a, filled.large[j])) visit(chunks + k, a, filled.large[j]);
    }
  });
  result = collector.take();
  return !collector.full();
}

class HashGrid final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    return find_by_items(
        mesh, boxes, [&](const std::vector<SweptItem>& items, bool between, auto&& make_pair, auto& result) {
          return search(mesh, items, between, limit, make_pair, result);
        });
  }
};

}  // namespace

std::unique_ptr<BroadPhase> make_hash_grid() {
  return std::make_unique<HashGrid>();
}

}  // namespace bulwark

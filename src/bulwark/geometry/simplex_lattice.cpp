#include <bulwark/geometry/simplex_lattice.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {

int SimplexLattice::add_corner(const Vector3& reference) {
  corners_.push_back(reference);
  return int(corners_.size()) - 1;
}

int SimplexLattice::corner_point(int corner) {
  const int one = 1;
  return point({&corner, 1}, {&one, 1});
}

int SimplexLattice::point(std::span<const int> corners, std::span<const int> weights) {
  std::array<std::array<int, 2>, 4> used;
  std::size_t count = 0;
  int divisor = 0, sum = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (weights[k] == 0) continue;
    std::size_t place = count++;  // insertion keeps the few pairs in order of their corners
    for (; place > 0 && used[place - 1][0] > corners[k]; --place) used[place] = used[place - 1];
    used[place] = {corners[k], weights[k]};
    divisor = std::gcd(divisor, weights[k]);
    sum += weights[k];
  }
  Weights key;
  key.fill(-1);
  for (std::size_t k = 0; k < count; ++k) {
    key[2 * k] = used[k][0];
    key[2 * k + 1] = used[k][1] / divisor;  // the same point of a coarser subdivision has the same key
  }
  const auto [entry, is_new] = numbers_.try_emplace(key, int(points_.size()));
  if (is_new) {
    Vector3 place = Vector3::Zero();
    for (std::size_t k = 0; k < count; ++k) place += used[k][1] * corners_[used[k][0]];
    points_.push_back(place / sum);
  }
  return entry->second;
}

std::vector<Triangle> SimplexLattice::subdivide(const std::array<int, 3>& corners, int n) {
  const auto at = [&](int i, int j) { return point(corners, std::array<int, 3>{n - i - j, i, j}); };
  std::vector<Triangle> triangles;
  triangles.reserve(std::size_t(n) * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i + j < n; ++i) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i + j + 1 < n) triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return triangles;
}

void SimplexLattice::add_subdivided(const std::array<int, 4>& corners, int n) {
  // In coordinates n >= x >= y >= z >= 0 the tetrahedron is one of the six of a cube of n*n*n cells, each cut
  // the same way: those six of every cell that lie inside are the subdivision. Sorting the corners makes
  // neighbours agree.
  std::array<int, 4> sorted = corners;
  std::sort(sorted.begin(), sorted.end());
  static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y <= x; ++y) {
      for (int z = 0; z <= y; ++z) {
        for (const auto& order : orders) {
          std::array<int, 3> at = {x, y, z};
          Tetrahedron tet;
          bool inside = true;
          for (int k = 0; k < 4 && inside; ++k) {
            if (k > 0) ++at[order[k - 1]];
            inside = n >= at[0] && at[0] >= at[1] && at[1] >= at[2];
            if (inside)
              tet[k] = point(sorted, std::array<int, 4>{n - at[0], at[0] - at[1], at[1] - at[2], at[2]});
          }
          if (inside) tetrahedra_.push_back(tet);
        }
      }
    }
  }
}

void SimplexLattice::add_prism(const Triangle& bottom, const Triangle& top) {
  // Turn the prism so that its smallest point is bottom[0]; both faces at it are then cut from there, and
  // only the opposite face is left to choose.
  std::array<int, 3> b = bottom, t = top;
  const int smallest_bottom = int(std::min_element(b.begin(), b.end()) - b.begin());
  const int smallest_top = int(std::min_element(t.begin(), t.end()) - t.begin());
  const bool turn_over = t[smallest_top] < b[smallest_bottom];
  if (turn_over) std::swap(b, t);
  const int first = turn_over ? smallest_top : smallest_bottom;
  std::rotate(b.begin(), b.begin() + first, b.end());
  std::rotate(t.begin(), t.begin() + first, t.end());
  add_tetrahedron({b[0], t[0], t[1], t[2]});
  if (std::min(b[1], t[2]) < std::min(b[2], t[1])) {
    add_tetrahedron({b[0], b[1], b[2], t[2]});
    add_tetrahedron({b[0], b[1], t[2], t[1]});
  } else {
    add_tetrahedron({b[0], b[1], b[2], t[1]});
    add_tetrahedron({b[0], b[2], t[2], t[1]});
  }
}

TetMesh SimplexLattice::mesh(const std::function<Vector3(const Vector3&)>& place) const {
  TetMesh result;
  result.tetrahedra = tetrahedra_;
  std::vector<int> number(points_.size(), -1);
  for (const Tetrahedron& t : tetrahedra_) {
    for (int v : t) number[v] = 0;
  }
  int count = 0;
  for (int& n : number) {
    if (n == 0) n = count++;
  }
  result.vertices.resize(3, count);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (number[i] >= 0) result.vertices.col(number[i]) = place(points_[i]);
  }
  for (Tetrahedron& t : result.tetrahedra) {
    for (int& v : t) v = number[v];
  }
  const Vectors& x = result.vertices;
  for (Tetrahedron& t : result.tetrahedra) {
    if (tetrahedron_volume(x.col(t[0]), x.col(t[1]), x.col(t[2]), x.col(t[3])) < 0) std::swap(t[2], t[3]);
  }
  return result;
}

}  // namespace bulwark

#include <bulwark/geometry/refine_surface.hpp>

#include <algorithm>
#include <map>

namespace bulwark {
namespace {

/// One pass: every edge longer than the limit is halved, and each triangle cut along its halved edges.
class Pass {
 public:
  Pass(std::vector<Vector3>& vertices, double limit) : vertices_(vertices), limit_(limit) {}

  std::vector<Triangle> run(const std::vector<Triangle>& triangles) {
    std::vector<Triangle> result;
    for (Triangle t : triangles) {
      std::array<int, 3> middle;  // of the edge from corner k to the next; -1 where it stays
      for (int k = 0; k < 3; ++k) middle[k] = middle_of(t[k], t[(k + 1) % 3]);
      const auto halved = std::count_if(middle.begin(), middle.end(), [](int m) { return m >= 0; });
      // Turn the triangle so that its first edges are the halved ones.
      while ((halved == 1 && middle[0] < 0) || (halved == 2 && middle[2] >= 0)) {
        std::rotate(t.begin(), t.begin() + 1, t.end());
        std::rotate(middle.begin(), middle.begin() + 1, middle.end());
      }
      const auto [a, b, c] = t;
      if (halved == 0) {
        result.push_back(t);
      } else if (halved == 1) {
        result.insert(result.end(), {{a, middle[0], c}, {middle[0], b, c}});
      } else if (halved == 2) {
        result.push_back({middle[0], b, middle[1]});
        if (length(a, middle[1]) < length(c, middle[0])) {
          result.insert(result.end(), {{a, middle[0], middle[1]}, {a, middle[1], c}});
        } else {
          result.insert(result.end(), {{a, middle[0], c}, {middle[0], middle[1], c}});
        }
      } else {
        result.insert(result.end(), {{a, middle[0], middle[2]},
                                     {middle[0], b, middle[1]},
                                     {middle[2], middle[1], c},
                                     {middle[0], middle[1], middle[2]}});
      }
    }
    return result;
  }

 private:
  double length(int a, int b) const { return (vertices_[a] - vertices_[b]).norm(); }

  int middle_of(int a, int b) {
    const Edge edge = {std::min(a, b), std::max(a, b)};
    if (length(edge[0], edge[1]) <= limit_) return -1;
    const auto [entry, is_new] = middles_.try_emplace(edge, int(vertices_.size()));
    if (is_new) vertices_.push_back((vertices_[edge[0]] + vertices_[edge[1]]) / 2);
    return entry->second;
  }

  std::vector<Vector3>& vertices_;
  double limit_;
  std::map<Edge, int> middles_;
};

}  // namespace

SurfaceMesh refine_surface(const SurfaceMesh& surface, double limit) {
  std::vector<Vector3> vertices;
  for (Eigen::Index i = 0; i < surface.vertices.cols(); ++i) vertices.emplace_back(surface.vertices.col(i));
  SurfaceMesh result = surface;
  while (true) {
    const std::size_t before = vertices.size();
    result.triangles = Pass(vertices, limit).run(result.triangles);
    if (vertices.size() == before) break;
  }
  result.vertices.resize(3, Eigen::Index(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i) result.vertices.col(Eigen::Index(i)) = vertices[i];
  return result;
}

}  // namespace bulwark

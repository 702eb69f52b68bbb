#include <bulwark/geometry/selection.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

template <class Inside>
std::vector<int> columns_where(const Vectors& points, Inside inside) {
  std::vector<int> chosen;
  for (int i = 0; i < points.cols(); ++i) {
    if (inside(Vector3(points.col(i)))) chosen.push_back(i);
  }
  return chosen;
}

struct Selector {
  const Vectors& points;
  double slack;

  std::vector<int> operator()(const SelectAll&) const {
    std::vector<int> all(points.cols());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<int> operator()(const SelectBox& box) const {
    return columns_where(points, [&](const Vector3& x) {
      return ((x - box.lower).array() >= -slack).all() && ((box.upper - x).array() >= -slack).all();
    });
  }
  std::vector<int> operator()(const SelectSphere& sphere) const {
    return columns_where(
        points, [&](const Vector3& x) { return (x - sphere.center).norm() <= sphere.radius + slack; });
  }
  std::vector<int> operator()(const SelectHalfSpace& half) const {
    const Vector3 normal = half.normal.normalized();
    return columns_where(points, [&](const Vector3& x) { return normal.dot(x - half.point) >= -slack; });
  }
  std::vector<int> operator()(const SelectNodes& list) const {
    std::vector<int> nodes = list.nodes;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }
};

}  // namespace

std::vector<int> select(const Selection& selection, const Vectors& points) {
  if (points.cols() == 0) return {};
  const Vector3 extent = points.rowwise().maxCoeff() - points.rowwise().minCoeff();
  return std::visit(Selector{points, 1e-9 * extent.norm()}, selection);
}

}  // namespace bulwark

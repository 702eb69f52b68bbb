#include <bulwark/collision/signed_distance.hpp>
#include <bulwark/geometry/winding_number.hpp>
#include <bulwark/stencils/closest_points.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bulwark {
namespace {

constexpr int triangles_of_leaf = 4;

}  // namespace

SignedDistance::SignedDistance(Vectors vertices, std::vector<Triangle> triangles)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)) {
  const int count = static_cast<int>(triangles_.size());
  if (count == 0) return;
  std::vector<Vector3> centers;
  for (const Triangle& t : triangles_)
    centers.emplace_back((vertices_.col(t[0]) + vertices_.col(t[1]) + vertices_.col(t[2])) / 3);
  build(0, count, centers);
}

int SignedDistance::build(int first, int last, std::vector<Vector3>& centers) {
  const int number = static_cast<int>(nodes_.size());
  Node node;
  node.first = first;
  node.last = last;
  node.low = Vector3::Constant(std::numeric_limits<double>::infinity());
  node.high = -node.low;
  for (int t = first; t < last; ++t) {
    for (const int v : triangles_[t]) {
      node.low = node.low.cwiseMin(vertices_.col(v));
      node.high = node.high.cwiseMax(vertices_.col(v));
    }
  }
  nodes_.push_back(node);
  if (last - first <= triangles_of_leaf) return number;
  Eigen::Index axis = 0;
  (node.high - node.low).maxCoeff(&axis);
  std::vector<int> order(last - first);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return centers[a][axis] < centers[b][axis]; });
  std::vector<Triangle> triangles;
  std::vector<Vector3> moved;
  for (const int t : order) {
    triangles.push_back(triangles_[t]);
    moved.push_back(centers[t]);
  }
  std::copy(triangles.begin(), triangles.end(), triangles_.begin() + first);
  std::copy(moved.begin(), moved.end(), centers.begin() + first);
  const int middle = first + (last - first) / 2;
  const int left = build(first, middle, centers);
  const int right = build(middle, last, centers);
  nodes_[number].left = left;
  nodes_[number].right = right;
  return number;
}

double SignedDistance::distance_to_box(const Node& node, const Vector3& point) const {
  return (point - point.cwiseMax(node.low).cwiseMin(node.high)).squaredNorm();
}

SignedDistance::Nearest SignedDistance::nearest(const Vector3& point) const {
  Nearest nearest = {std::numeric_limits<double>::infinity(), -1};
  std::vector<int> open;
  if (!nodes_.empty()) open.push_back(0);
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (distance_to_box(node, point) >= nearest.squared_distance) continue;
    if (node.left < 0) {
      for (int t = node.first; t < node.last; ++t) {
        const Vector3 x[4] = {point, vertices_.col(triangles_[t][0]), vertices_.col(triangles_[t][1]),
                              vertices_.col(triangles_[t][2])};
        const double squared = point_triangle_squared_distance(x);
        if (squared < nearest.squared_distance) nearest = {squared, t};
      }
      continue;
    }
    // The nearer child last, to be looked at first.
    int near = node.left, far = node.right;
    if (distance_to_box(nodes_[far], point) < distance_to_box(nodes_[near], point)) std::swap(near, far);
    open.push_back(far);
    open.push_back(near);
  }
  return nearest;
}

double SignedDistance::unsigned_distance(const Vector3& point) const {
  return std::sqrt(nearest(point).squared_distance);
}

std::array<Vector3, 3> SignedDistance::nearest_triangle(const Vector3& point) const {
  const Triangle& t = triangles_[nearest(point).triangle];
  return {vertices_.col(t[0]), vertices_.col(t[1]), vertices_.col(t[2])};
}

bool SignedDistance::inside(const Vector3& point) const {
  return winding_number(vertices_, triangles_, point) > 0.5;
}

double SignedDistance::operator()(const Vector3& point) const {
  const double distance = unsigned_distance(point);
  return inside(point) ? -distance : distance;
}

}  // namespace bulwark

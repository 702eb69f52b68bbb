#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/pair_rules.hpp>

#include <algorithm>

namespace bulwark {

VertexBoxes swept_boxes(const Vectors& start, const Vectors& end, double inflation) {
  VertexBoxes boxes{start.cwiseMin(end), start.cwiseMax(end)};
  if (inflation > 0) {
    // The subtraction rounds by half an epsilon of its result; growing by a whole one keeps the box outside.
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double grown = inflation * (1 + epsilon);
    boxes.lower.array() -= grown + epsilon * boxes.lower.array().abs();
    boxes.upper.array() += grown + epsilon * boxes.upper.array().abs();
  }
  return boxes;
}

namespace {

/// Rounding may not take anything off a radius.
constexpr double radius_growth = 1 + 4 * std::numeric_limits<double>::epsilon();

}  // namespace

void grow_by_radii(const CollisionMesh& mesh, VertexBoxes& boxes) {
  if (mesh.radius.empty()) return;
  const Eigen::Map<const VectorX> radius(mesh.radius.data(), static_cast<Eigen::Index>(mesh.radius.size()));
  boxes.lower.leftCols(radius.size()).rowwise() -= radius_growth * radius.transpose();
  boxes.upper.leftCols(radius.size()).rowwise() += radius_growth * radius.transpose();
}

Candidates BroadPhase::find(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) {
  Candidates candidates = find_pairs(mesh, boxes, limit);
  if (candidates.groups.empty()) group_by_bodies(mesh, candidates);
  return candidates;
}

std::vector<PointPlaneCandidate> find_point_plane(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  constexpr std::size_t chunk_size = 1024;
  if (mesh.planes.empty()) return {};
  std::vector<std::vector<PointPlaneCandidate>> found((mesh.points.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(mesh.points.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t i = begin; i < end; ++i) {
      const int point = mesh.points[i];
      for (std::size_t p = 0; p < mesh.planes.size(); ++p) {
        const CollisionPlane& plane = mesh.planes[p];
        if (point == plane.vertex || !mesh.may_collide(mesh.vertex_body[point], plane.body)) continue;
        if (reaches_plane(boxes, point, plane)) found[chunk].push_back({point, static_cast<int>(p)});
      }
    }
  });
  std::vector<PointPlaneCandidate> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::unique_ptr<BroadPhase> make_broad_phase(const std::string& name) {
  if (name == "auto") return make_measured_broad_phase();
  if (name == "bvh") return make_bvh();
  if (name == "body-boxes") return make_body_boxes();
  throw InputError("broad phase", "unknown name \"" + name + "\"", "use \"auto\", \"bvh\" or \"body-boxes\"");
}

namespace {

/// The boxes around those of each body's vertices, which are grown by radius(vertex) first.
template <class Radius>
VertexBoxes boxes_by_body(const CollisionMesh& mesh, const VertexBoxes& boxes, Radius&& radius) {
  const auto count = static_cast<Eigen::Index>(mesh.bodies.size());
  VertexBoxes result = {Vectors::Constant(3, count, std::numeric_limits<double>::infinity()),
                        Vectors::Constant(3, count, -std::numeric_limits<double>::infinity())};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int body = mesh.vertex_body[v];
    const Vector3 by = Vector3::Constant(radius(v));
    result.lower.col(body) = result.lower.col(body).cwiseMin(boxes.lower.col(v) - by);
    result.upper.col(body) = result.upper.col(body).cwiseMax(boxes.upper.col(v) + by);
  }
  return result;
}

}  // namespace

VertexBoxes body_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  return boxes_by_body(mesh, boxes, [](int) { return 0.0; });
}

VertexBoxes solid_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  if (mesh.radius.empty()) return body_boxes(mesh, boxes);
  return boxes_by_body(mesh, boxes, [&](int v) { return radius_growth * mesh.radius_of(v); });
}

VertexBoxes body_boxes(const CollisionMesh& mesh, const Vectors& positions) {
  return body_boxes(mesh, VertexBoxes{positions, positions});
}

}  // namespace bulwark

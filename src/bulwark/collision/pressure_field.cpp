#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/pressure_field.hpp>
#include <bulwark/collision/signed_distance.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// The depth of the deepest point, sought from a point on by ever shorter steps: down to this part of it.
constexpr double depth_tolerance = 1e-6;

double deepest(const SignedDistance& distance, Vector3 point, double depth) {
  for (double step = depth; step > depth_tolerance * depth;) {
    Vector3 best = point;
    double found = depth;
    for (int k = 0; k < 27; ++k) {
      const Vector3 there = point + step * Vector3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      const double depth_there = -distance(there);
      if (depth_there > found) {
        found = depth_there;
        best = there;
      }
    }
    if (found > depth) {
      depth = found;
      point = best;
    } else {
      step /= 2;
    }
  }
  return depth;
}

}  // namespace

PressureField pressure_field(const TetMesh& mesh, double modulus) {
  PressureField field;
  const std::vector<Triangle> surface = boundary_triangles(mesh.tetrahedra);
  const int own = static_cast<int>(mesh.vertices.cols());
  std::vector<char> on_surface(own, 0);
  for (const Triangle& t : surface) {
    for (const int v : t) on_surface[v] = 1;
  }
  const auto hollow = [&](const Tetrahedron& t) {
    return std::all_of(t.begin(), t.end(), [&](int v) { return on_surface[v] != 0; });
  };
  for (const Tetrahedron& t : mesh.tetrahedra) {
    if (!hollow(t)) {
      field.cells.push_back(t);
      continue;
    }
    const int center = own + static_cast<int>(field.center_of.size());
    field.center_of.push_back(t);
    for (std::size_t corner = 0; corner < 4; ++corner) {
      Tetrahedron part = t;
      part[corner] = center;
      field.cells.push_back(part);
    }
  }
  const int count = own + static_cast<int>(field.center_of.size());
  field.rest.resize(3, count);
  field.rest.leftCols(own) = mesh.vertices;
  for (std::size_t k = 0; k < field.center_of.size(); ++k) {
    Vector3 sum = Vector3::Zero();
    for (const int v : field.center_of[k]) sum += mesh.vertices.col(v);
    field.rest.col(own + static_cast<Eigen::Index>(k)) = sum / 4;
  }
  const SignedDistance distance(mesh.vertices, surface);
  field.pressure.assign(count, 0);
  parallel_for(static_cast<std::size_t>(count), [&](std::size_t v) {
    if (static_cast<int>(v) < own && on_surface[v]) return;
    field.pressure[v] = std::max(0.0, -distance(field.rest.col(static_cast<Eigen::Index>(v))));
  });
  const auto best = std::max_element(field.pressure.begin(), field.pressure.end());
  if (best == field.pressure.end() || !(*best > 0)) return field;
  field.depth = deepest(distance, field.rest.col(best - field.pressure.begin()), *best);
  for (double& p : field.pressure) p *= modulus / field.depth;
  return field;
}

}  // namespace bulwark

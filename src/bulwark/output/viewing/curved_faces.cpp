#include <bulwark/bodies/riding_surface.hpp>
#include <bulwark/output/viewing/curved_faces.hpp>

#include <map>
#include <tuple>

namespace bulwark {
namespace {

constexpr int most_triangles = 50'000;  ///< of a body that collide

/// Bodies that have solids of order 2 and more, and no triangle with a point that is not theirs.
std::vector<char> bodies_with_coarse_faces(const Frame& frame) {
  std::vector<char> of_solid(frame.point_body.size(), 0), coarse(frame.bodies.size(), 0);
  for (const FrameSolid& solid : frame.solids) {
    if (solid.order < 2) continue;
    coarse[frame.point_body[solid.points[0]]] = 1;
    for (const int point : solid.points) of_solid[point] = 1;
  }
  std::vector<int> count(frame.bodies.size(), 0);
  for (const Triangle& t : frame.triangles) {
    const int body = frame.point_body[t[0]];
    const bool own = of_solid[t[0]] && of_solid[t[1]] && of_solid[t[2]];
    if (!own || ++count[body] > most_triangles) coarse[body] = 0;
  }
  for (const Triangle& t : frame.skin) coarse[frame.point_body[t[0]]] = 0;
  return coarse;
}

/// Numbers of the surface's vertices among the frame's points and the places between.
std::vector<int> number_vertices(RidingSurface& surface, std::size_t point_count, CurvedFaces& faces) {
  std::vector<int> numbers;
  for (std::vector<SurfaceWeight>& weights : surface.weights) {
    if (weights.size() == 1) {
      numbers.push_back(weights[0].control);
    } else {
      numbers.push_back(static_cast<int>(point_count + faces.between.size()));
      faces.between.push_back(std::move(weights));
    }
  }
  return numbers;
}

}  // namespace

CurvedFaces curved_faces(const Frame& frame) {
  CurvedFaces faces;
  faces.of_body = bodies_with_coarse_faces(frame);
  std::map<std::tuple<int, CellShape, int>, SolidMesh> meshes;
  for (const FrameSolid& solid : frame.solids) {
    const int body = frame.point_body[solid.points[0]];
    if (!faces.of_body[body]) continue;
    SolidMesh& mesh = meshes[{body, solid.shape, solid.order}];
    mesh.shape = solid.shape;
    mesh.order = solid.order;
    mesh.cells.insert(mesh.cells.end(), solid.points.begin(), solid.points.end());
  }
  for (auto& [key, mesh] : meshes) {
    mesh.vertices = frame.position;
    RidingSurface surface = cut_boundary(mesh, 2 * mesh.order);
    const std::vector<int> number = number_vertices(surface, frame.point_body.size(), faces);
    for (const Triangle& t : surface.triangles)
      faces.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
    mesh = {};
  }
  return faces;
}

}  // namespace bulwark

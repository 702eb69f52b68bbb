#include <bulwark/bodies/face_weights.hpp>

#include <map>
#include <utility>

namespace bulwark {

std::vector<std::array<double, 3>> corner_shares(const RidingSurface& surface) {
  std::map<int, int> triangles_of_face;
  std::map<std::pair<int, int>, int> triangles_of_vertex;  // in a face
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const int face = surface.parts[t].face;
    ++triangles_of_face[face];
    for (const int v : surface.triangles[t]) ++triangles_of_vertex[{face, v}];
  }
  std::vector<std::array<double, 3>> shares(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const FacePart& part = surface.parts[t];
    for (int k = 0; k < 3; ++k) {
      shares[t][k] = part.weight[k] * triangles_of_face[part.face] /
                         triangles_of_vertex[{part.face, surface.triangles[t][k]}] -
                     1.0 / 3;
    }
  }
  return shares;
}

}  // namespace bulwark

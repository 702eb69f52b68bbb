#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/scene/body_mesh.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_shape.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

void require_fits(double vertices, const MeshBudget& budget, const std::string& path,
                  const std::string& remedy) {
  if (vertices * static_cast<double>(budget.copies) <= static_cast<double>(budget.vertices)) return;
  const std::string copies = budget.copies > 1 ? fmt::format(" in {} copies", budget.copies) : "";
  throw IssueFound(path,
                   fmt::format("about {:.3g} vertices{}, but only {} are left of what a scene may have",
                               vertices, copies, budget.vertices),
                   remedy);
}

/// Runs `make`, and says where in the scene the mesh was asked for if it fails.
template <class Make>
auto with_path(const std::string& path, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw IssueFound(path, error.what());
  }
}

struct ShapeRequest {
  Shape shape;
  double resolution = 0;
  std::string path;
};

ShapeRequest read_request(const Json& body, const std::string& path, const MeshBudget& budget) {
  const std::string shape_path = pointer_to(path, "shape");
  if (body["shape"].contains("plane")) {
    throw IssueFound(shape_path, "a plane has no inside to fill", "planes can only be obstacles");
  }
  ShapeRequest request{read_shape(body["shape"]), read_resolution(body["shape"]), shape_path};
  require_fits(estimated_vertices(request.shape, request.resolution), budget, shape_path,
               request.resolution > 0 ? "give a larger `resolution`" : "lower its counts");
  return request;
}

}  // namespace

TetMesh solid_for_body(const Json& body, const std::string& path, const Pose& pose,
                       const std::filesystem::path& base_folder, const MeshBudget& budget) {
  (void)pose;
  (void)base_folder;
  const ShapeRequest request = read_request(body, path, budget);
  return with_path(request.path, [&] { return solid_mesh(request.shape, request.resolution); });
}

SurfaceMesh surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                             const std::filesystem::path& base_folder, const MeshBudget& budget) {
  (void)pose;
  (void)base_folder;
  const ShapeRequest request = read_request(body, path, budget);
  return with_path(request.path, [&] { return surface_mesh(request.shape, request.resolution); });
}

}  // namespace bulwark

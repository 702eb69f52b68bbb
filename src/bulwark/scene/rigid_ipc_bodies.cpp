#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/rigid_ipc_bodies.hpp>
#include <bulwark/scene/rigid_ipc_motion.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

namespace bulwark {
namespace {

/// R = Rz Ry Rx.
Matrix3 rotation_of(const RigidIpcBody& body) {
  const Vector3 angles = body.euler_degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(angles.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vector3::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Vector3::UnitX()))
      .toRotationMatrix();
}

/// The factor per axis that gives the mesh's box the sides `dimensions`.
Vector3 scale_to(const Vector3& dimensions, const SurfaceMesh& surface, const std::string& path) {
  const Vector3 sides = surface.vertices.rowwise().maxCoeff() - surface.vertices.rowwise().minCoeff();
  Vector3 scale;
  for (int axis = 0; axis < 3; ++axis) {
    scale[axis] = sides[axis] > 0 ? dimensions[axis] / sides[axis] : 1;
    if (!(scale[axis] > 0)) {
      throw IssueFound(pointer_to(path, static_cast<std::size_t>(axis)),
                       "the mesh has an extent along this axis, which can't become 0",
                       "give a dimension above 0");
    }
  }
  return scale;
}

/// The name of a body's mesh file inside a folder of meshes; names that lead out of it lose their folders.
std::filesystem::path inner_name(const RigidIpcBody& body) {
  const std::filesystem::path name = std::filesystem::path(body.mesh).lexically_normal();
  return name.is_relative() && *name.begin() != ".." ? name : name.filename();
}

}  // namespace

void RigidIpcBodyWriter::add(const RigidIpcBody& body) {
  for (const Part& part : parts_of(body)) bodies.push_back(write_body(body, part));
}

std::vector<RigidIpcBodyWriter::Part> RigidIpcBodyWriter::parts_of(const RigidIpcBody& body) {
  const RigidIpcMesh& mesh = meshes_.get(body.mesh);
  const std::string name = std::filesystem::path(body.mesh).stem().string();
  const Vector3 signs = body.dimensions ? Vector3::Ones() : Vector3(body.scale.array().sign());
  if (!body.split_components && signs == Vector3::Ones()) {
    return {{name, mesh_reference(body, mesh), mesh.surface}};
  }
  std::string file_name = inner_name(body).replace_extension().string();
  for (int axis = 0; axis < 3; ++axis) {
    if (signs[axis] < 0) file_name += fmt::format("-mirrored-{}", "xyz"[axis]);
  }
  const SurfaceMesh whole = mirrored(mesh.surface, signs);
  if (!body.split_components) return {made_part(name, file_name, whole)};
  const std::vector<SurfaceMesh> pieces = connected_pieces(whole);
  if (pieces.empty()) {
    throw IssueFound(pointer_to(body.path, "split_components"), "the mesh has no triangles to split");
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string number = fmt::format("-part{:03}", i);
    parts.push_back(made_part(name + number, file_name + number, pieces[i]));
  }
  return parts;
}

Json RigidIpcBodyWriter::write_body(const RigidIpcBody& body, const Part& part) {
  Json json;
  json["name"] = unique_name(part.name);
  const bool moves = body.type == RigidIpcBody::Type::dynamic;
  json["kind"] = !moves ? "obstacle" : options_.rigid ? "rigid" : "affine";
  json["mesh"] = part.reference;
  json["position"] = to_json(body.position);
  if (!body.euler_degrees.isZero(0)) json["rotation"]["euler_degrees"] = to_json(body.euler_degrees);
  Vector3 scale = body.scale.cwiseAbs();
  if (body.dimensions) {
    // Pieces keep the proportions of the whole mesh.
    const SurfaceMesh& whole = meshes_.get(body.mesh).surface;
    scale = scale_to(*body.dimensions, whole, pointer_to(body.path, "dimensions"));
  }
  if (scale != Vector3::Ones()) json["scale"] = to_json(scale);
  SurfaceMesh placed = part.surface;
  placed.vertices = transformed({body.position, rotation_of(body), scale}, part.surface.vertices);
  if (moves) {
    SurfaceMesh scaled = part.surface;
    scaled.vertices = scale.asDiagonal() * part.surface.vertices;
    json["material"] = material(body.density, scaled);
    write_dynamics(json, body);
    moving.add(placed.vertices);
  } else if (body.type == RigidIpcBody::Type::kinematic) {
    const Vector3 center = mass_moments(placed, 1, 1).center;
    const Json motion = rigid_ipc_motion(body, center, context_.step, context_.duration);
    if (!motion.is_null()) json["motion"] = motion;
  }
  const int group = group_of(body);
  if (group >= 0) json["group"] = group;
  return json;
}

void RigidIpcBodyWriter::write_dynamics(Json& json, const RigidIpcBody& body) {
  const auto write = [&](const char* key, const Vector3& value) {
    if (!value.isZero(0)) json[key] = to_json(value);
  };
  write("velocity", body.velocity);
  write("angular_velocity_degrees", body.angular_velocity_degrees);
  write("force", body.force);
  write("torque", body.torque);
  if (std::find(body.fixed.begin(), body.fixed.end(), true) != body.fixed.end()) {
    const auto& fixed = body.fixed;
    json["fixed"]["translation"] = Json::array({fixed[0], fixed[1], fixed[2]});
    json["fixed"]["rotation"] = Json::array({fixed[3], fixed[4], fixed[5]});
  }
}

/// The name of the material, which is made when it is new.
std::string RigidIpcBodyWriter::material(double density, const SurfaceMesh& scaled) {
  const ThinMaterial wanted = is_closed(scaled) ? ThinMaterial{density, 0} : thin_material(scaled, density);
  std::string& name = material_names_[{wanted.density, wanted.thickness}];
  if (!name.empty()) return name;
  name = fmt::format("density {:.6g}", wanted.density);
  if (wanted.thickness > 0) name += fmt::format(", thickness {:.6g}", wanted.thickness);
  while (materials.contains(name)) name += "'";
  Json& material = materials[name];
  material["model"] = options_.rigid ? "rigid" : "affine";
  material["density"] = wanted.density;
  if (wanted.thickness > 0) material["thickness"] = wanted.thickness;
  return name;
}

/// The mesh's name, and a number behind it from the second body of that name on.
std::string RigidIpcBodyWriter::unique_name(const std::string& name) {
  std::string result = name == "world" || name.empty() ? "body" : name;
  const std::string base = result;
  int& count = name_counts_[base];
  do {
    if (count++ > 0) result = fmt::format("{}-{}", base, count);
  } while (!names_.insert(result).second);
  return result;
}

int RigidIpcBodyWriter::group_of(const RigidIpcBody& body) const {
  if (context_.static_groups.empty()) return body.type == RigidIpcBody::Type::dynamic ? body.group : -1;
  const bool joins = body.type != RigidIpcBody::Type::dynamic || context_.static_groups.contains(body.group);
  return joins ? *context_.static_groups.begin() : body.group;
}

std::filesystem::path RigidIpcBodyWriter::scene_folder() const {
  return std::filesystem::absolute(options_.scene).lexically_normal().parent_path();
}

/// Where a file goes beside the scene, from the scene. Another file of the same name gets a number.
std::string RigidIpcBodyWriter::add_file(const std::filesystem::path& name, ImportedFile file) {
  const std::filesystem::path folder = options_.scene.stem().string() + "_meshes";
  for (int number = 1; true; ++number) {
    std::filesystem::path own = name;
    if (number > 1) {
      own.replace_filename(fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string()));
    }
    file.path = scene_folder() / folder / own;
    const auto same_path = [&](const ImportedFile& other) { return other.path == file.path; };
    const auto known = std::find_if(files.begin(), files.end(), same_path);
    if (known != files.end() && (known->source != file.source || known->text != file.text)) continue;
    if (known == files.end()) files.push_back(std::move(file));
    return (folder / own).generic_string();
  }
}

std::string RigidIpcBodyWriter::mesh_reference(const RigidIpcBody& body, const RigidIpcMesh& mesh) {
  if (options_.copy_meshes) return add_file(inner_name(body), {{}, mesh.file, {}});
  const std::filesystem::path file = std::filesystem::absolute(mesh.file).lexically_normal();
  return file.lexically_proximate(scene_folder()).generic_string();
}

/// A part whose mesh is in no file yet.
RigidIpcBodyWriter::Part RigidIpcBodyWriter::made_part(const std::string& name, const std::string& file_name,
                                                       const SurfaceMesh& surface) {
  const std::string reference = add_file(file_name + ".obj", {{}, {}, surface_to_obj(surface)});
  return {name, reference, surface};
}

}  // namespace bulwark

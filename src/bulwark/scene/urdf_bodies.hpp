// The bodies that a robot's links become. Links on fixed joints that lack a mass or a shape (or hang on one
// that does) are one body with their parent; all others are bodies of their own. Masses add up as rigid parts
// do,
//   m = sum m_i,   c = sum m_i c_i / m,   J = sum J_i + m_i (|d|^2 I - d d^T),   d = c_i - c.
#pragma once

#include <bulwark/bodies/given_mass.hpp>
#include <bulwark/scene/urdf_meshes.hpp>
#include <bulwark/scene/urdf_model.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// A shape of a body as the scene file writes it, with its surface in the body's axes.
struct UrdfBodyShape {
  Json json;
  SurfaceMesh surface;
};

struct UrdfBody {
  std::string name;   ///< that of its main link
  int main_link = 0;  ///< whose axes are the body's
  int line = 0;       ///< of that link
  std::vector<int> links;
  bool is_base = false;  ///< holds the root
  bool collides = true;
  std::vector<UrdfBodyShape> shapes;  ///< none: the body is left out, and its joints tie to the world
  std::optional<GivenMass> mass;      ///< in the body's axes
};

struct UrdfBodies {
  std::vector<UrdfBody> bodies;
  std::vector<int> body_of_link;
  std::vector<std::string> notes, warnings;
};

struct UrdfBodyOptions {
  std::string file;        ///< for messages
  bool free_base = false;  ///< the root's body may move, so it needs a mass
};

/// `frames` are those of the links at the start (urdf_kinematics.hpp). Throws InputError.
UrdfBodies make_urdf_bodies(const UrdfRobot& robot, const std::vector<Frame3>& frames, UrdfMeshes& meshes,
                            const UrdfBodyOptions& options);

}  // namespace bulwark

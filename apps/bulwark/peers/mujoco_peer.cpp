#include "mujoco_peer.hpp"

#include "body_surfaces.hpp"
#include "round_form.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mass_moments.hpp>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

namespace bulwark::app {
namespace {

/// Room for contacts, for each sphere: a heap has about three, half of what each sphere touches.
constexpr int contacts_per_sphere = 4;
/// Rows of a contact with friction in an elliptic cone.
constexpr int rows_per_contact = 3;
constexpr int unknowns_per_sphere = 6;
/// Of MuJoCo's arrays, whose size is an int.
constexpr double most_bytes = std::numeric_limits<int>::max();

/// Bytes of its largest arrays with their column numbers: two Jacobians, constraints times unknowns, and a matrix
/// of constraints times constraints.
double bytes_for(std::size_t spheres) {
  const double rows = static_cast<double>(spheres) * contacts_per_sphere * rows_per_contact;
  const double unknowns = static_cast<double>(spheres) * unknowns_per_sphere;
  return rows * (2 * unknowns + rows) * (sizeof(mjtNum) + sizeof(int));
}

void require_mujoco_can(const World& world, const Settings& settings) {
  if (!world.joints.empty()) throw InputError("joints", "joints are not passed to MuJoCo");
  if (!world.friction_pairs.empty()) throw InputError("contact", "friction by pairs is not passed to MuJoCo");
  if (!world.collision.unguarded_pairs.empty())
    throw InputError("contact", "contact models are not passed to MuJoCo");
  for (const Body& body : world.bodies) {
    const std::string place = fmt::format("body '{}'", body.name);
    if (!body.is_stiff() && !body.is_obstacle())
      throw InputError(place, "soft bodies are not passed to MuJoCo");
    if (body.friction && *body.friction != settings.contact.friction)
      throw InputError(place, "a friction of its own is not passed to MuJoCo");
  }
  for (const Script& script : world.scripts) {
    if (!script.motion.is_still()) throw InputError("motion", "scripted motion is not passed to MuJoCo");
  }
  if (const double bytes = bytes_for(world.stiff.size()); bytes > most_bytes) {
    throw InputError(
        "MuJoCo", fmt::format("{} spheres would take {:.3g} GB, and 2.1 are possible: it has arrays of all "
                              "constraints by all unknowns",
                              world.stiff.size(), bytes / 1e9));
  }
}

std::string text(const Vector3& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

/// The scene in MuJoCo's own format.
class Document {
 public:
  Document(std::size_t spheres, const Settings& settings, double margin) {
    const std::size_t contacts = contacts_per_sphere * spheres + 20;
    fmt::format_to(to(),
                   "<mujoco><compiler boundmass='0'/>"
                   "<option timestep='{}' gravity='{}' solver='CG' jacobian='sparse' cone='elliptic'/>"
                   "<size nconmax='{}' njmax='{}'/>"
                   "<default><geom condim='3' friction='{} 0 0' margin='{}'/></default><worldbody>",
                   settings.time.step, text(settings.gravity), contacts, rows_per_contact * contacts,
                   settings.contact.friction, margin);
  }

  void add_plane(const CollisionPlane& plane, const Vector3& point) {
    fmt::format_to(to(), "<geom type='plane' size='0 0 1' pos='{}' zaxis='{}'/>", text(point),
                   text(plane.normal));
  }

  void add_sphere(const StiffBody& body, const RoundForm& form, const RigidMotion& start) {
    const Vector3 moments = inertia_tensor(body.second_moment).diagonal();
    fmt::format_to(to(),
                   "<body pos='{}'><freejoint/><inertial pos='0 0 0' mass='{}' diaginertia='{}'/>"
                   "<geom type='sphere' size='{}'/></body>",
                   text(start.center), body.mass, text(moments), form.radius);
  }

  std::string finish() { return std::move(text_) + "</worldbody></mujoco>"; }

 private:
  std::back_insert_iterator<std::string> to() { return std::back_inserter(text_); }

  std::string text_;
};

mjModel* load(const std::string& document) {
  constexpr const char* name = "scene.xml";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(document.size())) != 0)
    throw InputError("MuJoCo", "no room for the scene");
  std::memcpy(files->filedata[0], document.data(), document.size());
  char message[1000] = "";
  mjModel* const model = mj_loadXML(name, files.get(), message, sizeof(message));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw InputError("MuJoCo", message);
  return model;
}

}  // namespace

struct MujocoPeer::Impl {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  World world;
  Vectors positions;  ///< of all collision vertices at the start

  ~Impl() {
    if (data != nullptr) mj_deleteData(data);
    if (model != nullptr) mj_deleteModel(model);
  }
};

MujocoPeer::MujocoPeer(const World& world, const Settings& settings, double margin)
    : impl_(std::make_unique<Impl>()) {
  require_mujoco_can(world, settings);
  impl_->world = world;
  impl_->positions = bulwark::vertex_positions(world.collision, world.state.position);
  const std::vector<SurfaceMesh> surfaces = surfaces_by_body(world, impl_->positions);
  for (std::size_t b = 0; b < surfaces.size(); ++b) {
    if (world.bodies[b].is_obstacle() &&
        !(surfaces[b].triangles.empty() && surfaces[b].edges.empty() && surfaces[b].points.empty())) {
      throw InputError(fmt::format("body '{}'", world.bodies[b].name),
                       "of obstacles, only planes are passed to MuJoCo");
    }
  }
  Document document(world.stiff.size(), settings, margin);
  for (const CollisionPlane& plane : world.collision.planes)
    document.add_plane(plane, impl_->positions.col(plane.vertex));
  for (const StiffBody& body : world.stiff) {
    const std::string& name = world.bodies[body.body].name;
    const RigidMotion start = rigid_motion(world, body.body);
    const std::optional<RoundForm> form = round_form(surfaces[body.body], start.center, name);
    if (!form || !form->is_sphere() || world.scripted[body.first_control] != 0) {
      throw InputError(fmt::format("body '{}'", name),
                       "of stiff bodies, only spheres that are free are passed to MuJoCo");
    }
    document.add_sphere(body, *form, start);
  }
  impl_->model = load(document.finish());
  impl_->data = mj_makeData(impl_->model);
  if (impl_->data == nullptr) throw InputError("MuJoCo", "there is not enough memory for its arrays");
  for (std::size_t k = 0; k < world.stiff.size(); ++k) {
    const RigidMotion start = rigid_motion(world, world.stiff[k].body);
    // A free joint turns by angular velocities in the body's axes, which are the world's at the start.
    mjtNum* const speeds = impl_->data->qvel + unknowns_per_sphere * k;
    std::copy_n(start.velocity.data(), 3, speeds);
    std::copy_n(start.angular_velocity.data(), 3, speeds + 3);
  }
}

MujocoPeer::~MujocoPeer() = default;
MujocoPeer::MujocoPeer(MujocoPeer&&) noexcept = default;

void MujocoPeer::step() {
  mj_step(impl_->model, impl_->data);
  for (int w = 0; w < mjNWARNING; ++w) {
    if (impl_->data->warning[w].number > 0)
      throw SolveError(fmt::format("MuJoCo: {}", mju_warningText(w, impl_->data->warning[w].lastinfo)));
  }
}

Vectors MujocoPeer::vertex_positions() const {
  constexpr int coordinates_per_sphere = 7;
  Vectors positions = impl_->positions;
  for (std::size_t k = 0; k < impl_->world.stiff.size(); ++k) {
    const Body& body = impl_->world.bodies[impl_->world.stiff[k].body];
    positions.col(body.first_vertex) =
        Eigen::Map<const Vector3>(impl_->data->qpos + coordinates_per_sphere * k);
  }
  return positions;
}

int MujocoPeer::contacts() const {
  return impl_->data->ncon;
}

std::optional<std::string> mujoco_version() {
  return mj_versionString();
}

}  // namespace bulwark::app

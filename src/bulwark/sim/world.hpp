// All data of a running scene: bodies, controls, masses, elements, scripts, loads and the collision surface.
// Built by the functions below, from C++ or by the scene loader; stepped by Simulation.
#pragma once

#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/bodies/deformable_body.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/collision/contact_model_kind.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/motion.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/selection.hpp>
#include <bulwark/integrate/state.hpp>
#include <bulwark/sim/joint.hpp>
#include <bulwark/sim/patch_penalty_settings.hpp>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bulwark {

/// A body's place in the world's arrays.
struct Body {
  std::int64_t id = 0;  ///< differs for all bodies that the world ever had, while indices close up
  std::string name;
  BodyKind kind = BodyKind::deformable;
  NodeKind nodes = NodeKind::points;
  int first_control = 0, control_count = 0;
  int point_count = 0;          ///< controls that are points: the first ones
  int directions_per_node = 0;  ///< controls after the points, those of each point in turn: its slopes
  int first_element = 0, element_count = 0;
  int first_vertex = 0, vertex_count = 0;  ///< of the collision mesh
  int stiff = -1;                          ///< index into World::stiff, where all points follow p and A
  std::optional<int>
      face_cuts;  ///< where its surface is made of its elements' faces: into so many parts a side
  std::optional<double> friction;
  std::optional<double> restitution_damping;               ///< s
  std::optional<double> hydroelastic_modulus;              ///< Pa (sim/pressure_body.hpp)
  double rolling_resistance = 0, spinning_resistance = 0;  ///< m (terms/rolling_resistance.hpp)
  BodySkin skin;

  bool is_obstacle() const { return kind == BodyKind::obstacle; }
  bool is_stiff() const { return stiff >= 0; }
  int node_count() const { return nodes == NodeKind::points ? point_count : vertex_count; }
};

/// Controls that follow a script instead of the dynamics.
struct Script {
  std::vector<int> controls;
  Vectors start;  ///< their positions when the motion begins
  Motion motion;
  std::vector<int>
      turned;  ///< segments of rods (elements) with both vertices in it: their frames follow, too
};

/// A torque on a stiff body, in world axes (N m).
struct Torque {
  int stiff = 0;  ///< index into World::stiff
  Table value;
};

/// A force on controls: each gets value(t) * share (N). A body's point force is spread over its selection by
/// equal shares, a surface traction (Pa) by a third of the area of each triangle around the control.
struct Load {
  std::vector<int> controls;
  std::vector<double> shares;
  Table value;
};

/// What a program that steers a body lets act on it until it says otherwise: a force (N) spread as by
/// add_force over the whole body, and a torque (N m, stiff bodies only), both in world axes.
struct Applied {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
};

struct World {
  /// Of a scene in the plane z = 0: how thick it is along z (m). Nothing moves out of that plane.
  std::optional<double> thickness;
  std::int64_t next_body_id = 0;
  std::vector<Body> bodies;
  State state;
  Vectors rest;  ///< rest positions of the controls

  std::vector<ControlRole> roles;  ///< of the controls
  VectorX lever;                   ///< how far a unit of each control moves points: 1 of points

  std::vector<Eigen::Triplet<double>> mass_entries;  ///< of the scalar mass matrix (times the 3x3 identity)
  VectorX
      gravity_mass;  ///< kg by which gravity pulls at each control: the integral of rho s; 0 for obstacles

  ElementTable elements;
  std::vector<StiffBody> stiff;

  std::vector<char> scripted;  ///< per control: 1 when a script moves (or holds) it
  std::vector<HeldAxes> held;  ///< per control: axes along which it does not move; all when scripted
  std::vector<Script> scripts;
  std::vector<Load> loads;
  std::vector<Torque> torques;
  std::vector<Applied> applied;  ///< per body, of the first ones; the others have none
  Vectors applied_to_controls;   ///< further forces on the controls, of the first ones (N)

  std::vector<Joint> joints;
  std::vector<ConstraintRow> joint_rows;
  std::vector<JointCoordinate> joint_coordinates;  ///< their values are in the state
  std::vector<WorldDrive> joint_drives;

  CollisionMesh collision;
  std::map<std::pair<int, int>, double> friction_pairs;  ///< overrides by body indices (smaller, larger)
  /// How bodies touch (sim/contact_model.hpp), and overrides by body indices (smaller, larger).
  ContactModelKind contact_model = ContactModelKind::barrier;
  std::map<std::pair<int, int>, ContactModelKind> model_pairs;
  /// What pairs under patch-penalty have of their own, by the same.
  std::map<std::pair<int, int>, PatchPenaltySettings> patch_pairs;

  int control_count() const { return static_cast<int>(rest.cols()); }
};

/// Puts a body into the world; returns its index. The functions below make a layout and put it in.
int add_body(World& world, const BodyLayout& layout, const BodyOptions& options);

/// Adds a solid of elements of any order, or of linear tetrahedra; their maps must be positive everywhere. Returns the
/// body's index.
int add_deformable(World& world, const SolidMesh& mesh, const ElasticMaterial& material,
                   const BodyOptions& options, MassKind mass = MassKind::lumped,
                   const SolidSurface& surface = {});
int add_deformable(World& world, const TetMesh& mesh, const ElasticMaterial& material,
                   const BodyOptions& options, MassKind mass = MassKind::lumped);

/// Adds an affine or a rigid body with the given surface. A body that is not closed (sheets, wires, points)
/// needs a thickness, which gives it its mass.
int add_affine(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
               const BodyOptions& options);
int add_rigid(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
              const BodyOptions& options);

/// Adds a shell, flat or curved, open or closed. The surface has triangles only, and no vertex without one.
int add_shell(World& world, const SurfaceMesh& mesh, const ClothMaterial& material,
              const BodyOptions& options);

/// Adds a rod or a net of rods: the mesh has edges only, and no vertex without one. Where more than two
/// segments meet they are joined stiffly.
int add_rod(World& world, const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options);

/// Adds a particle of the given mass (kg) at each vertex of the mesh, and a spring along each of its edges.
int add_particles(World& world, const SurfaceMesh& mesh, double mass, const SpringMaterial& springs,
                  const BodyOptions& options);

/// Adds a beam or a shell of ANCF elements; the material has its section or thickness (ancf_body.hpp).
int add_ancf(World& world, const AncfMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
             int surface_cuts = 0);

/// Adds an obstacle: triangles, segments and points that follow `motion` (still by default).
int add_obstacle(World& world, const SurfaceMesh& mesh, const BodyOptions& options,
                 const Motion& motion = {});

/// Adds an infinite plane as an obstacle; the normal points to the free side. It may move, but not turn.
int add_plane(World& world, const Vector3& point, const Vector3& normal, const BodyOptions& options,
              const Motion& motion = {});

/// Axes of a stiff body that do not move: along which its center stays, and about which it does not turn. An
/// affine body can have its rotation held about none, two or all three axes.
void hold_axes(World& world, int body, const std::array<bool, 3>& translation,
               const std::array<bool, 3>& rotation);

/// Holds the selected controls of a body, or moves them by a script. Selections are in rest coordinates after
/// the pose. Returns how many controls were selected. A stiff body is held as a whole or not at all.
/// The slopes of nodes that have some are held with them, unless `hinged`.
int hold(World& world, int body, const Selection& selection, const Motion& motion = {}, bool hinged = false);

/// Holds the selected points of a soft body along some axes of the world alone, as a plane of symmetry does: not their
/// slopes, nor what a script moves. Returns how many points were selected.
int hold_along(World& world, int body, const Selection& selection, HeldAxes axes);

/// A total force (N) spread evenly over the selected controls of a body (of a stiff body: over the selected
/// vertices, or at its center of mass when all are). Returns how many were selected.
int add_force(World& world, int body, const Selection& selection, const Table& force);

/// A torque (N m) on a stiff body.
void add_torque(World& world, int body, const Table& torque);

/// A traction (Pa) on those faces of the body whose nodes are all selected, by their areas at rest; of a shell of ANCF
/// elements, on their middle surfaces. Returns the number of faces.
int add_traction(World& world, int body, const Selection& selection, const Table& traction);

/// The coefficient between two bodies: a pair's override, else the smaller of the bodies' own (a body without
/// one has the scene's).
double friction_between(const World& world, int body_a, int body_b, double scene_friction);

/// Diagonal of the box around all moving (not obstacle) bodies at the start.
double scene_length(const World& world);

/// Center of mass, velocity, orientation and angular velocity of a body from its controls: the rigid motion
/// that fits it best (mass-weighted).
struct RigidMotion {
  Vector3 center = Vector3::Zero(), velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
};
RigidMotion rigid_motion(const World& world, int body);
/// The same in another state of the world.
RigidMotion rigid_motion(const World& world, int body, const State& state);

}  // namespace bulwark

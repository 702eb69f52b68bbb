// Joints between two bodies, or a body and the world. What a joint forbids is linear in the controls wherever
// that can be: rows that the solver eliminates (solve/elimination.hpp), so that they hold to rounding. What
// is not linear in the unknowns (a distance, sliding along a moving body, anything of a rigid body) is a
// coordinate that is held by an augmented Lagrangian, or by a stiff spring; ranges are barriers; springs,
// motors and damping act on coordinates as well (terms/joint_energy.hpp).
//
//   joint          rows                                              coordinates
//   point          x_a = x_b                                         -
//   hinge          x_a = x_b, n_a = n_b                              angle about n
//   weld           x_a = x_b, all directions equal                   -
//   universal      x_a = x_b                                         n_a . m_b = 0, held; angles about n_a and m_b
//   cone-twist     x_a = x_b                                         twist about x, bends about y and z
//   slider         on a line of the world: two of x_a                slide s; relative to a moving body the
//                  and directions as `rotates` says                  offsets across the line, held
//   plane          the same with one direction across
//   distance       -                                                 |x_a - x_b|, held or within a range
//   spring         -                                                 |x_a - x_b|, or the angle about n
//   attach         x_i = the point of b where it is, for all          beside cloth and rods: offsets along their
//                  selected vertices i of a                          sides, height or length, held
//   constraint     -                                                 one of DP1, DP2, DIST, CD, held at a value
//   motor          -                                                 acts on another joint's coordinate
//
// (x: the joint's point as a point of each body; n: its axis as a direction of each.) A row  d . v = s  of a
// joint with a rigid body, or of one that is not to be eliminated, is held as the coordinate  v . d  instead.
//
// A direction of a soft body stretches with its material (soft_point.hpp), so that n_a = n_b would say too much.
// Where one of the bodies is soft, directions are held by right angles, n_a . u_b = 0 with u across n (DP1): rows where
// one side is the world, otherwise held. `eliminate` asks for n_a = n_b all the same.
#pragma once

#include <bulwark/geometry/motion.hpp>
#include <bulwark/geometry/selection.hpp>
#include <bulwark/solve/elimination.hpp>
#include <bulwark/terms/joint_energy.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

struct World;

enum class JointKind {
  point,
  hinge,
  weld,
  universal,
  cone_twist,
  slider,
  plane,
  distance,
  spring,
  attach,
  constraint,
  motor
};
std::string_view joint_kind_name(JointKind kind);

/// How a body on a slider or plane may turn.
enum class Turning { none, about_axis, freely };

struct JointRange {
  double low = 0, high = 0;  ///< m or rad
};

/// What a motor prescribes.
enum class MotorLaw { speed, position, force };

/// How a joint's equations are held. Automatic: what is linear is eliminated, the remainder is held by an
/// augmented Lagrangian, or by springs where a stiffness is given.
enum class JointMethod { automatic, eliminate, penalty, augmented_lagrangian, barrier };

/// Equations between material points, P.. of the first body and ..T of the second:
///   dp1   (Q - P) . (T - R) = f     P, Q of a; R, T of b
///   dp2   (Q - P) . (T - R) = f     P, Q, R of a; T of b
///   dist  |Q - P| = f               P of a, Q of b
///   cd    d . (Q - P) = f           P of a, Q of b
enum class ConstraintPrimitive { dp1, dp2, dist, cd };

inline constexpr int world_body = -1;

struct JointOptions {
  std::string name;
  JointKind kind = JointKind::point;
  int body_a = 0, body_b = world_body;
  bool contact = true;                     ///< whether the two bodies collide with each other
  Vector3 point = Vector3::Zero();         ///< in the world when the joint is added
  std::optional<Vector3> second_point;     ///< of distances and springs: on body b
  Vector3 axis = Vector3::UnitX();         ///< hinge, slider, normal of a plane; of a cone-twist the twist's
  Vector3 second_axis = Vector3::UnitY();  ///< universal: on body b; cone-twist: the first bend's (y)
  Turning turning = Turning::none;
  double start = 0;                                 ///< hinge, slider: the coordinate when it is added
  std::optional<JointRange> range;                  ///< of the angle, slide or length
  std::optional<JointRange> bend_y, bend_z, twist;  ///< of a cone-twist
  std::optional<double> length;                     ///< of a distance; that of the start otherwise
  bool angular = false;                             ///< a spring about `axis`
  std::optional<double> rest;  ///< of a spring: length or angle; that of the start otherwise
  JointMethod method = JointMethod::automatic;
  double tolerance = 0;            ///< of an augmented Lagrangian (m, directions without unit); 0: chosen
  double stiffness = 0;            ///< of a spring (N/m or N m/rad); of a penalty or motor, 0 for a stiff one
  double damping = 0;              ///< N s/m or N m s/rad, on the joint's coordinate
  double range_width = 0;          ///< m or rad from its ends where a range begins to push; 0: chosen
  double range_stiffness = 0;      ///< J; 0: chosen
  double restitution_damping = 0;  ///< s, of the range
  Selection selection = SelectAll{};  ///< attach: vertices of body a
  /// Radius of the material of soft bodies that the joint holds (m): 0 for single material points and fibres.
  double grip = 0;
  ConstraintPrimitive primitive = ConstraintPrimitive::cd;
  std::vector<Vector3> points;  ///< constraint: P, Q, .. in the world when it is added; d is the axis
  std::optional<Table> wanted;  ///< constraint: f over time, the first component; that of the start otherwise
  int driven_joint = -1;        ///< motor: index into World::joints
  MotorLaw law = MotorLaw::speed;
  Table value;               ///< motor: rad/s, rad, N m, or m/s, m, N; the first component
  double largest_force = 0;  ///< of a motor, N or N m; 0 for any
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::point;
  int body_a = 0, body_b = world_body;
  MaterialVector point_a, point_b;  ///< of an attachment: the middle of its vertices
  MaterialVector axis_a, axis_b;    ///< a direction of each body, for those who look; none where it has none
  int first_row = 0, row_count = 0;
  int coordinate = -1;           ///< index into World::joint_coordinates: the last of `coordinates`; -1: none
  std::vector<int> coordinates;  ///< what is reported, in the order of docs/joints.md
  bool angular = false;          ///< whether they are angles
  std::vector<int> held;         ///< drives that stand for equations: what they leave is the joint's error
};

/// A drive with what its default stiffness is made of.
struct WorldDrive {
  int joint = 0;
  JointDrive drive;
  double inertia = 0;              ///< reduced mass (kg) or moment of inertia (kg m^2)
  bool stiff = false;              ///< stiffness is chosen from the inertia and the time step
  double tolerance = 0;            ///< of an equation that has a multiplier; 0 for all other drives
  double restitution_damping = 0;  ///< s, of a range
};

/// Adds a joint; returns its index. Throws InputError naming the joint where it can't be.
int add_joint(World& world, const JointOptions& options);

/// The point of a body that is at x now; of a soft body, the nearest point of its elements.
/// With a grip, that of the material within this radius.
MaterialVector material_point(const World& world, int body, const Vector3& x, double grip = 0);
/// The direction fixed in a body, or in the world, that is `direction` now; of a soft body, at the point `at`.
MaterialVector material_direction(const World& world, int body, const Vector3& direction, const Vector3& at,
                                  double grip = 0);

/// Turns the rows of all joints into followers. Warns of rows that say nothing new; throws InputError naming
/// the joints where rows contradict each other.
Elimination eliminate_joints(const World& world);
/// The followers that put bodies in place (solve/elimination.hpp).
std::vector<Follower> placing_followers(const World& world, const Elimination& elimination);

}  // namespace bulwark

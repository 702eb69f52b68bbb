#include <bulwark/base/file_check.hpp>
#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/sim/state_check.hpp>

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

namespace bulwark {
namespace {

/// Farther, or faster, nothing gets (m, m/s); and grids and boxes still tell places apart.
constexpr double largest_motion = 1e15;
/// Of what else a state holds.
constexpr double largest_number = 1e60;
/// How far the axes of a rigid body may be from a rotation. Rounding leaves them far below.
constexpr double largest_rigidity_error = 1e-3;

class StateCheck {
 public:
  StateCheck(const State& state, const World& world, const std::string& place)
      : state_(state),
        world_(world),
        check_(place, "this state does not belong to the scene",
               "was the scene or one of its meshes changed? start over, without --resume") {}

  void run() const {
    const Eigen::Index controls = world_.control_count();
    vectors(state_.position, controls, largest_motion, "positions");
    vectors(state_.velocity, controls, largest_motion, "velocities");
    vectors(state_.acceleration, controls, largest_number, "accelerations");
    const Eigen::Index past = state_.previous_position.cols() > 0 ? controls : 0;
    vectors(state_.previous_position, past, largest_motion, "positions one step earlier");
    vectors(state_.previous_velocity, past, largest_motion, "velocities one step earlier");
    const Eigen::Index coordinates = static_cast<Eigen::Index>(world_.joint_coordinates.size());
    if (state_.joint_coordinates.size() != coordinates)
      fail("coordinates of joints", state_.joint_coordinates.size(), coordinates);
    if (state_.joint_multipliers.size() > coordinates)
      fail("multipliers of joints", state_.joint_multipliers.size(), coordinates);
    numbers(state_.joint_coordinates, largest_motion, "coordinates of joints");
    numbers(state_.joint_multipliers, largest_number, "multipliers of joints");
    number(state_.time, largest_number, "the time");
    if (state_.step < 0) check_.fail("its step is negative");
    for (const ContactMemory::Stiffened& stiffened : state_.contact.stiffened) {
      body(stiffened.body);
      number(stiffened.factor, largest_number, "the contact stiffness");
    }
    for (const ContactMemory::Close& close : state_.contact.close) {
      body(close.body_a);
      body(close.body_b);
      number(close.distance, largest_motion, "the distance of close bodies");
    }
    for (const ContactHistory& item : state_.contact_history) {
      body(item.body_a);
      body(item.body_b);
      if (item.body_a >= item.body_b) check_.fail("a contact's history is of bodies in the wrong order");
      for (const double value : item.values) number(value, largest_number, "a contact's history");
    }
    stiff_bodies();
  }

 private:
  [[noreturn]] void fail(const char* what, Eigen::Index found, Eigen::Index wanted) const {
    check_.fail(fmt::format("it has {} {}, and the scene has {}", found, what, wanted));
  }
  void body(int number) const {
    if (number < 0 || number >= static_cast<int>(world_.bodies.size()))
      check_.fail(
          fmt::format("its contacts name body {}, and the scene has {}", number, world_.bodies.size()));
  }
  void number(double value, double largest, const char* what) const {
    if (!(std::abs(value) <= largest)) check_.fail(fmt::format("{}: there is a {}", what, value));
  }
  template <class Numbers>
  void numbers(const Numbers& values, double largest, const char* what) const {
    for (const double value : values.reshaped()) number(value, largest, what);
  }
  void vectors(const Vectors& values, Eigen::Index wanted, double largest, const char* what) const {
    if (values.cols() != wanted) fail(what, values.cols(), wanted);
    numbers(values, largest, what);
  }
  void stiff_bodies() const {
    for (const StiffBody& body : world_.stiff) {
      const Matrix3 A = deformation(body, state_.position);
      const bool good = A.determinant() > 0 && (!body.rigid || rigidity_error(A) < largest_rigidity_error);
      if (!good) check_.fail(fmt::format("the axes of body '{}' are invalid", world_.bodies[body.body].name));
    }
  }

  const State& state_;
  const World& world_;
  FileCheck check_;
};

}  // namespace

void require_state_fits(const State& state, const World& world, const std::string& place) {
  StateCheck(state, world, place).run();
}

}  // namespace bulwark

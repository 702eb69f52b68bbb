// The joints of a world at work: their rows as followers, their energies as terms, and what they carry.
#pragma once

#include <bulwark/sim/joint_state.hpp>
#include <bulwark/sim/world.hpp>

#include <Eigen/SparseLU>
#include <memory>
#include <set>
#include <vector>

namespace bulwark {

/// Stiffness of an equation that is held, relative to the inertia that it moves in a step: as a spring it
/// lets a body that falls freely for a step open the joint by 1/10000 of its fall; with a multiplier, it
/// leaves that part of an error from round to round. A method of the first order takes iterations in
/// proportion to its root or worse: more rounds with softer springs cost less.
inline constexpr double newton_springs = 1e4, first_order_springs = 1e2;

class JointSystem {
 public:
  /// `scale` is beta h^2 of a regular step, which stiffnesses that nobody gave are made from; `springs` is
  /// that of the equations that multipliers hold.
  JointSystem(const World& world, double scale, double springs = newton_springs);

  const std::vector<Follower>& followers() const { return elimination_.followers; }
  const std::vector<Follower>& placing() const { return placing_; }
  /// The energies of springs, motors, held equations and ranges; those with restitution damping stand apart.
  struct Energy {
    std::unique_ptr<JointEnergy> term;
    double restitution_damping = 0;
    std::vector<int> drives;  ///< into World::joint_drives
  };
  const std::vector<Energy>& energies() const { return energies_; }

  void begin_step(const State& state, double h, double time);
  /// After a drive was steered: takes over how it acts now (joint_steering.hpp).
  void renew_drive(int drive);
  /// The same of all, after the state was replaced.
  void renew_drives();
  /// Where equations with multipliers do not hold to their tolerances at q, a minimum of the objective,
  /// renews the multipliers and returns true: the minimum is to be sought again.
  bool renew_multipliers(const Vectors& q);
  /// Says once of each joint that the multipliers could not close it.
  void warn_of_open_joints(const Vectors& q);
  /// Of the coordinates that have one, 0 for the others (N or N m): for the state.
  VectorX multipliers() const;
  /// What springs and ranges hold (J); not the work of motors and damping.
  double stored_energy(const State& state) const;
  /// The coordinates' values at q, turns counted from those of `state`.
  VectorX coordinates(const State& state, const Vectors& q) const;
  /// `gradient` is that of the whole objective at q, in the controls; `scale` its factor of energies.
  std::vector<JointState> states(const State& state, const Vectors& gradient, double scale);
  /// The forces on the controls by which eliminated equations hold, from the same (N).
  Vectors equation_forces(const Vectors& gradient, double scale);

 private:
  /// A drive of the world as it acts, with the stiffness that nobody gave.
  JointDrive working_drive(int drive) const;
  /// Of the rows that were kept (N).
  VectorX row_multipliers(const Vectors& gradient, double scale);
  /// The force and torque that generalised forces on the controls of a body amount to.
  void add_reaction(int body, const Vectors& force, const Vector3& point, JointState& state,
                    double sign) const;

  const World& world_;
  double scale_, springs_;
  Elimination elimination_;
  std::vector<Follower> placing_;
  std::vector<Energy> energies_;
  /// An equation with a multiplier.
  struct Equation {
    JointEnergy* term;
    std::size_t drive;  ///< of the term
    int coordinate;
    double tolerance;
    double multiplier = 0, stiffness = 0;
    double misfit = 0;  ///< when the multiplier was renewed last
  };
  std::vector<Equation> equations_;
  std::set<int> warned_of_;  ///< joints
  Eigen::SparseLU<Eigen::SparseMatrix<double>> multipliers_;
};

}  // namespace bulwark

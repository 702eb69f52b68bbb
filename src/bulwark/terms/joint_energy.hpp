// Energies of joints: springs, motors, damping, equations and ranges of joint coordinates (stencils/
// joint_coordinate.hpp, joint_potential.hpp). A range is never left: its energy is infinite outside, and the
// step filter keeps a Newton step from jumping over it.
//
// An equation c = c0 is a spring; with a multiplier it is an augmented Lagrangian, which is the same spring
// with its target shifted:  1/2 k (c - c0)^2 + lambda (c - c0) = 1/2 k (c - (c0 - lambda / k))^2 + constant.
#pragma once

#include <bulwark/bodies/material_vector.hpp>
#include <bulwark/geometry/motion.hpp>
#include <bulwark/stencils/joint_measure.hpp>
#include <bulwark/stencils/joint_potential.hpp>
#include <bulwark/terms/drive_law.hpp>
#include <bulwark/terms/term.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// A coordinate of a joint and what it is made of.
struct JointCoordinate {
  int joint = 0;
  JointMeasure measure = JointMeasure::dot;
  MaterialVector w, u, v;

  JointVectors vectors(const Vectors& q) const;
};

/// What acts on a coordinate, and when.
struct JointDrive {
  using Law = DriveLaw;
  int coordinate = 0;
  Law law = Law::spring;
  JointPotential potential;  ///< of the laws spring and range; of motors their stiffness and largest force
  Table value;               ///< of a motor's position, speed or force over time: the first component
  double damping = 0;        ///< N s/m or N m s
};

class JointEnergy : public Term {
 public:
  JointEnergy(std::vector<JointDrive> drives, const std::vector<JointCoordinate>& coordinates);

  /// Begins a step of length h that ends at `time`, with the coordinates `start`.
  void begin(const VectorX& start, double h, double time);

  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Of ranges alone, and only against motion towards their ends.
  void damped_hessian(const Vectors& q, BlockList& blocks) const override;
  StepLimit largest_step(const ControlPath& path) override;
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

  /// What a spring's coordinate is to be at the end of the step.
  double wanted(std::size_t drive) const { return wanted_[drive]; }
  /// How far it is from that.
  double misfit(std::size_t drive, const Vectors& q) const {
    return coordinate(drive, q, near(drive)) - wanted_[drive];
  }
  /// Gives the spring of an equation a multiplier (N or N m), and another stiffness, until the next begin().
  void set_multiplier(std::size_t drive, double lambda, double stiffness) {
    now_[drive].stiffness = stiffness;
    now_[drive].target = wanted_[drive] - lambda / stiffness;
  }

  /// Adds the energy's gradient with respect to the controls of one drive.
  void add_gradient(std::size_t drive, const Vectors& q, Vectors& gradient) const;
  const std::vector<JointDrive>& drives() const { return drives_; }
  /// Has the drive follow another law or other numbers from the next begin() on; its coordinate stays.
  void set_drive(std::size_t drive, const JointDrive& now) { drives_[drive] = now; }

 private:
  /// Writes the blocks of a drive whose Hessian in (w, u, v) is h.
  void set_blocks(std::size_t drive, const Matrix9& h, BlockList& blocks) const;
  double coordinate(std::size_t drive, const Vectors& q, double near) const;
  double near(std::size_t drive) const { return start_[drives_[drive].coordinate]; }

  std::vector<JointDrive> drives_;
  std::vector<JointCoordinate> coordinates_;
  std::vector<JointPotential> now_;
  std::vector<double> wanted_;  ///< targets of this step, without multipliers
  VectorX start_;
  /// The controls of a drive's coordinate with their weights in w, u and v.
  struct Control {
    int control;
    Vector3 weight;
  };
  std::vector<std::vector<Control>> controls_;
  std::vector<Vector9> moving_;  ///< per drive: 1 for those of w, u and v that have controls, 0 for constants
  std::vector<std::size_t> first_block_;
};

}  // namespace bulwark

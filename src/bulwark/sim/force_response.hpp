// What forces on the controls of a world do to their velocities: M^-1 f for soft bodies, and the motion of a
// rigid body for stiff ones. What is held or follows a script does not answer.
#pragma once

#include <bulwark/sim/world.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace bulwark {

class ForceResponse {
 public:
  /// The world must outlive this, and keep its bodies.
  ForceResponse(const World& world, const Eigen::SparseMatrix<double>& mass);

  /// Accelerations of the controls at q under `force`.
  Vectors operator()(const Vectors& q, const Vectors& force) const;

 private:
  const World& world_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>
      soft_;  ///< the mass of soft bodies, and 1 for all others
};

}  // namespace bulwark

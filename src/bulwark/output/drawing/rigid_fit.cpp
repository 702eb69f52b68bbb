#include <bulwark/output/drawing/rigid_fit.hpp>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace bulwark {

RigidFit fit_rigid_motion(const Vectors& rest, const Vectors& moved) {
  RigidFit fit;
  if (rest.cols() == 0) return fit;
  const Vector3 rest_center = rest.rowwise().mean();
  fit.center = moved.rowwise().mean();
  const Vectors from = rest.colwise() - rest_center, to = moved.colwise() - fit.center;
  // The rotation closest to the covariance; of mirror images, the one that is no reflection.
  const Matrix3 covariance = to * from.transpose();
  const Eigen::JacobiSVD<Matrix3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vector3 signs = Vector3::Ones();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) signs.z() = -1;
  fit.rotation = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
  fit.deviation = (to - fit.rotation * from).colwise().norm().maxCoeff();
  return fit;
}

}  // namespace bulwark

#include <bulwark/integrate/stiff_motion.hpp>
#include <bulwark/sim/force_response.hpp>

#include <vector>

namespace bulwark {

ForceResponse::ForceResponse(const World& world, const Eigen::SparseMatrix<double>& mass) : world_(world) {
  std::vector<char> soft(world.control_count(), 0);
  for (int i = 0; i < world.control_count(); ++i) soft[i] = mass.coeff(i, i) > 0 ? 1 : 0;
  for (const StiffBody& body : world.stiff) {
    for (int i = body.first_control; i < body.first_control + 4; ++i) soft[i] = 0;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < mass.outerSize(); ++j) {
    if (!soft[j]) {
      entries.emplace_back(j, j, 1);
      continue;
    }
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass, j); it; ++it) {
      if (soft[it.row()]) entries.emplace_back(static_cast<int>(it.row()), j, it.value());
    }
  }
  Eigen::SparseMatrix<double> matrix(mass.rows(), mass.cols());
  matrix.setFromTriplets(entries.begin(), entries.end());
  soft_.compute(matrix);
}

Vectors ForceResponse::operator()(const Vectors& q, const Vectors& force) const {
  Vectors response = soft_.solve(Eigen::MatrixXd(force.transpose())).transpose();
  for (const StiffBody& body : world_.stiff) {
    const int p = body.first_control;
    const Matrix3 A = deformation(body, q), on_columns = force.middleCols<3>(p + 1);
    Vector3 torque = Vector3::Zero();
    for (int k = 0; k < 3; ++k) torque += A.col(k).cross(on_columns.col(k));
    response.col(p) = force.col(p) / body.mass;
    response.middleCols<3>(p + 1) = spin_under(body, A, torque);
    if (world_.scripted[p]) response.middleCols<3>(p + 1).setZero();
  }
  for (const Body& body : world_.bodies) {
    // Of a stiff body's columns, the torque's response knows what is held.
    const int count = body.is_stiff() ? 1 : body.control_count;
    for (int i = body.first_control; i < body.first_control + count; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        if ((world_.held[i] >> axis & 1) != 0) response(axis, i) = 0;
      }
    }
  }
  return response;
}

}  // namespace bulwark

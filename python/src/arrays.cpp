#include "arrays.hpp"

#include <bulwark/base/error.hpp>

namespace bulwark::python {

Vectors columns(const Rows& rows, const char* what) {
  if (rows.ndim() != 2 || rows.shape(1) != 3) {
    throw InputError(what, "this is not an array of shape (n, 3)", "give three numbers for each control");
  }
  return Eigen::Map<const Vectors>(rows.data(), 3, rows.shape(0));
}

Vector3 vector(const Rows& numbers, const char* what) {
  if (numbers.ndim() != 1 || numbers.shape(0) != 3)
    throw InputError(what, "this is not a vector", "give three numbers");
  return Eigen::Map<const Vector3>(numbers.data());
}

Matrix3 matrix(const Rows& numbers, const char* what) {
  if (numbers.ndim() != 2 || numbers.shape(0) != 3 || numbers.shape(1) != 3) {
    throw InputError(what, "this is not a 3x3 matrix", "give three rows of three numbers");
  }
  return Eigen::Map<const Matrix3>(numbers.data()).transpose();
}

}  // namespace bulwark::python

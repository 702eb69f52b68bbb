// numpy arrays over Bulwark's: columns of 3 in C++ are rows of 3 in Python, the same memory.
#pragma once

#include "running_scene.hpp"

#include <pybind11/numpy.h>

namespace bulwark::python {

/// A copy, (n, 3).
inline pybind11::array_t<double> copied(const Vectors& vectors) {
  return pybind11::array_t<double>({vectors.cols(), Eigen::Index{3}}, vectors.data());
}

/// A view, (n, 3), of an array of the running scene. It keeps the memory: of the running scene, and of the
/// arrays that a later change puts aside.
inline pybind11::array view(const std::shared_ptr<RunningScene>& scene, const Vectors& vectors,
                            bool writable) {
  struct Owner {
    std::shared_ptr<RunningScene> scene;
    std::shared_ptr<KeptArrays> kept;
  };
  const pybind11::capsule owner(new Owner{scene, scene->kept()},
                                [](void* pointer) { delete static_cast<Owner*>(pointer); });
  pybind11::array_t<double> array({vectors.cols(), Eigen::Index{3}}, vectors.data(), owner);
  if (!writable)
    pybind11::detail::array_proxy(array.ptr())->flags &= ~pybind11::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// (n, 3) numbers, copied into columns.
using Rows = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;
Vectors columns(const Rows& rows, const char* what);
Vector3 vector(const Rows& numbers, const char* what);
Matrix3 matrix(const Rows& numbers, const char* what);

inline pybind11::array_t<double> copied(const Vector3& v) {
  return pybind11::array_t<double>(3, v.data());
}

}  // namespace bulwark::python

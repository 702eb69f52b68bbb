#include <bulwark/bodies/ancf_shape.hpp>

#include <array>

namespace bulwark {
namespace {

/// Length of the cubic between two places whose slopes are by its own length.
double curve_length(const Vector3& from, const Vector3& slope_from, const Vector3& to,
                    const Vector3& slope_to) {
  double length = (to - from).norm();
  const QuadratureRule rule = interval_rule(8);
  for (int iteration = 0; iteration < 50; ++iteration) {
    double sum = 0;
    for (const QuadraturePoint& point : rule) {
      const double t = 0.5 * (1 + point.place[0]);
      const Vector3 slope = 6 * t * (1 - t) * (to - from) +
                            length * ((1 - t) * (1 - 3 * t) * slope_from + t * (3 * t - 2) * slope_to);
      sum += 0.5 * point.weight * slope.norm();
    }
    if (!(std::abs(sum - length) > 1e-15 * length)) break;
    length = sum;
  }
  return length;
}

constexpr std::array<std::array<double, 2>, 4> shell_nodes = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};

}  // namespace

ShapeFunctions ancf_beam_functions(const Vector3& size, const Vector3& parent) {
  ShapeFunctions f{VectorX(8), Vectors::Zero(3, 8)};
  const double half = size[0] / 2, v = parent[1] * size[1] / 2, w = parent[2] * size[2] / 2;
  for (int node = 0; node < 2; ++node) {
    const double sign = node == 0 ? -1 : 1, X = parent[0] * sign;
    const int slopes = 2 + 3 * node;
    f.value[node] = (2 + 3 * X - X * X * X) / 4;
    f.gradient(0, node) = sign * (3 - 3 * X * X) / 4;
    f.value[slopes] = half / 4 * sign * (X + 1) * (X + 1) * (X - 1);
    f.gradient(0, slopes) = half / 4 * (X + 1) * (3 * X - 1);
    const double share = (1 + X) / 2;
    f.value[slopes + 1] = v * share;
    f.gradient.col(slopes + 1) << v * sign / 2, size[1] / 2 * share, 0;
    f.value[slopes + 2] = w * share;
    f.gradient.col(slopes + 2) << w * sign / 2, 0, size[2] / 2 * share;
  }
  return f;
}

ShapeFunctions ancf_shell_functions(const Vector3& size, const Vector3& parent) {
  ShapeFunctions f{VectorX(16), Vectors::Zero(3, 16)};
  const double xi = parent[0], eta = parent[1], w = parent[2] * size[2] / 2;
  for (int node = 0; node < 4; ++node) {
    const double sx = shell_nodes[node][0], sy = shell_nodes[node][1], X = xi * sx, Y = eta * sy;
    const int slopes = 4 + 3 * node;
    const double bracket = 2 + X + Y - xi * xi - eta * eta;
    f.value[node] = (1 + X) * (1 + Y) * bracket / 8;
    f.gradient.col(node) << (1 + Y) * (sx * bracket + (1 + X) * (sx - 2 * xi)) / 8,
        (1 + X) * (sy * bracket + (1 + Y) * (sy - 2 * eta)) / 8, 0;
    const double L = size[0] / 16 * sx, W = size[1] / 16 * sy;
    f.value[slopes] = L * (1 + X) * (1 + X) * (X - 1) * (1 + Y);
    f.gradient.col(slopes) << L * sx * (1 + X) * (3 * X - 1) * (1 + Y), L * sy * (1 + X) * (1 + X) * (X - 1),
        0;
    f.value[slopes + 1] = W * (1 + Y) * (1 + Y) * (Y - 1) * (1 + X);
    f.gradient.col(slopes + 1) << W * sx * (1 + Y) * (1 + Y) * (Y - 1),
        W * sy * (1 + Y) * (3 * Y - 1) * (1 + X), 0;
    const double share = (1 + X) * (1 + Y) / 4;
    f.value[slopes + 2] = w * share;
    f.gradient.col(slopes + 2) << w * sx * (1 + Y) / 4, w * sy * (1 + X) / 4, size[2] / 2 * share;
  }
  return f;
}

Vector3 ancf_size(ElementType type, const Vectors& rest, double width, double height) {
  if (type == ElementType::ancf_beam)
    return {curve_length(rest.col(0), rest.col(2), rest.col(1), rest.col(5)), width, height};
  auto edge = [&](int a, int b, int axis) {
    return curve_length(rest.col(a), rest.col(4 + 3 * a + axis), rest.col(b), rest.col(4 + 3 * b + axis));
  };
  return {0.5 * (edge(0, 1, 0) + edge(3, 2, 0)), 0.5 * (edge(0, 3, 1) + edge(1, 2, 1)), height};
}

}  // namespace bulwark

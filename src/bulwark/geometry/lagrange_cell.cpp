#include <bulwark/geometry/lagrange_cell.hpp>

namespace bulwark {
namespace {

struct Factor {
  double value, slope;
};

/// The product of (p t - m) / (n - m) over m = 0 .. last without n, and its derivative.
Factor lagrange_factor(int order, int n, int last, double t) {
  Factor result{1, 0};
  for (int m = 0; m <= last; ++m) {
    if (m == n) continue;
    const double value = (order * t - m) / (n - m), slope = double(order) / (n - m);
    result = {result.value * value, result.slope * value + result.value * slope};
  }
  return result;
}

/// The factors of a node and how they depend on xi: `count` of them, of the arguments L_c or xi_c.
struct NodeFactors {
  int count;
  std::array<Factor, 4> factors;
};

NodeFactors node_factors(CellShape shape, int order, const std::array<int, 3>& place, const Vector3& xi) {
  NodeFactors result{3, {}};
  const bool hexahedron = shape == CellShape::hexahedron;
  const int axes = shape == CellShape::triangle ? 2 : 3;
  for (int c = 0; c < axes; ++c)
    result.factors[c] = lagrange_factor(order, place[c], hexahedron ? order : place[c], xi[c]);
  if (!hexahedron) {
    const int n = order - place[0] - place[1] - place[2];
    result.factors[axes] = lagrange_factor(order, n, n, 1 - xi.head(axes).sum());
    result.count = axes + 1;
  }
  return result;
}

double product_but(const NodeFactors& node, int left_out) {
  double product = 1;
  for (int c = 0; c < node.count; ++c) {
    if (c != left_out) product *= node.factors[c].value;
  }
  return product;
}

}  // namespace

VectorX lagrange_values(CellShape shape, int order, const Vector3& xi) {
  const auto nodes = lattice_nodes(shape, order);
  VectorX values(Eigen::Index(nodes.size()));
  for (std::size_t a = 0; a < nodes.size(); ++a)
    values[Eigen::Index(a)] = product_but(node_factors(shape, order, nodes[a], xi), -1);
  return values;
}

Vectors lagrange_gradients(CellShape shape, int order, const Vector3& xi) {
  const auto nodes = lattice_nodes(shape, order);
  Vectors gradients = Vectors::Zero(3, Eigen::Index(nodes.size()));
  const int axes = shape == CellShape::triangle ? 2 : 3;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    const NodeFactors node = node_factors(shape, order, nodes[a], xi);
    for (int c = 0; c < axes; ++c) {
      double slope = node.factors[c].slope * product_but(node, c);
      if (node.count > axes)
        slope -= node.factors[axes].slope * product_but(node, axes);  // L_0 falls as xi_c grows
      gradients(c, Eigen::Index(a)) = slope;
    }
  }
  return gradients;
}

}  // namespace bulwark

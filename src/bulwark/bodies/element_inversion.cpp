#include <bulwark/bodies/element_inversion.hpp>
#include <bulwark/stencils/cubic_limit.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>

namespace bulwark {
namespace {

/// A polynomial space that the determinants of a type lie in, with points that fix its members: the simplex of
/// degree degrees[0], or the cube with a degree along each axis.
struct DeterminantSpace {
  bool simplex = false;
  bool flat = false;  ///< a simplex without the third coordinate
  std::array<int, 3> degrees = {};
  Vectors samples;           ///< in [0, 1]^3, or the unit tetrahedron
  MatrixX to_bernstein;      ///< coefficients from the values at the samples
  std::vector<int> corners;  ///< samples that are corners, whose coefficients are values
};

double power(double base, int exponent) {
  double result = 1;
  for (int k = 0; k < exponent; ++k) result *= base;
  return result;
}

double binomial(int n, int k) {
  double result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

DeterminantSpace make_space(bool simplex, const std::array<int, 3>& degrees, bool is_flat = false) {
  DeterminantSpace space{simplex, is_flat, degrees, {}, {}, {}};
  std::vector<std::array<int, 3>> lattice;
  for (int i = 0; i <= degrees[0]; ++i) {
    for (int j = 0; j <= (simplex ? degrees[0] - i : degrees[1]); ++j) {
      for (int k = 0; k <= (is_flat ? 0 : simplex ? degrees[0] - i - j : degrees[2]); ++k)
        lattice.push_back({i, j, k});
    }
  }
  const auto count = static_cast<Eigen::Index>(lattice.size());
  space.samples.resize(3, count);
  for (Eigen::Index a = 0; a < count; ++a) {
    int at_ends = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int degree = simplex ? degrees[0] : degrees[axis], place = lattice[a][axis];
      space.samples(axis, a) = degree == 0 ? 0 : static_cast<double>(place) / degree;
      at_ends += place == 0 || place == degree ? 1 : 0;
    }
    const int sum = lattice[a][0] + lattice[a][1] + lattice[a][2];
    if (at_ends == 3 && (!simplex || sum == 0 || sum == degrees[0]))
      space.corners.push_back(static_cast<int>(a));
  }
  MatrixX values(count, count);
  for (Eigen::Index row = 0; row < count; ++row) {
    const Vector3 x = space.samples.col(row);
    for (Eigen::Index column = 0; column < count; ++column) {
      const auto& [i, j, k] = lattice[column];
      if (simplex) {
        const int d = degrees[0], rest = d - i - j - k;
        values(row, column) = binomial(d, i) * binomial(d - i, j) * binomial(d - i - j, k) * power(x[0], i) *
                              power(x[1], j) * power(x[2], k) * power(1 - x.sum(), rest);
      } else {
        double product = 1;
        for (int axis = 0; axis < 3; ++axis) {
          const int d = degrees[axis], place = lattice[column][axis];
          product *= binomial(d, place) * power(x[axis], place) * power(1 - x[axis], d - place);
        }
        values(row, column) = product;
      }
    }
  }
  space.to_bernstein = values.inverse();
  return space;
}

const DeterminantSpace& space_of(ElementType type) {
  const auto make = [](ElementType of) {
    if (of == ElementType::ancf_beam) return make_space(false, {4, 1, 1});
    if (of == ElementType::ancf_shell) return make_space(false, {6, 6, 2});
    const LagrangeCell cell = *lagrange_cell(of);
    if (cell.shape == CellShape::triangle) return make_space(true, {2 * (cell.order - 1), 0, 0}, true);
    if (cell.shape == CellShape::tetrahedron) return make_space(true, {3 * (cell.order - 1), 0, 0});
    const int degree = 3 * cell.order - 1;
    return make_space(false, {degree, degree, degree});
  };
  static const std::array<DeterminantSpace, 12> spaces = {
      make(ElementType::tetrahedron),   make(ElementType::tetrahedron_2), make(ElementType::tetrahedron_3),
      make(ElementType::tetrahedron_4), make(ElementType::hexahedron),    make(ElementType::hexahedron_2),
      make(ElementType::ancf_beam),     make(ElementType::ancf_shell),    make(ElementType::triangle),
      make(ElementType::triangle_2),    make(ElementType::triangle_3),    make(ElementType::triangle_4)};
  if (type == ElementType::tetrahedron) return spaces[0];
  return spaces[static_cast<std::size_t>(type) - static_cast<std::size_t>(ElementType::tetrahedron_2) + 1];
}

/// A part of the parent cell: the image of the unit tetrahedron or cube under origin + axes x.
struct ParentPart {
  Vector3 origin = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();
};

ParentPart whole_parent(ElementType type) {
  if (is_ancf(type)) return {Vector3::Constant(-1), 2 * Matrix3::Identity()};
  return {};
}

std::array<ParentPart, 2> halves(const ParentPart& part, const DeterminantSpace& space) {
  if (!space.simplex) {
    int longest = 0;
    part.axes.colwise().norm().maxCoeff(&longest);
    ParentPart first = part;
    first.axes.col(longest) *= 0.5;
    ParentPart second = first;
    second.origin += first.axes.col(longest);
    return {first, second};
  }
  std::array<Vector3, 4> corner = {part.origin, part.origin + part.axes.col(0),
                                   part.origin + part.axes.col(1), part.origin + part.axes.col(2)};
  int a = 0, b = 1;
  const int corners = space.flat ? 3 : 4;
  for (int i = 0; i < corners; ++i) {
    for (int j = i + 1; j < corners; ++j) {
      if ((corner[i] - corner[j]).norm() > (1 + 1e-9) * (corner[a] - corner[b]).norm()) {
        a = i;
        b = j;
      }
    }
  }
  const Vector3 middle = 0.5 * (corner[a] + corner[b]);
  auto with = [&](int place) {
    std::array<Vector3, 4> c = corner;
    c[place] = middle;
    ParentPart result;
    result.origin = c[0];
    result.axes << c[1] - c[0], c[2] - c[0], c[3] - c[0];
    if (space.flat) result.axes.col(2) = Vector3::UnitZ();
    return result;
  };
  return {with(b), with(a)};
}

/// Parts are cut this often at most: a fraction of 1/512 of the element.
constexpr int most_cuts = 9;
/// A bound is taken if it reaches this part of what the corners allow.
constexpr double tight_enough = 0.5;

/// Gradients of the shape functions at the samples of the whole parent, which do not depend on the element.
const std::vector<Vectors>& gradients_at_samples(ElementType type) {
  const auto make = [](ElementType of) {
    std::vector<Vectors> result;
    if (is_ancf(of)) return result;
    const LagrangeCell cell = *lagrange_cell(of);
    const DeterminantSpace& space = space_of(of);
    for (Eigen::Index a = 0; a < space.samples.cols(); ++a)
      result.push_back(lagrange_functions(cell.shape, cell.order, space.samples.col(a)).gradient);
    return result;
  };
  static const std::array<std::vector<Vectors>, 12> all = {
      make(ElementType::tetrahedron),   make(ElementType::tetrahedron_2), make(ElementType::tetrahedron_3),
      make(ElementType::tetrahedron_4), make(ElementType::hexahedron),    make(ElementType::hexahedron_2),
      make(ElementType::ancf_beam),     make(ElementType::ancf_shell),    make(ElementType::triangle),
      make(ElementType::triangle_2),    make(ElementType::triangle_3),    make(ElementType::triangle_4)};
  if (type == ElementType::tetrahedron) return all[0];
  return all[static_cast<std::size_t>(type) - static_cast<std::size_t>(ElementType::tetrahedron_2) + 1];
}

struct MovingElement {
  const ElementGeometry& geometry;
  const Vectors& x;
  const Vectors& p;
  double keep;
};

double bound_on(const MovingElement& motion, const ParentPart& part, int cuts) {
  const ElementType type = motion.geometry.type;
  const DeterminantSpace& space = space_of(type);
  const Eigen::Index count = space.samples.cols();
  const bool tabled = cuts == 0 && !is_ancf(type);
  // Rows: coefficients of 1, t, t^2, t^3 at the samples.
  MatrixX at_samples(4, count);
  const double scale = part.axes.determinant();
  for (Eigen::Index a = 0; a < count; ++a) {
    const Vectors gradient =
        tabled ? gradients_at_samples(type)[a]
               : motion.geometry.functions(part.origin + part.axes * space.samples.col(a)).gradient;
    const Matrix3 e = motion.geometry.map(motion.x, gradient), d = motion.p * gradient.transpose();
    const CubicVolume volume = cubic_volume(e, d);
    at_samples.col(a) << volume.c0, volume.c1, volume.c2, volume.c3;
  }
  at_samples *= scale;
  const MatrixX coefficients = at_samples * space.to_bernstein.transpose();
  // Coefficients carry the rounding of their sums.
  const double slack = 1e-11 * at_samples.cwiseAbs().maxCoeff();
  auto step_of = [&](Eigen::Index a) {
    const CubicVolume volume = {coefficients(0, a) - slack, coefficients(1, a), coefficients(2, a),
                                coefficients(3, a)};
    return cubic_largest_step(volume, motion.keep, 1.0);
  };
  double proven = 1, possible = 1;
  for (const int corner : space.corners) possible = std::min(possible, step_of(corner));
  for (Eigen::Index a = 0; a < count && proven > 0; ++a) proven = std::min(proven, step_of(a));
  if (proven >= 1 || possible == 0 || cuts == most_cuts || proven >= tight_enough * possible) return proven;
  double smallest = 1;
  for (const ParentPart& half : halves(part, space)) {
    smallest = std::min(smallest, bound_on(motion, half, cuts + 1));
    if (smallest == 0) break;
  }
  return smallest;
}

}  // namespace

double largest_positive_step(const ElementGeometry& geometry, const Vectors& x, const Vectors& p,
                             double keep) {
  return bound_on({geometry, x, p, keep}, whole_parent(geometry.type), 0);
}

bool is_positive(const ElementGeometry& geometry) {
  const Vectors still = Vectors::Zero(3, geometry.rest.cols());
  return largest_positive_step(geometry, geometry.rest, still, 0.2) > 0;
}

}  // namespace bulwark

#include <bulwark/base/parallel.hpp>
#include <bulwark/sim/hydroelastic_contact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace bulwark {

HydroelasticContact::HydroelasticContact(const World& world, const Settings& settings, const Derived& derived)
    : world_(world),
      settings_(settings),
      derived_(derived),
      pairs_(pairs_under(world, ContactModelKind::hydroelastic)),
      start_(world.state.position) {
  for (auto& [a, b] : pairs_) {
    if (plane_of(world, a) != nullptr) std::swap(a, b);
    for (const int body : {a, b}) {
      if (plane_of(world, body) == nullptr && !bodies_.contains(body))
        bodies_.emplace(body, pressure_body(world, body, settings.contact.hydroelastic));
    }
  }
}

std::map<int, HydroelasticContact::Placed> HydroelasticContact::placed(const Vectors& q) const {
  std::map<int, Placed> fields;
  for (const auto& [number, body] : bodies_) {
    Placed placed;
    placed.x = body.positions(q);
    const std::vector<Tetrahedron>& cells = body.field.cells;
    placed.low.resize(3, static_cast<Eigen::Index>(cells.size()));
    placed.high = placed.low;
    parallel_for(cells.size(), [&](std::size_t c) {
      const std::array<Vector3, 4> x = corners(cells[c], placed.x);
      placed.low.col(static_cast<Eigen::Index>(c)) = x[0].cwiseMin(x[1]).cwiseMin(x[2]).cwiseMin(x[3]);
      placed.high.col(static_cast<Eigen::Index>(c)) = x[0].cwiseMax(x[1]).cwiseMax(x[2]).cwiseMax(x[3]);
    });
    placed.lowest = placed.low.rowwise().minCoeff();
    placed.highest = placed.high.rowwise().maxCoeff();
    fields.emplace(number, std::move(placed));
  }
  return fields;
}

/// Pairs of tetrahedra whose boxes overlap, by a sweep along x over those in the box that the two bodies share.
std::vector<HydroelasticContact::CellPair> HydroelasticContact::near_cells(
    const std::map<int, Placed>& fields, const Vectors& vertices) const {
  std::vector<CellPair> near;
  const auto cells_in = [](const Placed& placed, const Vector3& low, const Vector3& high) {
    std::vector<int> cells;
    for (int c = 0; c < placed.low.cols(); ++c) {
      if ((placed.low.col(c).array() <= high.array()).all() &&
          (placed.high.col(c).array() >= low.array()).all())
        cells.push_back(c);
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [&](int i, int j) { return placed.low(0, i) < placed.low(0, j); });
    return cells;
  };
  for (const auto& [a, b] : pairs_) {
    const Placed& first = fields.at(a);
    if (const CollisionPlane* plane = plane_of(world_, b)) {
      const Vector3 point = vertices.col(plane->vertex);
      for (int c = 0; c < first.low.cols(); ++c) {
        // The corner of the box that is deepest behind the plane.
        Vector3 deepest;
        for (int i = 0; i < 3; ++i) deepest[i] = plane->normal[i] > 0 ? first.low(i, c) : first.high(i, c);
        if (plane->normal.dot(deepest - point) < 0) near.push_back({a, b, c, -1});
      }
      continue;
    }
    const Placed& second = fields.at(b);
    const Vector3 low = first.lowest.cwiseMax(second.lowest), high = first.highest.cwiseMin(second.highest);
    if ((low.array() > high.array()).any()) continue;
    const std::vector<int> of_a = cells_in(first, low, high), of_b = cells_in(second, low, high);
    double widest = 0;
    for (const int c : of_b) widest = std::max(widest, second.high(0, c) - second.low(0, c));
    std::size_t begin = 0;
    for (const int i : of_a) {
      while (begin < of_b.size() && second.low(0, of_b[begin]) + widest < first.low(0, i)) ++begin;
      for (std::size_t k = begin; k < of_b.size() && second.low(0, of_b[k]) <= first.high(0, i); ++k) {
        const int j = of_b[k];
        if ((first.low.col(i).array() <= second.high.col(j).array()).all() &&
            (second.low.col(j).array() <= first.high.col(i).array()).all())
          near.push_back({a, b, i, j});
      }
    }
  }
  return near;
}

PressureCell HydroelasticContact::cell_of(int body, const Placed& placed, int cell) const {
  const PressureField& field = bodies_.at(body).field;
  const Tetrahedron& t = field.cells[cell];
  return {corners(t, placed.x),
          {field.pressure[t[0]], field.pressure[t[1]], field.pressure[t[2]], field.pressure[t[3]]}};
}

std::vector<PressurePatches::Patch> HydroelasticContact::find(const Vectors& q) const {
  const std::map<int, Placed> fields = placed(q);
  const Vectors vertices = vertex_positions(world_.collision, q);
  const std::vector<CellPair> near = near_cells(fields, vertices);
  std::vector<std::optional<EqualPressure>> found(near.size());
  parallel_for(near.size(), [&](std::size_t k) {
    const CellPair& pair = near[k];
    const PressureCell a = cell_of(pair.body_a, fields.at(pair.body_a), pair.cell_a);
    if (pair.cell_b >= 0) {
      found[k] = equal_pressure(a, cell_of(pair.body_b, fields.at(pair.body_b), pair.cell_b));
    } else {
      const CollisionPlane& plane = *plane_of(world_, pair.body_b);
      found[k] = pressure_on_plane(a, vertices.col(plane.vertex), plane.normal);
    }
  });
  std::vector<PressurePatches::Patch> patches;
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (found[k]) patches.push_back(patch_of(near[k], *found[k], q));
  }
  return patches;
}

PressurePatches::Patch HydroelasticContact::patch_of(const CellPair& pair, const EqualPressure& found,
                                                     const Vectors& q) const {
  PressurePatches::Patch patch;
  patch.body_a = pair.body_a;
  patch.body_b = pair.body_b;
  std::map<int, double> sum;
  const auto add = [&](const std::vector<ControlShare>& shares, double weight) {
    for (const auto& [control, share] : shares) sum[control] += weight * share;
  };
  const PressureBody& a = bodies_.at(pair.body_a);
  for (int k = 0; k < 4; ++k) add(a.shares[a.field.cells[pair.cell_a][k]], found.weight_a[k]);
  if (pair.cell_b >= 0) {
    const PressureBody& b = bodies_.at(pair.body_b);
    for (int k = 0; k < 4; ++k) add(b.shares[b.field.cells[pair.cell_b][k]], -found.weight_b[k]);
  } else {
    const int vertex = plane_of(world_, pair.body_b)->vertex;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(world_.collision.weights, vertex); it;
         ++it)
      sum[static_cast<int>(it.col())] -= it.value();
  }
  for (const auto& [control, weight] : sum) patch.shares.push_back({control, weight});
  patch.center = found.center;
  patch.normal = found.normal;
  patch.area = found.area;
  const double slope = std::isinf(found.slope_b)
                           ? found.slope_a
                           : found.slope_a * found.slope_b / (found.slope_a + found.slope_b);
  Vector3 moved = Vector3::Zero();
  for (const auto& [control, weight] : patch.shares) moved += weight * (q.col(control) - start_.col(control));
  const double u = patch.normal.dot(moved);
  patch.pressure.stiffness = found.area * slope;
  patch.pressure.release = u + found.pressure / slope;
  patch.pressure.damping = step_.statics ? 0 : settings_.contact.hydroelastic.dissipation / step_.h;
  patch.friction.strength = friction_between(world_, pair.body_a, pair.body_b, settings_.contact.friction) *
                            pressure_patch_force(patch.pressure, u);
  patch.friction.tangent = tangent_plane(patch.normal);
  patch.smooth = step_.h * std::min(derived_.bodies[pair.body_a].static_speed,
                                    derived_.bodies[pair.body_b].static_speed);
  return patch;
}

void HydroelasticContact::begin_step(const ContactStep& step) {
  step_ = step;
  start_ = world_.state.position;
  patches_.set(find(start_), start_);
}

void HydroelasticContact::lag(const Vectors& q) {
  patches_.set(find(q), start_);
}

void HydroelasticContact::end_step(const Vectors& q, State&) {
  contacts_.clear();
  for (const PressurePatches::Patch& patch : patches_.patches()) {
    ContactForce force;
    force.body_a = patch.body_a;
    force.body_b = patch.body_b;
    force.normal_force = patches_.normal_force(patch, q);
    if (force.normal_force.isZero(0)) continue;
    force.friction_force = patches_.friction_force(patch, q);
    force.position = patch.center;
    force.distance = patch.normal.dot(patches_.displacement(patch, q)) - patch.pressure.release;
    force.area = patch.area;
    contacts_.push_back(force);
  }
  forces_ = Vectors::Zero(3, world_.control_count());
  patches_.add_gradient(q, forces_);
  forces_ = -forces_;
}

void HydroelasticContact::restored() {
  contacts_.clear();
  forces_.resize(3, 0);
}

void HydroelasticContact::add_control_forces(Vectors& forces) const {
  if (forces_.cols() == forces.cols()) forces += forces_;
}

}  // namespace bulwark

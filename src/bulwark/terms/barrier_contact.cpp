#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <limits>

namespace bulwark {

BarrierContact::BarrierContact(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                               StepFilter filter, BarrierRange range, Profile& profile,
                               std::function<std::string(int)> describe)
    : mesh_(mesh),
      filter_(std::move(filter)),
      range_(range),
      profile_(profile),
      describe_(std::move(describe)),
      stiff_blocks_(mesh, stiff) {}

void BarrierContact::prepare(const Vectors& q) {
  if (prepared_.cols() == q.cols() && prepared_ == q) return;
  prepared_ = q;
  positions_ = bulwark::vertex_positions(mesh_, q);
  filter_.cover(positions_);
  ScopedPhase phase(profile_, Phase::contact);
  contacts_ = find_contacts(mesh_, positions_, filter_.candidates(), filter_.near(positions_), range_);
  closest_.resize(contacts_.size());
  parallel_for(contacts_.size(),
               [&](std::size_t k) { closest_[k] = closest_points(contacts_[k], positions_); });
  min_distance_ = std::numeric_limits<double>::infinity();
  for (const ClosestPoints& c : closest_) min_distance_ = std::min(min_distance_, c.squared_distance());
  min_distance_ = std::sqrt(min_distance_);
}

double BarrierContact::energy(const Vectors& q) {
  if (measured_.cols() == q.cols() && measured_ == q) return stiffness_ * measured_sum_;
  ScopedPhase phase(profile_, Phase::contact);
  const Vectors positions = bulwark::vertex_positions(mesh_, q);
  filter_.cover(positions);
  measured_sum_ = barrier_sum(mesh_, positions, filter_.candidates(), filter_.near(positions), range_);
  measured_ = q;
  return stiffness_ * measured_sum_;
}

namespace {

Vector12 pair_gradient(const ContactPair& pair, const ClosestPoints& c, const Vectors& positions,
                       const BarrierRange& range) {
  if (!pair.mollified) return pair.multiplicity * contact_gradient(c, range);
  std::array<Vector3, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = positions.col(pair.vertex[i]);
  return pair.multiplicity * mollified_contact_gradient(x.data(), c, pair.mollifier_threshold, range);
}

Matrix12 pair_hessian(const ContactPair& pair, const ClosestPoints& c, const Vectors& positions,
                      const BarrierRange& range, Psd psd) {
  if (!pair.mollified) return pair.multiplicity * contact_hessian(c, range, psd);
  std::array<Vector3, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = positions.col(pair.vertex[i]);
  return pair.multiplicity * mollified_contact_hessian(x.data(), c, pair.mollifier_threshold, range, psd);
}

}  // namespace

Vectors BarrierContact::unit_vertex_gradient() const {
  std::vector<Vector12> gradients(contacts_.size());
  parallel_for(contacts_.size(), [&](std::size_t k) {
    gradients[k] = pair_gradient(contacts_[k], closest_[k], positions_, range_);
  });
  Vectors sum = Vectors::Zero(3, mesh_.vertex_count());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    for (int i = 0; i < contacts_[k].vertices(); ++i) {
      sum.col(contacts_[k].vertex[i]) += gradients[k].segment<3>(3 * i);
    }
  }
  return sum;
}

void BarrierContact::add_gradient(const Vectors&, Vectors& gradient) {
  if (!contacts_.empty()) add_vertex_gradient(mesh_, unit_vertex_gradient(), stiffness_, gradient);
}

namespace {

/// The Hessian of a contact of stiff bodies, and of a damped one, in the difference of its two points: the
/// barrier's curvature along the normal. What is left out bends the normal, with a force over a distance of
/// the bodies' size, where this has the force over a part of the contact distance.
Matrix3 stiff_pair_hessian(const ContactPair& pair, const ClosestPoints& c, const BarrierRange& range) {
  const double D = range.argument(c.squared_distance());
  const double curvature = 4 * barrier_second_derivative(D, range.end()) * c.squared_distance() +
                           2 * barrier_first_derivative(D, range.end());
  const double factor = pair.multiplicity * std::max(curvature, 0.0) / c.squared_distance();
  return factor * c.r * c.r.transpose();
}

}  // namespace

void BarrierContact::hessian(const Vectors& q, Psd psd, const BlockMap& map, HessianBlocks& blocks) {
  std::vector<std::size_t> soft, stiff;
  std::vector<std::array<int, 2>> bodies;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ContactPair& c = contacts_[k];
    if (stiff_blocks_.takes(c.vertex.data(), c.vertices())) {
      stiff.push_back(k);
      bodies.push_back(stiff_blocks_.sides(c.vertex[0], c.second_side()));
    } else {
      soft.push_back(k);
    }
  }
  fill_vertex_blocks(
      mesh_, soft.size(),
      [&](std::size_t k) {
        const ContactPair& c = contacts_[soft[k]];
        return std::pair<const int*, int>(c.vertex.data(), c.vertices());
      },
      [&](std::size_t k) {
        return Matrix12(stiffness_ *
                        pair_hessian(contacts_[soft[k]], closest_[soft[k]], positions_, range_, psd));
      },
      blocks.controls);
  // Hard impacts need the bending of the normals too; the cheap Hessian stalls there.
  constexpr int quick_iterations = 15;
  const bool thorough = ++iterations_ > quick_iterations;
  stiff_blocks_.begin(q, map, bodies, blocks.unknowns);
  for (const std::size_t k : stiff) {
    const ContactPair& c = contacts_[k];
    if (c.mollified || thorough) {
      // The mollifier makes the energy depend on the angle between the edges: no single normal tells it.
      stiff_blocks_.add(c.vertex.data(), c.vertices(),
                        stiffness_ * pair_hessian(c, closest_[k], positions_, range_, psd));
    } else {
      stiff_blocks_.add(c.vertex.data(), c.vertices(), closest_[k].weight,
                        stiffness_ * stiff_pair_hessian(c, closest_[k], range_));
    }
  }
}

void BarrierContact::damped_hessian(const Vectors&, BlockList& blocks) {
  damped_.resize(contacts_.size());
  parallel_for(contacts_.size(), [&](std::size_t k) {
    const ContactPair& c = contacts_[k];
    const double damping =
        mesh_.contact_damping(mesh_.vertex_body[c.vertex[0]], mesh_.vertex_body[c.second_side()]);
    damped_[k] = {c, closest_[k].weight,
                  damping * stiffness_ * mollifier(c) * stiff_pair_hessian(c, closest_[k], range_)};
  });
  fill_vertex_blocks(
      mesh_, damped_.size(),
      [&](std::size_t k) {
        return std::pair<const int*, int>(damped_[k].pair.vertex.data(), damped_[k].pair.vertices());
      },
      [&](std::size_t k) {
        const Eigen::Vector4d& w = damped_[k].weight;
        Matrix12 all;
        for (int i = 0; i < 4; ++i) {
          for (int j = 0; j < 4; ++j) all.block<3, 3>(3 * i, 3 * j) = w[i] * w[j] * damped_[k].resistance;
        }
        return all;
      },
      blocks);
}

/// The way of the collision mesh's vertices: V = W q, where turns act alike on all points of a body.
VertexPath BarrierContact::vertex_path(const ControlPath& path) const {
  VertexPath result;
  result.from = bulwark::vertex_positions(mesh_, path.from);
  result.straight = bulwark::vertex_positions(mesh_, path.step);
  if (path.turns.empty()) return result;
  result.turn_of_body.assign(mesh_.bodies.size(), -1);
  for (const Turn& turn : path.turns) {
    result.turn_of_body[turn.body] = static_cast<int>(result.turns.size());
    result.turns.push_back(
        {path.from.col(turn.first_control), path.step.col(turn.first_control), turn.rotation});
  }
  parallel_for(static_cast<std::size_t>(mesh_.vertex_count()), [&](std::size_t v) {
    const BodyPath* turn = result.turn_of(mesh_, static_cast<int>(v));
    if (turn == nullptr) return;
    result.straight.col(v) -= turn->rotation.cross(Vector3(result.from.col(v)) - turn->center);
  });
  return result;
}

StepLimit BarrierContact::largest_step(const ControlPath& path) {
  const CollisionLimit limit = filter_.largest_step(vertex_path(path));
  if (limit.vertex_a < 0) return {};
  return {limit.step,
          fmt::format("{} ({} / {})", limit.pair, describe_(limit.vertex_a), describe_(limit.vertex_b))};
}

double BarrierContact::mollifier(const ContactPair& contact) const {
  if (!contact.mollified) return 1;
  std::array<Vector3, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = positions_.col(contact.vertex[i]);
  return edge_mollifier(x.data(), contact.mollifier_threshold);
}

double BarrierContact::normal_force(const ContactPair& contact) const {
  return contact.multiplicity * mollifier(contact) * stiffness_ *
         barrier_force(closest_points(contact, positions_).squared_distance(), range_);
}

}  // namespace bulwark

#include <bulwark/base/error.hpp>
#include <bulwark/collision/wall_thickness.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/patch_penalty.hpp>
#include <bulwark/sim/statics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bulwark {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
/// How deep bodies may overlap, as a part of the shortest side of the box
/// around the thinner one: deeper, a face's far side would be as near as the
/// face itself.
constexpr double deepest_overlap = 0.1;
/// Margin of a body at rest, as a part of that depth.
constexpr double least_margin = 0.05;
/// The largest margin, as a part of its size.
constexpr double most_margin = 0.1;

/// The fastest of a body's vertices.
double speed_of(const World& world, const std::vector<int>& vertices) {
  double squared = 0;
  for (const int v : vertices) {
    Vector3 velocity = Vector3::Zero();
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(world.collision.weights, v); it; ++it)
      velocity += it.value() * world.state.velocity.col(it.col());
    squared = std::max(squared, velocity.squaredNorm());
  }
  return std::sqrt(squared);
}

bool is_scripted(const World& world, const Body& body) {
  const auto first = world.scripted.begin() + body.first_control;
  return std::all_of(first, first + body.control_count, [](char scripted) { return scripted != 0; });
}

double patch_radius(const ContactPatch& patch) {
  return std::sqrt(patch.area / std::numbers::pi);
}

/// The part of a vector across the normal, as long as the whole.
Vector3 turned_across(const Vector3& v, const Vector3& normal) {
  const Vector3 across = v - normal.dot(v) * normal;
  const double length = across.norm();
  return length > 0 ? Vector3(v.norm() / length * across) : Vector3(0, 0, 0);
}

std::vector<double> depth_limits(const World& world) {
  std::vector<double> limit(world.bodies.size(), unlimited);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    if (body.vertex_count == 0 || !patch_penalty_refusal(world, static_cast<int>(b)).empty()) continue;
    if (body.vertex_count == 1) continue;  // a plane
    const auto rest = world.collision.rest.middleCols(body.first_vertex, body.vertex_count);
    limit[b] = deepest_overlap * (rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).minCoeff();
  }
  return limit;
}

/// The walls of bodies that may be hollow, as far as they limit how deep others may be in them.
std::vector<double> walls_of(const World& world, const std::vector<double>& depth_limit) {
  std::vector<double> farthest = depth_limit;
  for (double& f : farthest) f *= 2;
  return wall_thickness(world.collision, world.collision.rest, farthest);
}

/// How far beyond its margin a body looks for others: half of how deep any pair
/// of its may overlap.
std::vector<double> reach_beyond(const OverlapSearch& search, const std::vector<double>& depth_limit) {
  std::vector<double> reach(depth_limit.size(), 0);
  for (const auto& [a, b] : search.body_pairs()) {
    const double depth = std::min(depth_limit[a], depth_limit[b]);
    if (!std::isfinite(depth)) continue;
    for (const int body : {a, b}) reach[body] = std::max(reach[body], 0.5 * depth);
  }
  return reach;
}

VectorX inverse_masses(const World& world) {
  VectorX mass = VectorX::Zero(world.control_count());
  for (const Eigen::Triplet<double>& entry : world.mass_entries) {
    if (entry.row() == entry.col()) mass[entry.row()] += entry.value();
  }
  VectorX inverse = VectorX::Zero(mass.size());
  for (Eigen::Index c = 0; c < mass.size(); ++c) {
    if (mass[c] > 0 && !world.scripted[c]) inverse[c] = 1 / mass[c];
  }
  return inverse;
}

/// The settings of a pair: its own, and what it leaves to the scene.
PatchPenaltySettings settings_of(const World& world, const PatchPenaltySettings& scene, int a, int b) {
  const auto found = world.patch_pairs.find({a, b});
  return found == world.patch_pairs.end() ? scene : found->second.over(scene);
}

double distance_of(const ContactPatch& patch, const PatchMemory& old) {
  return (patch.point - old.point).norm();
}

bool may_be(const ContactPatch& patch, const PatchMemory& old) {
  return distance_of(patch, old) <= patch_radius(patch) + old.radius + old.moved;
}

}  // namespace

std::vector<double> PatchMemory::values() const {
  return {point[0], point[1], point[2], radius, moved, slip[0], slip[1], slip[2], slides ? 1.0 : 0.0};
}

PatchMemory PatchMemory::of(const std::vector<double>& v) {
  constexpr std::size_t count = 9;
  if (v.size() != count)
    throw InputError("the state to go on from",
                     fmt::format("a contact patch remembers {} numbers, not {}", v.size(), count),
                     "start over, without --resume");
  return {{v[0], v[1], v[2]}, v[3], v[4], {v[5], v[6], v[7]}, v[8] != 0, false};
}

std::string patch_penalty_refusal(const World& world, int index) {
  const Body& body = world.bodies[index];
  const CollisionMesh& mesh = world.collision;
  for (const CollisionPlane& plane : mesh.planes) {
    if (plane.body == index) return "";
  }
  SurfaceMesh surface;
  const int end = body.first_vertex + body.vertex_count;
  for (int v = body.first_vertex; v < end; ++v) {
    if (mesh.radius_of(v) > 0)
      return "its surface has a radius, and patches are of triangles alone (a shape without: \"round\": false)";
  }
  surface.vertices = mesh.rest.middleCols(body.first_vertex, body.vertex_count);
  for (const Triangle& t : mesh.triangles) {
    if (t[0] < body.first_vertex || t[0] >= end) continue;
    surface.triangles.push_back(
        {t[0] - body.first_vertex, t[1] - body.first_vertex, t[2] - body.first_vertex});
  }
  if (surface.triangles.empty()) return "it has no triangles";
  if (!is_closed(surface)) return "its surface is not closed, so that nothing can be inside of it";
  return "";
}

PatchPenalty::PatchPenalty(const World& world, const Settings& settings, const Derived& derived)
    : world_(world),
      settings_(settings),
      derived_(derived),
      depth_limit_(depth_limits(world)),
      walls_(walls_of(world, depth_limit_)),
      inverse_mass_(inverse_masses(world)),
      search_(world.collision, pairs_under(world, ContactModelKind::patch_penalty)),
      ahead_(settings.contact.patch_penalty.detection_ahead.value_or(default_detection_ahead)),
      patches_(world.collision),
      resistance_(world.collision, world.stiff, [this](int a, int b) {
        const Body &first = world_.bodies[a], &second = world_.bodies[b];
        return ResistanceCoefficients{std::max(first.rolling_resistance, second.rolling_resistance),
                                      std::max(first.spinning_resistance, second.spinning_resistance)};
      }) {
  if (is_static(settings)) {
    throw InputError("/contact/model",
                     "patch-penalty needs motion: in statics bodies are apart until they "
                     "overlap",
                     "use the barrier, or an integrator with time (`time.integrator`)");
  }
  for (const auto& [a, b] : search_.body_pairs()) {
    if (settings_of(world, settings.contact.patch_penalty, a, b).has_stiffness()) continue;
    throw InputError("/contact/patch_penalty",
                     fmt::format("the contact of \"{}\" and \"{}\" has no stiffness", world.bodies[a].name,
                                 world.bodies[b].name),
                     "give one of `young`, `stiffness` and `area_stiffness`");
  }
  DetectionOptions options = settings.contact.detection_delays;
  options.ahead = ahead_;
  detection_ = std::make_unique<DetectionAhead>(search_, reach_beyond(search_, depth_limit_), options);
  restored();
}

const PatchLaw& PatchPenalty::law_of(const ContactPatch& patch) {
  const auto [place, is_new] = laws_.try_emplace({patch.body_a, patch.body_b});
  if (!is_new) return place->second;
  const PatchPenaltySettings settings =
      settings_of(world_, settings_.contact.patch_penalty, patch.body_a, patch.body_b);
  int yielding = 0;
  double inverse_mass = 0;
  for (const int b : {patch.body_a, patch.body_b}) {
    const Body& body = world_.bodies[b];
    if (body.is_obstacle()) continue;
    ++yielding;
    if (!is_scripted(world_, body)) inverse_mass += 1 / mass_of(world_, body);
  }
  PatchLaw law = patch_law(settings, yielding);
  law.mass = inverse_mass > 0 ? 1 / inverse_mass : unlimited;
  law.sliding = friction_between(world_, patch.body_a, patch.body_b, settings_.contact.friction);
  law.sticking = std::max(law.sliding, settings.static_friction.value_or(law.sliding));
  return place->second = law;
}

double PatchPenalty::static_speed(const ContactPatch& patch) const {
  return std::min(derived_.bodies[patch.body_a].static_speed, derived_.bodies[patch.body_b].static_speed);
}

std::vector<double> PatchPenalty::margins(double h) const {
  std::vector<double> margin(world_.bodies.size(), 0);
  // From an order to the end of its result's use.
  const double time = 2 * ahead_ * h;
  for (const int b : search_.bodies()) {
    margin[b] = time * speed_of(world_, search_.vertices(b));
    if (world_.bodies[b].is_obstacle()) continue;
    margin[b] += 0.5 * time * time * settings_.gravity.norm();
    if (std::isfinite(depth_limit_[b])) margin[b] += least_margin * depth_limit_[b];
    // A body that is so fast that others are near it everywhere is looked at more often instead.
    margin[b] = std::min(margin[b], most_margin * derived_.bodies[b].length);
  }
  return margin;
}

void PatchPenalty::begin_step(const ContactStep& step) {
  step_ = step;
  const State& state = world_.state;
  const Vectors positions = vertex_positions(world_.collision, state.position);
  const TrianglePairs& pairs = detection_->pairs(positions, [this] { return margins(step_.h); });
  patches_.set_patches(contact_patches(world_.collision, positions, pairs, depth_limit_, walls_),
                       state.position);
  remember();
  const Vectors expected = state.position + step.h * state.velocity;
  find_stiff_steps();
  for (std::size_t p = 0; p < patches_.patches().size(); ++p) set_spring(p, expected);
  resistance_.expect(expected_turns(world_.stiff, state.position, state.velocity, expected, step.h), step.h);
  resist_rolling(expected);
}

/// Finds the patches of the step before again. An old one goes on in the
/// nearest new one; of a new one that none went on in, a part has split off
/// from the nearest old one. What goes on in the same patch is averaged by
/// areas.
void PatchPenalty::remember() {
  const std::vector<ContactPatch>& patches = patches_.patches();
  memory_.assign(patches.size(), {});
  std::vector<double> weight(patches.size(), 0), largest(patches.size(), 0);
  struct Old {
    int body_a, body_b;
    PatchMemory memory;
  };
  std::vector<Old> olds;
  for (const ContactHistory& item : world_.state.contact_history) {
    if (item.model == kind()) olds.push_back({item.body_a, item.body_b, PatchMemory::of(item.values)});
  }
  // By bodies, each in their order.
  std::map<std::pair<int, int>, std::vector<std::size_t>> patches_of;
  std::map<std::pair<int, int>, std::vector<const PatchMemory*>> olds_of;
  for (std::size_t p = 0; p < patches.size(); ++p)
    patches_of[{patches[p].body_a, patches[p].body_b}].push_back(p);
  for (const Old& old : olds) olds_of[{old.body_a, old.body_b}].push_back(&old.memory);
  for (const Old& old : olds) {
    std::size_t nearest = patches.size();
    for (const std::size_t p : patches_of[{old.body_a, old.body_b}]) {
      if (!may_be(patches[p], old.memory)) continue;
      if (nearest == patches.size() ||
          distance_of(patches[p], old.memory) < distance_of(patches[nearest], old.memory))
        nearest = p;
    }
    if (nearest == patches.size()) continue;
    const double area = old.memory.radius * old.memory.radius;
    memory_[nearest].slip += area * old.memory.slip;
    if (area > largest[nearest]) {
      largest[nearest] = area;
      memory_[nearest].slides = old.memory.slides;
    }
    weight[nearest] += area;
  }
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (weight[p] > 0) {
      memory_[p].slip /= weight[p];
      memory_[p].is_new = false;
    } else {
      const PatchMemory* nearest = nullptr;
      for (const PatchMemory* old : olds_of[{patches[p].body_a, patches[p].body_b}]) {
        if (!may_be(patches[p], *old)) continue;
        if (nearest == nullptr || distance_of(patches[p], *old) < distance_of(patches[p], *nearest))
          nearest = old;
      }
      if (nearest != nullptr) {
        memory_[p].slip = nearest->slip;
        memory_[p].slides = nearest->slides;
        memory_[p].is_new = false;
      }
    }
    memory_[p].slip = turned_across(memory_[p].slip, patches[p].normal);
  }
}

/// All patches of a stiff body push it together.
void PatchPenalty::find_stiff_steps() {
  const std::vector<ContactPatch>& patches = patches_.patches();
  std::vector<double> alone(patches.size());
  std::map<int, double> of_body;
  const auto moves_whole = [&](int b) {
    return world_.bodies[b].is_stiff() && !is_scripted(world_, world_.bodies[b]);
  };
  for (std::size_t p = 0; p < patches.size(); ++p) {
    alone[p] = step_.force_scale * step_.h * step_.h * law_of(patches[p]).tangent(patches[p]) *
               patches_.largest_mode(p, inverse_mass_);
    for (const int b : {patches[p].body_a, patches[p].body_b}) {
      if (moves_whole(b)) of_body[b] += alone[p];
    }
  }
  stiff_steps_ = alone;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    for (const int b : {patches[p].body_a, patches[p].body_b}) {
      if (moves_whole(b)) stiff_steps_[p] = std::max(stiff_steps_[p], of_body[b]);
    }
  }
}

void PatchPenalty::set_spring(std::size_t p, const Vectors& expected) {
  const ContactPatch& patch = patches_.patches()[p];
  const PatchLaw& law = law_of(patch);
  const double h = step_.h;
  PatchSpring& spring = patches_.spring(p);
  spring.normal = patch.normal;
  spring.force = law.force(patch);
  // How much of the force's change in the step counts in it. Where the step
  // resolves the vibration, what neither damps nor drives it; where it does
  // not, nearly all, for a contact that throws nothing back faster than it
  // came.
  const double tangent = law.tangent(patch);
  const double z = stiff_steps_[p];
  const double part = std::max(step_.neutral, z > 1 ? 1 - 1 / z : 0.0);
  // To count more than the neutral part damps like a dashpot of h times the
  // stiffness: so much less is needed.
  const double dashpot = std::max(0.0, law.resistance(patch) - (part - step_.neutral) * h * tangent);
  constexpr double least_stiffness = 1e-9;
  spring.stiffness = std::max(part, least_stiffness) * tangent + dashpot / h;
  spring.traction = law.tangential_stiffness(patch) * memory_[p].slip;
  spring.tangential_stiffness = law.tangential_stiffness(patch);
  const Vector3 u = patches_.acting(p, expected).displacement;
  const Vector3 across = u - patch.normal.dot(u) * patch.normal;
  if (memory_[p].is_new) memory_[p].slides = across.norm() > static_speed(patch) * h;
  // The tangential spring counts with all of its change, which damps like a
  // dashpot of h k_t.
  spring.drag = memory_[p].slides
                    ? 0
                    : std::max(0.0, law.tangential_resistance(patch) / h - spring.tangential_stiffness);
  set_limit(p, patch_normal_force(spring, u));
}

/// Coulomb's limit by a normal force.
void PatchPenalty::set_limit(std::size_t p, double normal_force) {
  const PatchLaw& law = law_of(patches_.patches()[p]);
  patches_.spring(p).limit = (memory_[p].slides ? law.sliding : law.sticking) * normal_force;
}

void PatchPenalty::resist_rolling(const Vectors& q) {
  std::vector<RollingContact> contacts;
  for (std::size_t p = 0; p < patches_.patches().size(); ++p) {
    const ContactPatch& patch = patches_.patches()[p];
    contacts.push_back(
        {patch.body_a, patch.body_b, patch.normal, patches_.acting(p, q).normal, 0, static_speed(patch)});
  }
  resistance_.lag(contacts);
}

void PatchPenalty::lag(const Vectors& q) {
  for (std::size_t p = 0; p < patches_.patches().size(); ++p) set_limit(p, patches_.acting(p, q).normal);
  resist_rolling(q);
}

void PatchPenalty::end_step(const Vectors& q, State& state) {
  std::vector<ContactHistory> history;
  contacts_.clear();
  for (std::size_t p = 0; p < patches_.patches().size(); ++p) {
    const ContactPatch& patch = patches_.patches()[p];
    const PatchLaw& law = law_of(patch);
    const PatchSpring& spring = patches_.spring(p);
    const PatchContact::Acting acting = patches_.acting(p, q);
    const Vector3 u = acting.displacement - patch.normal.dot(acting.displacement) * patch.normal;
    PatchMemory memory = memory_[p];
    memory.point = patch.point;
    memory.radius = patch_radius(patch);
    memory.moved = std::max(acting.moved[0].norm(), acting.moved[1].norm());
    memory.slip += u;
    const Vector3 trial = patch_trial_traction(spring, u);
    const double stiffness = law.tangential_stiffness(patch);
    // What breaks loose goes by the length of the spring, without the drag, and
    // by the normal force that acted: the limit was that of the one that was
    // expected.
    const bool slips = trial.norm() > spring.limit;
    const bool breaks =
        slips && trial.norm() > (memory_[p].slides ? law.sliding : law.sticking) * acting.normal;
    // A patch that slides sticks again when it comes to rest or turns back, not
    // when its normal force grows.
    memory.slides = breaks || (memory.slides && u.dot(trial) > 0 && u.norm() > static_speed(patch) * step_.h);
    if (slips) {
      const double held = breaks ? law.sliding * acting.normal : spring.limit;
      memory.slip = held / stiffness * trial.normalized();
    }
    history.push_back({kind(), patch.body_a, patch.body_b, memory.values()});
    ContactForce force;
    force.body_a = patch.body_a;
    force.body_b = patch.body_b;
    force.position = patch.point;
    force.normal_force = acting.normal * patch.normal;
    force.friction_force = -acting.traction;
    force.distance = -patch.depth;
    force.area = patch.area;
    contacts_.push_back(force);
  }
  put_history(state, kind(), std::move(history));
  Vectors gradient = Vectors::Zero(3, q.cols());
  for (const Term* term : {static_cast<const Term*>(&patches_), static_cast<const Term*>(&resistance_)})
    term->add_gradient(q, gradient);
  control_forces_ = -gradient;
}

void PatchPenalty::restored() {
  detection_->forget();
  patches_.clear();
  resistance_.lag(std::vector<RollingContact>());
  contacts_.clear();
  control_forces_ = Vectors::Zero(3, world_.control_count());
}

}  // namespace bulwark

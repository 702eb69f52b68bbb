#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <Eigen/Geometry>

#include <limits>
#include <set>
#include <utility>

namespace bulwark {

BarrierContact::BarrierContact(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                               StepFilter filter, const ContactScales& scales, Profile& profile)
    : mesh_(mesh),
      faces_(mesh),
      areas_(scales.per_area() ? ContactAreas(mesh, faces_) : ContactAreas()),
      filter_(std::move(filter)),
      scales_(scales),
      profile_(profile),
      stiff_blocks_(mesh, stiff) {}

void BarrierContact::ContactList::append(const ContactList& other, std::size_t k) {
  contacts.push_back(other.contacts[k]);
  closest.push_back(other.closest[k]);
  barrier.push_back(other.barrier[k]);
  mollifier.push_back(other.mollifier[k]);
}

void BarrierContact::focus(const BlockMap& map, bool everything_moves) {
  std::vector<char> moving = everything_moves ? std::vector<char>() : moving_bodies(mesh_, map);
  // What stood still is where it was: its contacts only change lists.
  const ContactList before = std::move(now_), still = std::exchange(still_, {});
  static_cast<ContactList&>(now_) = {};
  still_distance_ = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0, b = 0; a < before.contacts.size() || b < still.contacts.size();) {
    const bool first =
        b == still.contacts.size() ||
        (a < before.contacts.size() && is_before(mesh_, before.contacts[a], still.contacts[b]));
    const ContactList& list = first ? before : still;
    const std::size_t k = first ? a++ : b++;
    const ContactPair& c = list.contacts[k];
    if (everything_moves || moving[mesh_.vertex_body[c.vertex[0]]] ||
        moving[mesh_.vertex_body[c.second_side()]]) {
      now_.append(list, k);
    } else {
      still_.append(list, k);
      still_distance_ = std::min(still_distance_, std::sqrt(list.closest[k].squared_distance()) - c.offset);
    }
  }
  now_.sum_up();
  trial_.forget();
  filter_.set_moving(std::move(moving));
}

void BarrierContact::Measured::sum_up() {
  // One by one: contacts have one order, whatever candidates they come from, and so the sum has one value.
  energy = 0;
  min_distance = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    energy += contact_energy(barrier[k], contacts[k].weight() * mollifier[k]);
    min_distance = std::min(min_distance, std::sqrt(closest[k].squared_distance()) - contacts[k].offset);
  }
}

void BarrierContact::prepare(const Vectors& q) {
  if (now_.is_at(q)) return;
  if (trial_.is_at(q)) {
    std::swap(now_, trial_);
  } else {
    measure(q, now_);
  }
}

void BarrierContact::scales_changed(const Vectors& q, bool ranges_too) {
  trial_.forget();
  if (ranges_too || !now_.is_at(q)) {
    now_.forget();
    return prepare(q);
  }
  for (ContactList* list : {static_cast<ContactList*>(&now_), &still_}) {
    for (ContactPair& c : list->contacts)
      c.stiffness =
          scales_.stiffness(mesh_.vertex_body[c.vertex[0]], mesh_.vertex_body[c.second_side()], c.offset);
  }
  now_.sum_up();
}

double BarrierContact::largest_stiffness() const {
  double largest = 0;
  for (const ContactPair& c : now_.contacts) {
    const double half_way = c.range.minimum_distance + 0.5 * c.range.distance;
    const double unit = scales_.per_area() ? barrier_force(half_way * half_way, c.range) : 1;
    largest = std::max(largest, c.stiffness * unit);
  }
  return largest;
}

double BarrierContact::body_gap(int body_a, int body_b) const {
  return filter_.body_gap(now_.positions, body_a, body_b);
}

std::vector<NearBodies> BarrierContact::close_bodies() const {
  std::set<std::pair<int, int>> pairs;
  for (const BodyGroup& group : filter_.candidates().groups) pairs.insert({group.body_a, group.body_b});
  for (const PointPlaneCandidate& c : filter_.candidates().point_plane)
    pairs.insert(std::minmax(mesh_.vertex_body[c.point], mesh_.planes[c.plane].body));
  std::vector<NearBodies> close;
  for (const auto& [a, b] : pairs) {
    if (a == b) continue;
    const double gap = body_gap(a, b);
    if (gap > 0 && gap < scales_.full_range(a, b).distance) close.push_back({a, b, gap});
  }
  return close;
}

double BarrierContact::energy(const Vectors& q) const {
  if (now_.is_at(q)) return now_.energy;
  if (!trial_.is_at(q)) measure(q, trial_);
  return trial_.energy;
}

void BarrierContact::measure(const Vectors& q, Measured& m) const {
  m.controls = q;
  m.positions = bulwark::vertex_positions(mesh_, q);
  filter_.cover(m.positions);
  ScopedPhase phase(profile_, Phase::contact);
  m.contacts = find_contacts(mesh_, faces_, m.positions, filter_.candidates(), filter_.near(m.positions),
                             scales_, areas_);
  m.closest.resize(m.contacts.size());
  m.barrier.resize(m.contacts.size());
  m.mollifier.assign(m.contacts.size(), 1);
  parallel_for(m.contacts.size(), [&](std::size_t k) {
    const ContactPair& c = m.contacts[k];
    m.closest[k] = closest_points(c, m.positions);
    m.barrier[k] = c.kind == PairKind::point_plane ? plane_barrier(m.closest[k], c.plane_normal, c.range)
                                                   : normal_barrier(m.closest[k].squared_distance(), c.range);
    if (c.mollified)
      m.mollifier[k] = edge_mollifier(positions_of(c.vertex, m.positions).data(), c.mollifier_threshold);
  });
  m.sum_up();
}

Matrix12 BarrierContact::vertex_hessian(std::size_t contact, Psd psd) const {
  const ContactPair& c = now_.contacts[contact];
  const SlidingPoints sliding = sliding_points(c, now_.positions);
  const double factor = c.weight();
  if (factor < 0) return -factor * contact_hessian(sliding, c.range, psd, -1);
  if (!c.mollified) return factor * contact_hessian(sliding, c.range, psd);
  const auto x = positions_of(c.vertex, now_.positions);
  return factor * mollified_contact_hessian(x.data(), sliding, c.mollifier_threshold, c.range, psd);
}

Vector12 BarrierContact::gradient_of(std::size_t k) const {
  const ContactPair& c = now_.contacts[k];
  if (!c.mollified) return contact_gradient(now_.closest[k], now_.barrier[k], c.weight());
  const auto x = positions_of(c.vertex, now_.positions);
  return mollified_contact_gradient(x.data(), now_.closest[k], c.mollifier_threshold, now_.barrier[k],
                                    c.weight());
}

Vectors BarrierContact::vertex_gradient() const {
  std::vector<Vector12> gradient(now_.contacts.size());
  parallel_for(gradient.size(), [&](std::size_t k) { gradient[k] = gradient_of(k); });
  Vectors sum = Vectors::Zero(3, mesh_.vertex_count());
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    for (int i = 0; i < now_.contacts[k].vertices(); ++i)
      sum.col(now_.contacts[k].vertex[i]) += gradient[k].segment<3>(3 * i);
  }
  return sum;
}

std::vector<BarrierContact::Share> BarrierContact::shares(const Vectors& displacement) const {
  std::vector<Share> shares(now_.contacts.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const ContactPair& c = now_.contacts[k];
    shares[k] = {mesh_.vertex_body[c.vertex[0]], mesh_.vertex_body[c.second_side()],
                 contact_energy(now_.barrier[k], c.weight() * now_.mollifier[k]), 0};
    const Vector12 gradient = gradient_of(k);
    for (int i = 0; i < c.vertices(); ++i) {
      if (mesh_.bodies[mesh_.vertex_body[c.vertex[i]]].obstacle)
        shares[k].obstacle_work += gradient.segment<3>(3 * i).dot(displacement.col(c.vertex[i]));
    }
  }
  return shares;
}

void BarrierContact::add_gradient(const Vectors&, Vectors& gradient) const {
  if (!now_.contacts.empty()) add_vertex_gradient(mesh_, vertex_gradient(), 1, gradient);
}

void BarrierContact::hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
                             HessianBlocks& blocks) const {
  stiff_blocks_.see(map);
  std::vector<const ForeseenContact*> ahead;
  for (const ForeseenContact& f : foreseen_) {
    if (f.pushes()) ahead.push_back(&f);
  }
  const std::size_t known = now_.contacts.size();
  auto contact = [&](std::size_t k) -> const ContactPair& {
    return k < known ? now_.contacts[k] : ahead[k - known]->pair();
  };
  const StiffBlocks::Split split = stiff_blocks_.split(known + ahead.size(), [&](std::size_t k) {
    return std::array<int, 2>{contact(k).vertex[0], contact(k).second_side()};
  });
  fill_vertex_blocks(
      mesh_, split.soft.size(),
      [&](std::size_t k) {
        const ContactPair& c = now_.contacts[split.soft[k]];
        return std::pair<const int*, int>(c.vertex.data(), c.vertices());
      },
      [&](std::size_t k) { return vertex_hessian(split.soft[k], model.psd); }, blocks.controls);
  const bool whole = model.contact == HessianModel::Contact::whole;
  auto add = [&](std::size_t at, StiffPair& pair) {
    const std::size_t k = split.stiff[at];
    const ContactPair& c = contact(k);
    if (k >= known)
      return pair.add(c.vertex.data(), c.vertices(), ahead[k - known]->weight(), ahead[k - known]->hessian());
    if (whole) return pair.add(c.vertex.data(), c.vertices(), vertex_hessian(k, model.psd));
    pair.add(c.vertex.data(), c.vertices(), now_.closest[k].weight, normal_hessian(k));
    if (!c.mollified) return;
    const auto x = positions_of(c.vertex, now_.positions);
    const MollifierSquare m = edge_mollifier_square(x.data(), c.mollifier_threshold);
    const double barrier = c.weight() * now_.barrier[k].energy;
    pair.add_edges(c.vertex.data(), barrier * m.uu, barrier * m.uv, barrier * m.vv);
  };
  stiff_blocks_.sum(q, map, split.sides, add, blocks.unknowns);
}

std::vector<BarrierContact::Damped> BarrierContact::damped_contacts() const {
  std::vector<Damped> damped(now_.contacts.size());
  parallel_for(now_.contacts.size(), [&](std::size_t k) {
    const ContactPair& c = now_.contacts[k];
    const int body_a = mesh_.vertex_body[c.vertex[0]], body_b = mesh_.vertex_body[c.second_side()];
    const double damping = damping_.empty() ? 1 : std::max(damping_[body_a], damping_[body_b]);
    damped[k] = {c, now_.closest[k].weight, damping * normal_hessian(k)};
  });
  return damped;
}

void BarrierContact::damped_hessian(const Vectors&, BlockList& blocks) const {
  const std::vector<Damped> damped = damped_contacts();
  fill_combination_blocks(
      damped.size(),
      [&](std::size_t k, std::vector<ControlShare>& shares) {
        const ContactPair& c = damped[k].pair;
        add_shares(mesh_, c.vertex.data(), c.vertices(), damped[k].weight.data(), shares);
      },
      [&](std::size_t k) { return damped[k].resistance; }, blocks);
}

/// The path of the collision mesh's vertices: V = W q, where turns act alike on all points of a body.
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
  if (limit.pair[0].number >= 0) return {limit.step, {LimitReason::contact, limit.pair}};
  if (limit.step < 1) return {limit.step, {LimitReason::pair_count}};
  return {};
}

bool BarrierContact::foresee(const ControlPath& path, double part) {
  const NearCandidates met = filter_.collisions(vertex_path(path), part);
  if (met.empty()) return false;
  std::vector<ForeseenContact> known = std::exchange(foreseen_, {});
  auto next = known.begin();
  for (const ContactPair& pair :
       find_distant_contacts(mesh_, faces_, now_.positions, filter_.candidates(), met, scales_, areas_)) {
    if (!(pair.weight() > 0)) continue;
    if (!StiffBlocks::takes(stiff_blocks_.sides(pair.vertex[0], pair.second_side()))) continue;
    while (next != known.end() && is_before(mesh_, next->pair(), pair)) foreseen_.push_back(*next++);
    if (next != known.end() && !is_before(mesh_, pair, next->pair())) {
      foreseen_.push_back(*next++);
    } else {
      foreseen_.emplace_back(pair, closest_points(pair, now_.positions));
    }
  }
  foreseen_.insert(foreseen_.end(), next, known.end());
  const Vectors dx = bulwark::vertex_positions(mesh_, path.step);
  bool changed = false;
  for (ForeseenContact& f : foreseen_) changed = f.see(dx) || changed;
  return changed;
}

void BarrierContact::add_foreseen_gradient(Vectors& gradient) const {
  if (foreseen_.empty()) return;
  Vectors sum = Vectors::Zero(3, mesh_.vertex_count());
  for (const ForeseenContact& f : foreseen_) {
    if (!f.pushes()) continue;
    for (int i = 0; i < f.pair().vertices(); ++i) sum.col(f.pair().vertex[i]) += f.weight()[i] * f.gradient();
  }
  add_vertex_gradient(mesh_, sum, 1, gradient);
}

double BarrierContact::step_measure(const Vectors&, const Vectors& dq, std::vector<char>* unresolved) const {
  constexpr double resolved_part = 0.1;
  if (now_.contacts.empty()) return 0;
  const Vectors dx = bulwark::vertex_positions(mesh_, dq);
  std::vector<double> measure(now_.contacts.size());
  parallel_for(now_.contacts.size(), [&](std::size_t k) {
    const ContactPair& pair = now_.contacts[k];
    const ClosestPoints& c = now_.closest[k];
    Vector3 moved = Vector3::Zero();
    for (int i = 0; i < pair.vertices(); ++i) moved += c.weight[i] * dx.col(pair.vertex[i]);
    const double distance = std::sqrt(c.squared_distance());
    measure[k] =
        std::abs(c.r.dot(moved)) / (resolved_part * distance * (distance - pair.range.minimum_distance));
  });
  if (unresolved != nullptr) {
    for (std::size_t k = 0; k < now_.contacts.size(); ++k) {
      if (measure[k] > 1)
        mark_controls(mesh_, now_.contacts[k].vertex.data(), now_.contacts[k].vertices(), *unresolved);
    }
  }
  return *std::max_element(measure.begin(), measure.end());
}

Matrix3 BarrierContact::normal_hessian(std::size_t contact) const {
  return contact_normal_hessian(now_.closest[contact], now_.barrier[contact],
                                now_.contacts[contact].weight() * now_.mollifier[contact]);
}

double BarrierContact::normal_force(const ContactPair& contact) const {
  double mollifier = 1;
  if (contact.mollified) {
    const auto x = positions_of(contact.vertex, now_.positions);
    mollifier = edge_mollifier(x.data(), contact.mollifier_threshold);
  }
  return contact.weight() * mollifier *
         barrier_force(closest_points(contact, now_.positions).squared_distance(), contact.range);
}

}  // namespace bulwark

#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/rods.hpp>

#include <map>

namespace bulwark {
namespace {

/// d(variables) / d(controls): how the five controls of a joint enter e0, e1 and the turns.
constexpr double e0_of[3] = {-1, 1, 0}, e1_of[3] = {0, -1, 1};

}  // namespace

Rods::Rods(const ElementTable& elements, const Vectors& rest) {
  std::map<int, std::vector<int>> at_vertex;
  std::vector<const RodMaterial*> materials;
  elements.for_each<4>(
      ElementType::rod_segment, [&](const Element& element, const std::array<int, 4>& controls) {
        Segment segment;
        segment.element = elements.number_of(element);
        segment.place = rod_segment(controls);
        for (const int v : segment.place.vertices) at_vertex[v].push_back(static_cast<int>(segments_.size()));
        materials.push_back(&elements.material_of<RodMaterial>(element));
        segment.rest = {vector_of(segment, rest).norm(), materials.back()->stretching_stiffness()};
        segments_.push_back(segment);
      });
  begin_at(rest);
  for (const auto& [vertex, meeting] : at_vertex) {
    for (std::size_t i = 0; i < meeting.size(); ++i) {
      for (std::size_t j = i + 1; j < meeting.size(); ++j) {
        Joint joint;
        joint.segments = {meeting[i], meeting[j]};
        const RodSegment &a = segments_[meeting[i]].place, &b = segments_[meeting[j]].place;
        const bool a_ends = a.vertices[1] == vertex, b_starts = b.vertices[0] == vertex;
        joint.signs = {a_ends ? 1.0 : -1.0, b_starts ? 1.0 : -1.0};
        joint.controls = {a.vertices[a_ends ? 0 : 1], vertex, b.vertices[b_starts ? 1 : 0], a.turn, b.turn};
        // Where n > 2 segments meet, each is joined to n - 1 others.
        const double share = 1.0 / static_cast<double>(meeting.size() - 1);
        const RodMaterial& m = *materials[meeting[i]];
        const RodVariables v = variables(joint, rest);
        joint.rest = rod_vertex_rest(v.head<3>(), v.segment<3>(3), frames(joint).data(),
                                     share * m.bending_stiffness(), share * m.twisting_stiffness());
        joints_.push_back(joint);
      }
    }
  }
}

void Rods::begin_at(const Vectors& q) {
  for (Segment& segment : segments_) {
    const Vector3 tangent = vector_of(segment, q).normalized();
    const Vector3 d = q.col(segment.place.director);
    segment.start = {tangent, (d - d.dot(tangent) * tangent).normalized()};
    segment.start_turn = q(0, segment.place.turn);
  }
}

JetVector<double> Rods::director_at(const Segment& segment, const Vectors& q) const {
  const double angle = (q(0, segment.place.turn) - segment.start_turn) / segment.rest.length;
  return turned_frame<double>(segment.start, constant_vector<double>(vector_of(segment, q)), angle).first;
}

void Rods::end_at(Vectors& q) const {
  for (const Segment& segment : segments_) {
    const JetVector<double> d = director_at(segment, q);
    q.col(segment.place.director) = Vector3(d.x, d.y, d.z).normalized();
  }
}

std::array<RodFrame, 2> Rods::frames(const Joint& joint) const {
  std::array<RodFrame, 2> result;
  for (int k = 0; k < 2; ++k) {
    result[k] = segments_[joint.segments[k]].start;
    result[k].tangent *= joint.signs[k];
  }
  return result;
}

RodVariables Rods::variables(const Joint& joint, const Vectors& q) const {
  const auto& c = joint.controls;
  RodVariables v;
  v << q.col(c[1]) - q.col(c[0]), q.col(c[2]) - q.col(c[1]), 0, 0;
  for (int k = 0; k < 2; ++k) {
    v[6 + k] = joint.signs[k] * (q(0, c[3 + k]) - segments_[joint.segments[k]].start_turn);
  }
  return v;
}

double Rods::energy(const Vectors& q) const {
  return parallel_sum(segments_.size(),
                      [&](std::size_t k) {
                        return rod_stretch_energy(segments_[k].rest, vector_of(segments_[k], q));
                      }) +
         parallel_sum(joints_.size(), [&](std::size_t k) {
           return rod_vertex_energy(joints_[k].rest, frames(joints_[k]).data(), variables(joints_[k], q));
         });
}

void Rods::add_energies(const Vectors& q, VectorX& at_controls) const {
  for (const Segment& segment : segments_)
    at_controls[segment.place.vertices[0]] += rod_stretch_energy(segment.rest, vector_of(segment, q));
  for (const Joint& joint : joints_)
    at_controls[joint.controls[0]] +=
        rod_vertex_energy(joint.rest, frames(joint).data(), variables(joint, q));
}

void Rods::add_gradient(const Vectors& q, Vectors& gradient) const {
  for (const Segment& segment : segments_) {
    const Vector3 g = rod_stretch_gradient(segment.rest, vector_of(segment, q));
    gradient.col(segment.place.vertices[0]) -= g;
    gradient.col(segment.place.vertices[1]) += g;
  }
  std::vector<RodVariables> joint_gradients(joints_.size());
  parallel_for(joints_.size(), [&](std::size_t k) {
    joint_gradients[k] =
        rod_vertex_jet(joints_[k].rest, frames(joints_[k]).data(), variables(joints_[k], q)).gradient;
  });
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const RodVariables& g = joint_gradients[k];
    for (int i = 0; i < 3; ++i)
      gradient.col(joint.controls[i]) += e0_of[i] * g.head<3>() + e1_of[i] * g.segment<3>(3);
    for (int i = 0; i < 2; ++i) gradient(0, joint.controls[3 + i]) += joint.signs[i] * g[6 + i];
  }
}

void Rods::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                   HessianBlocks& blocks) const {
  const std::size_t first_joint = 3 * segments_.size();
  blocks.controls.resize(first_joint + 15 * joints_.size());
  parallel_for(segments_.size(), [&](std::size_t n) {
    const auto [a, b] = segments_[n].place.vertices;
    const Matrix3 h = rod_stretch_hessian(segments_[n].rest, vector_of(segments_[n], q), model.psd);
    blocks.controls.set(3 * n, a, a, h);
    blocks.controls.set(3 * n + 1, b, b, h);
    blocks.controls.set(3 * n + 2, a, b, -h);
  });
  parallel_for(joints_.size(), [&](std::size_t n) {
    const Joint& joint = joints_[n];
    const RodJet jet = rod_vertex_jet(joint.rest, frames(joint).data(), variables(joint, q));
    const Eigen::Matrix<double, 8, 8> h = projected<8>(jet.hessian, model.psd);
    Eigen::Matrix<double, 8, 15> to_variables = Eigen::Matrix<double, 8, 15>::Zero();
    for (int i = 0; i < 3; ++i) {
      to_variables.block<3, 3>(0, 3 * i).diagonal().setConstant(e0_of[i]);
      to_variables.block<3, 3>(3, 3 * i).diagonal().setConstant(e1_of[i]);
    }
    for (int i = 0; i < 2; ++i) to_variables(6 + i, 9 + 3 * i) = joint.signs[i];
    const Eigen::Matrix<double, 15, 15> all = to_variables.transpose() * h * to_variables;
    std::size_t k = first_joint + 15 * n;
    for (int i = 0; i < 5; ++i) {
      for (int j = i; j < 5; ++j)
        blocks.controls.set(k++, joint.controls[i], joint.controls[j], all.block<3, 3>(3 * i, 3 * j));
    }
  });
}

StepLimit Rods::largest_step(const ControlPath& path) {
  struct Smallest {
    double step;
    std::size_t segment;
  };
  const Smallest smallest = parallel_reduce(
      segments_.size(), Smallest{1, 0},
      [&](std::size_t k) {
        return Smallest{rod_largest_step(vector_of(segments_[k], path.from),
                                         vector_of(segments_[k], path.step), kept_part_of_length),
                        k};
      },
      [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
  if (smallest.step >= 1) return {};
  return {smallest.step, {LimitReason::length, {}, segments_[smallest.segment].element}};
}

}  // namespace bulwark

#include <bulwark/base/parallel.hpp>
#include <bulwark/stencils/dihedral_angle.hpp>
#include <bulwark/stencils/membrane.hpp>
#include <bulwark/stencils/shell_bending.hpp>
#include <bulwark/terms/shells.hpp>

#include <algorithm>

namespace bulwark {
namespace {

template <std::size_t N>
std::array<Vector3, N> gather(const std::array<int, N>& controls, const Vectors& q) {
  std::array<Vector3, N> x;
  for (std::size_t i = 0; i < N; ++i) x[i] = q.col(controls[i]);
  return x;
}

}  // namespace

struct Shells::Membrane {
  int element;  ///< in the table
  Triangle vertices;
  MembraneMaterial material;
  MembraneRest rest;
};

struct Shells::BentEdge {
  Hinge vertices;
  double rest_angle;
  double curvature = 0;  ///< what the triangles at it leave to it (BendingRest::own)
};

struct Shells::Bending {
  std::array<int, 3> hinge;  ///< -1 for a free edge
  BendingRest rest;
  /// The triangle's, then those across its edges (any of its own at a free one).
  std::array<int, 6> vertices;
  std::array<std::array<int, 4>, 3> place = {};  ///< of each hinge's vertices among these
  /// Each membrane and each hinge is in the Hessian of one triangle that bends there.
  int membrane = -1;  ///< -1: another one has it
  std::array<bool, 3> has_hinge = {false, false, false};
};

/// Of each hinge: its angle since rest, and the energy's slope in it.
struct Shells::Bends {
  std::vector<double> angle, slope;
};

Shells::~Shells() = default;

Shells::Shells(const ElementTable& elements, const Vectors& rest) {
  std::vector<Triangle> triangles;
  std::vector<const ClothMaterial*> materials;
  std::vector<int> numbers;
  elements.for_each<3>(ElementType::shell_triangle, [&](const Element& element, const Triangle& triangle) {
    triangles.push_back(triangle);
    numbers.push_back(elements.number_of(element));
    materials.push_back(&elements.material_of<ClothMaterial>(element));
  });
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const ClothMaterial& m = *materials[t];
    MembraneMaterial own;
    own.lame = plane_stress_constants(m.young, m.poisson);
    own.limit = {m.strain_limit, m.young};
    limited_ = limited_ || own.limit.active();
    membranes_.push_back(
        {numbers[t], triangles[t], own, membrane_rest(gather(triangles[t], rest).data(), m.thickness)});
  }
  const ShellHinges bends = shell_hinges(triangles);
  for (const Hinge& hinge : bends.hinges)
    hinges_.push_back({hinge, dihedral_angle(gather(hinge, rest).data())});
  std::vector<bool> membrane_placed(triangles.size(), false), hinge_placed(hinges_.size(), false);
  for (const BentTriangle& bent : bends.bent) {
    const Triangle& t = triangles[bent.triangle];
    const ClothMaterial& m = *materials[bent.triangle];
    if (!(m.bending_young > 0)) continue;
    Bending own;
    own.hinge = bent.hinge;
    if (!membrane_placed[bent.triangle]) own.membrane = bent.triangle;
    membrane_placed[bent.triangle] = true;
    std::array<double, 3> sign = bent.sign;
    for (int i = 0; i < 3; ++i) {
      if (bent.hinge[i] < 0) sign[i] = 0;
    }
    own.rest =
        bending_rest(gather(t, rest).data(), bent.share * m.bending_stiffness(), m.poisson, sign.data());
    std::copy(t.begin(), t.end(), own.vertices.begin());
    for (int i = 0; i < 3; ++i) {
      own.vertices[3 + i] = t[i];
      if (bent.hinge[i] < 0) continue;
      BentEdge& edge = hinges_[bent.hinge[i]];
      edge.curvature += own.rest.own[i];
      own.vertices[3 + i] = edge.vertices[2] == t[(i + 2) % 3] ? edge.vertices[3] : edge.vertices[2];
      for (int c = 0; c < 4; ++c) {
        const auto corner = std::find(t.begin(), t.end(), edge.vertices[c]);
        own.place[i][c] = corner == t.end() ? 3 + i : static_cast<int>(corner - t.begin());
      }
      own.has_hinge[i] = !hinge_placed[bent.hinge[i]];
      hinge_placed[bent.hinge[i]] = true;
    }
    bending_.push_back(own);
  }
  for (std::size_t m = 0; m < membranes_.size(); ++m) {
    if (!membrane_placed[m]) without_bending_.push_back(m);
  }
  membrane_gather_ = ControlGather::over<3>(
      membranes_.size(), [&](std::size_t t) -> const Triangle& { return membranes_[t].vertices; });
  hinge_gather_ = ControlGather::over<4>(hinges_.size(),
                                         [&](std::size_t k) -> const Hinge& { return hinges_[k].vertices; });
}

Shells::Bends Shells::bends_at(const Vectors& q) const {
  Bends bends = {std::vector<double>(hinges_.size()), std::vector<double>(hinges_.size(), 0)};
  parallel_for(hinges_.size(), [&](std::size_t k) {
    bends.angle[k] = dihedral_angle(gather(hinges_[k].vertices, q).data()) - hinges_[k].rest_angle;
  });
  for (const Bending& b : bending_) {
    Vector3 d = Vector3::Zero(), slopes = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
      if (b.hinge[i] < 0) continue;
      d[i] = bends.angle[b.hinge[i]];
      slopes[i] = bends.slope[b.hinge[i]];
    }
    add_bending_slopes(b.rest, d, slopes);
    for (int i = 0; i < 3; ++i) {
      if (b.hinge[i] >= 0) bends.slope[b.hinge[i]] = slopes[i];
    }
  }
  return bends;
}

double Shells::energy(const Vectors& q) const {
  const Bends bends = bends_at(q);
  return parallel_sum(membranes_.size(),
                      [&](std::size_t t) {
                        const Membrane& m = membranes_[t];
                        return membrane_energy(m.rest, m.material, gather(m.vertices, q).data());
                      }) +
         parallel_sum(hinges_.size(),
                      [&](std::size_t k) { return bending_energy(bends.slope[k], bends.angle[k]); });
}

void Shells::add_energies(const Vectors& q, VectorX& at_controls) const {
  const Bends bends = bends_at(q);
  for (const Membrane& m : membranes_)
    at_controls[m.vertices[0]] += membrane_energy(m.rest, m.material, gather(m.vertices, q).data());
  for (std::size_t k = 0; k < hinges_.size(); ++k)
    at_controls[hinges_[k].vertices[0]] += bending_energy(bends.slope[k], bends.angle[k]);
}

void Shells::add_gradient(const Vectors& q, Vectors& gradient) const {
  const Bends bends = bends_at(q);
  std::vector<Matrix3> membrane_gradients(membranes_.size());
  std::vector<Eigen::Matrix<double, 3, 4>> hinge_gradients(hinges_.size());
  parallel_for(membranes_.size(), [&](std::size_t t) {
    const Membrane& m = membranes_[t];
    membrane_gradients[t] = membrane_gradient(m.rest, m.material, gather(m.vertices, q).data());
  });
  parallel_for(hinges_.size(), [&](std::size_t k) {
    hinge_gradients[k] =
        bends.slope[k] * dihedral_gradient(hinge_frame(gather(hinges_[k].vertices, q).data()));
  });
  if (!membranes_.empty()) membrane_gather_.add(membrane_gradients[0].data(), gradient);
  if (!hinges_.empty()) hinge_gather_.add(hinge_gradients[0].data(), gradient);
}

void Shells::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                     HessianBlocks& blocks) const {
  auto membrane_at = [&](std::size_t t) {
    const Membrane& m = membranes_[t];
    return membrane_hessian(m.rest, m.material, gather(m.vertices, q).data(), model.psd);
  };
  const std::size_t first_bending = 6 * without_bending_.size();
  blocks.controls.resize(first_bending + 21 * bending_.size());
  parallel_for(without_bending_.size(), [&](std::size_t n) {
    const Triangle& vertices = membranes_[without_bending_[n]].vertices;
    const Eigen::Matrix<double, 9, 9> h = membrane_at(without_bending_[n]);
    std::size_t k = 6 * n;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j)
        blocks.controls.set(k++, vertices[i], vertices[j], h.block<3, 3>(3 * i, 3 * j));
    }
  });
  const Bends bends = bends_at(q);
  std::vector<HingeFrame> frames(hinges_.size());
  parallel_for(hinges_.size(),
               [&](std::size_t n) { frames[n] = hinge_frame(gather(hinges_[n].vertices, q).data()); });
  parallel_for(bending_.size(), [&](std::size_t n) {
    const Bending& b = bending_[n];
    // The three angles' gradients over the triangle's six vertices.
    Eigen::Matrix<double, 18, 3> g = Eigen::Matrix<double, 18, 3>::Zero();
    for (int i = 0; i < 3; ++i) {
      if (b.hinge[i] < 0) continue;
      const Eigen::Matrix<double, 3, 4> own = dihedral_gradient(frames[b.hinge[i]]);
      for (int c = 0; c < 4; ++c) g.block<3, 1>(3 * b.place[i][c], i) = own.col(c);
    }
    Eigen::Matrix<double, 18, 18> h = bending_hessian(b.rest, g);
    if (b.membrane >= 0) h.topLeftCorner<9, 9>() += membrane_at(b.membrane);
    for (int i = 0; i < 3; ++i) {
      if (!b.has_hinge[i]) continue;
      const int hinge = b.hinge[i];
      const Eigen::Matrix<double, 12, 12> own =
          dihedral_hessian(frames[hinge], bends.slope[hinge], hinges_[hinge].curvature, model.psd);
      for (int c = 0; c < 4; ++c) {
        for (int d = 0; d < 4; ++d)
          h.block<3, 3>(3 * b.place[i][c], 3 * b.place[i][d]) += own.block<3, 3>(3 * c, 3 * d);
      }
    }
    std::size_t k = first_bending + 21 * n;
    for (int i = 0; i < 6; ++i) {
      for (int j = i; j < 6; ++j) {
        Matrix3 block = h.block<3, 3>(3 * i, 3 * j);
        // A block between two places of one vertex stands for itself and its mirror.
        if (i != j && b.vertices[i] == b.vertices[j]) block += Matrix3(block.transpose());
        blocks.controls.set(k++, b.vertices[i], b.vertices[j], block);
      }
    }
  });
}

StepLimit Shells::largest_step(const ControlPath& path) {
  if (!limited_) return {};
  struct Smallest {
    double step;
    std::size_t triangle;
  };
  const Smallest smallest = parallel_reduce(
      membranes_.size(), Smallest{1, 0},
      [&](std::size_t t) {
        const Membrane& m = membranes_[t];
        if (!m.material.limit.active()) return Smallest{1, t};
        return Smallest{membrane_largest_step(m.rest, m.material.limit, gather(m.vertices, path.from).data(),
                                              gather(m.vertices, path.step).data()),
                        t};
      },
      [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
  if (smallest.step >= 1) return {};
  return {smallest.step, {LimitReason::strain_limit, {}, membranes_[smallest.triangle].element}};
}

double Shells::largest_stretch_of_all(const Vectors& q) const {
  return parallel_reduce(
      membranes_.size(), 1.0,
      [&](std::size_t t) {
        return largest_stretch(
            deformation_gradient(membranes_[t].rest, gather(membranes_[t].vertices, q).data()));
      },
      [](double a, double b) { return std::max(a, b); });
}

}  // namespace bulwark

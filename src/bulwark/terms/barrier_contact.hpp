// Contact: barrier energy of all pairs of surface primitives within range of each other, and the step filter
// that keeps them from ever meeting.
#pragma once

#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/flat_faces.hpp>
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/terms/stiff_blocks.hpp>
#include <bulwark/terms/term.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bulwark {

class BarrierContact : public Term {
 public:
  /// `describe` turns a vertex of the collision mesh into words for reports.
  BarrierContact(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff, StepFilter filter,
                 BarrierRange range, Profile& profile, std::function<std::string(int)> describe);

  void begin_step() override {
    stiff_blocks_.begin_step();
    filter_.begin_step();
    iterations_ = 0;
    damped_.clear();
  }
  void focus(const BlockMap& map, bool everything_moves) override;
  void prepare(const Vectors& q) override;
  double energy(const Vectors& q) override;
  void add_gradient(const Vectors& q, Vectors& gradient) override;
  void hessian(const Vectors& q, Psd psd, const BlockMap& map, HessianBlocks& blocks) override;
  /// The barrier's curvature along the normal of each contact, times the bodies' damping: what slides is not
  /// damped.
  void damped_hessian(const Vectors& q, BlockList& blocks) override;
  StepLimit largest_step(const ControlPath& path) override;
  /// The largest change of a contact's gap over a tenth of that gap: as a force goes with one over the gap, a
  /// step that is small against the scene can still be far from the forces that balance the others.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

  /// A contact of the step's beginning with its part in the damped Hessian, in the difference of its points.
  struct Damped {
    ContactPair pair;
    Eigen::Vector4d weight;
    Matrix3 resistance;
  };
  /// Those of the last damped_hessian(), until the next step begins.
  const std::vector<Damped>& damped() const { return damped_; }

  /// Multiplies the barrier: J/m^4.
  void set_stiffness(double stiffness) { stiffness_ = stiffness; }
  double stiffness() const { return stiffness_; }
  const BarrierRange& range() const { return range_; }

  /// As of the last prepare().
  const std::vector<ContactPair>& contacts() const { return now_.contacts; }
  const Vectors& vertex_positions() const { return now_.positions; }
  /// Smallest distance of any contact; infinity when there is none.
  double min_distance() const { return std::min(now_.min_distance, still_distance_); }
  /// Normal force of a contact (N) as of the last prepare().
  double normal_force(const ContactPair& contact) const;
  /// Gradient of the energy in the vertices as of the last prepare(), per unit of stiffness.
  Vectors unit_vertex_gradient() const;

 private:
  struct ContactList {
    std::vector<ContactPair> contacts;
    std::vector<ClosestPoints> closest;  ///< of each contact
    std::vector<NormalBarrier> barrier;  ///< of each contact, per unit of its weight
    std::vector<double> mollifier;       ///< of the edges of a mollified contact; 1 for all others

    void append(const ContactList& other, std::size_t k);
  };
  /// The contacts at some controls.
  struct Measured : ContactList {
    Vectors controls;
    Vectors positions;  ///< of the vertices
    /// Sum of weight * mollifier * barrier: the energy per unit of stiffness. Infinite where a pair is at or
    /// below the minimum distance, or a point is behind a plane.
    double barrier_sum = 0;
    double min_distance = 0;

    void forget() { controls.resize(3, 0); }
    bool is_at(const Vectors& q) const { return controls.cols() == q.cols() && controls == q; }
    void sum_up();
  };
  void measure(const Vectors& q, Measured& measured);
  /// The Hessian of a contact of stiff bodies, and of a damped one, in the difference of its two points.
  Matrix3 normal_hessian(std::size_t contact) const;
  Eigen::Matrix<double, 12, 12> vertex_hessian(std::size_t contact, Psd psd) const;
  VertexPath vertex_path(const ControlPath& path) const;

  const CollisionMesh& mesh_;
  FlatFaces faces_;
  StepFilter filter_;
  BarrierRange range_;
  Profile& profile_;
  std::function<std::string(int)> describe_;
  double stiffness_ = 0;

  StiffBlocks stiff_blocks_;
  int iterations_ = 0;  ///< Hessians asked for since the step began
  /// Contacts between bodies that stand still, which are not among the others, and their smallest distance.
  ContactList still_;
  double still_distance_ = std::numeric_limits<double>::infinity();

  std::vector<Damped> damped_;
  Measured now_;    ///< as of the last prepare()
  Measured trial_;  ///< as of the last energy() elsewhere; a line search mostly goes there
};

}  // namespace bulwark

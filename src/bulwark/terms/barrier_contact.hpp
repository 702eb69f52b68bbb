// Contact: barrier energy of all pairs of surface primitives within range of each other, and the step filter
// that keeps them from ever meeting.
#pragma once

#include <bulwark/collision/contact_areas.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/flat_faces.hpp>
#include <bulwark/collision/passed_bodies.hpp>
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/terms/foreseen_contact.hpp>
#include <bulwark/terms/stiff_blocks.hpp>
#include <bulwark/terms/term.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bulwark {

class BarrierContact : public Term {
 public:
  /// The scales must outlive the contact.
  BarrierContact(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff, StepFilter filter,
                 const ContactScales& scales, Profile& profile);

  void begin_step() override {
    stiff_blocks_.begin_step();
    filter_.begin_step();
  }
  void focus(const BlockMap& map, bool everything_moves) override;
  void prepare(const Vectors& q) override;
  void note_iterate(const Vectors& /*q*/) override { foreseen_.clear(); }
  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// The barrier's curvature along the normal of each contact, times the bodies' damping: what slides is not
  /// damped.
  void damped_hessian(const Vectors& q, BlockList& blocks) const override;
  StepLimit largest_step(const ControlPath& path) override;
  bool foresee(const ControlPath& path, double part) override;
  void add_foreseen_gradient(Vectors& gradient) const override;
  /// The largest change of a contact's gap over a tenth of that gap: as a force goes with one over the gap, a
  /// step that is small against the scene can still be far from the forces that balance the others.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

  /// A contact with its part in the damped Hessian, in the difference of its points.
  struct Damped {
    ContactPair pair;
    Eigen::Vector4d weight;
    Matrix3 resistance;
  };
  /// Contacts of two bodies are damped by the larger of the two, times the coefficient of the damping term; by 1
  /// where none are given.
  void set_damping(std::vector<double> of_bodies) { damping_ = std::move(of_bodies); }
  /// All of them, as of the last prepare().
  std::vector<Damped> damped_contacts() const;

  /// A contact's energy (J), and the work that moving the obstacle in it takes.
  struct Share {
    int body_a, body_b;
    double energy, obstacle_work;
  };
  /// Of each contact, as of the last prepare(); the vertices moved by `displacement` to get there.
  std::vector<Share> shares(const Vectors& displacement) const;

  /// To be called when the scales' factors, or also the ranges of pairs, have changed.
  void scales_changed(const Vectors& q, bool ranges_too = false);
  const ContactScales& scales() const { return scales_; }
  /// The largest stiffness of any contact (J/m^4), or the pressure at half its distance (Pa) where contact is
  /// area-weighted; 0 when there is none.
  double largest_stiffness() const;

  /// As of the last prepare().
  const std::vector<ContactPair>& contacts() const { return now_.contacts; }
  const Vectors& vertex_positions() const { return now_.positions; }
  /// Smallest distance of the solids of any contact; infinity when there is none.
  double min_distance() const { return std::min(now_.min_distance, still_distance_); }
  /// Distance of the contact with this place in the list (m), its offset included.
  double distance(std::size_t contact) const { return std::sqrt(now_.closest[contact].squared_distance()); }
  /// The gap of two bodies (StepFilter::body_gap) at the vertex positions of the last prepare(), in which they
  /// are covered.
  double body_gap(int body_a, int body_b) const;
  /// The pairs of bodies that got past each other along the direct path between a step's ends.
  std::vector<std::array<int, 2>> passed(const ControlPath& direct) const {
    return passed_bodies(mesh_, vertex_path(direct));
  }
  /// All pairs of two bodies whose gap there is less than their full contact distance, with that gap.
  std::vector<NearBodies> close_bodies() const;
  /// Normal force of a contact (N) as of the last prepare().
  double normal_force(const ContactPair& contact) const;
  /// Gradient of the energy in the vertices as of the last prepare() (N).
  Vectors vertex_gradient() const;

 private:
  struct ContactList {
    std::vector<ContactPair> contacts;
    std::vector<ClosestPoints> closest;  ///< of each contact
    std::vector<NormalBarrier> barrier;  ///< of each contact, per unit of its stiffness
    std::vector<double> mollifier;       ///< of the edges of a mollified contact; 1 for all others

    void append(const ContactList& other, std::size_t k);
  };
  /// The contacts at some controls.
  struct Measured : ContactList {
    Vectors controls;
    Vectors positions;  ///< of the vertices
    /// Infinite where a pair is at or below the minimum distance, or a point is behind a plane.
    double energy = 0;
    double min_distance = 0;

    void forget() { controls.resize(3, 0); }
    bool is_at(const Vectors& q) const { return controls.cols() == q.cols() && controls == q; }
    void sum_up();
  };
  void measure(const Vectors& q, Measured& measured) const;
  /// The Hessian of a contact of stiff bodies, and of a damped one, in the difference of its two points.
  Matrix3 normal_hessian(std::size_t contact) const;
  Eigen::Matrix<double, 12, 12> vertex_hessian(std::size_t contact, Psd psd) const;
  /// The gradient of a contact in its vertices.
  Eigen::Matrix<double, 12, 1> gradient_of(std::size_t contact) const;
  VertexPath vertex_path(const ControlPath& path) const;

  const CollisionMesh& mesh_;
  FlatFaces faces_;
  ContactAreas areas_;         ///< empty where pairs count by their number
  mutable StepFilter filter_;  ///< its candidates are found where they are needed; no number depends on which
  const ContactScales& scales_;
  Profile& profile_;

  mutable StiffBlocks stiff_blocks_;  ///< keeps its layout between sums
  /// Contacts between bodies that stand still, which are not among the others, and their smallest distance.
  ContactList still_;
  double still_distance_ = std::numeric_limits<double>::infinity();

  std::vector<ForeseenContact> foreseen_;  ///< in the order of contacts
  Measured now_;                           ///< as of the last prepare()
  mutable Measured trial_;       ///< as of the last energy() elsewhere; a line search mostly goes there
  std::vector<double> damping_;  ///< by body
};

}  // namespace bulwark

// Bending and twisting energy of a rod at a vertex between two of its segments (discrete elastic rods).
//   V = EI/l |kappa - kappa_rest|^2 + GJ/l (tau - tau_rest)^2,    l = the two segments' lengths at rest.
//
// Each segment has a tangent t and a material frame (m1, m2): at the start of the time step a director d, a
// unit vector at a right angle to the start tangent t0; later d carried along by the least rotation that
// takes t0 to t, and turned about t by the segment's own angle a:
//   u = d - (t.d)/(1 + t0.t) (t0 + t),   m1 = cos a u + sin a (t x u),   m2 = t x m1.
// With the curvature binormal  kb = 2 e0 x e1 / (|e0||e1| + e0.e1), of length 2 tan(angle/2),
//   kappa = 1/2 sum over both segments of (kb.m2, -kb.m1),
//   tau   = the angle from the first frame, carried to the second tangent, to the second frame
//         = atan2(m1'.m2 - m2'.m1, m1'.m1 + m2'.m2)    (primes: second segment), within half a turn of tau_rest.
// The cross-section is round: EI = Y_b pi r^4/4, GJ = G pi r^4/2.
//
// Variables: e0 (into the vertex), e1 (out of it), and the angles a of both segments as the lengths L a, with
// L the segment's rest length: so all eight are lengths. Derivatives come from second-order jets.
#pragma once

#include <bulwark/math/psd.hpp>
#include <bulwark/math/second_order_jet.hpp>

#include <Eigen/Geometry>
#include <limits>

namespace bulwark {

/// A segment's frame at the start of the step.
struct RodFrame {
  Vector3 tangent, director;
};

struct RodVertexRest {
  double bending = 0, twisting = 0;  ///< EI/l, GJ/l
  Vector2 curvature = Vector2::Zero();
  double cosine = 1, sine = 0;               ///< of tau_rest
  Vector2 segment_length = Vector2::Ones();  ///< L of both segments
};

template <class T>
struct JetVector {
  T x, y, z;
};
template <class T>
BULWARK_HD JetVector<T> operator+(const JetVector<T>& a, const JetVector<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
BULWARK_HD JetVector<T> operator-(const JetVector<T>& a, const JetVector<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
BULWARK_HD JetVector<T> operator*(const T& s, const JetVector<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
BULWARK_HD T dot(const JetVector<T>& a, const JetVector<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
BULWARK_HD JetVector<T> cross(const JetVector<T>& a, const JetVector<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
BULWARK_HD JetVector<T> constant_vector(const Vector3& a) {
  return {T(a.x()), T(a.y()), T(a.z())};
}

template <class T>
struct TurnedFrame {
  JetVector<T> tangent, first, second;
};

/// The frame of a segment with the vector e, turned by `angle` since the start of the step.
template <class T>
BULWARK_HD TurnedFrame<T> turned_frame(const RodFrame& start, const JetVector<T>& e, const T& angle) {
  using std::cos;
  using std::sin;
  const JetVector<T> t = inverse_root(dot(e, e)) * e;
  const JetVector<T> d = constant_vector<T>(start.director), t0 = constant_vector<T>(start.tangent);
  const JetVector<T> u = d - (dot(t, d) * reciprocal(1.0 + dot(t0, t))) * (t0 + t);
  const JetVector<T> m1 = cos(angle) * u + sin(angle) * cross(t, u);
  return {t, m1, cross(t, m1)};
}

template <class T>
struct RodStrain {
  T bend_first, bend_second, twist_sine, twist_cosine;  ///< kappa; tau by a vector of its direction
};

template <class T>
BULWARK_HD RodStrain<T> rod_strain(const RodFrame* start, const JetVector<T>* e, const T* angle) {
  const TurnedFrame<T> a = turned_frame(start[0], e[0], angle[0]), b = turned_frame(start[1], e[1], angle[1]);
  const JetVector<T> kb = (2.0 * reciprocal(1.0 + dot(a.tangent, b.tangent))) * cross(a.tangent, b.tangent);
  return {0.5 * dot(kb, a.second + b.second), -0.5 * dot(kb, a.first + b.first),
          dot(b.first, a.second) - dot(b.second, a.first), dot(b.first, a.first) + dot(b.second, a.second)};
}

template <class T>
BULWARK_HD T rod_vertex_energy(const RodVertexRest& rest, const RodFrame* start, const JetVector<T>* e,
                               const T* angle) {
  using std::atan2;
  const RodStrain<T> s = rod_strain(start, e, angle);
  const T k1 = s.bend_first - rest.curvature[0], k2 = s.bend_second - rest.curvature[1];
  const T twist = atan2(rest.cosine * s.twist_sine - rest.sine * s.twist_cosine,
                        rest.cosine * s.twist_cosine + rest.sine * s.twist_sine);
  return rest.bending * (k1 * k1 + k2 * k2) + rest.twisting * (twist * twist);
}

/// Rest values of a vertex whose segments are e0 and e1 at rest, with the given frames.
BULWARK_HD inline RodVertexRest rod_vertex_rest(const Vector3& e0, const Vector3& e1, const RodFrame* frames,
                                                double bending_stiffness, double twisting_stiffness) {
  const JetVector<double> e[2] = {constant_vector<double>(e0), constant_vector<double>(e1)};
  const double angle[2] = {0, 0};
  const RodStrain<double> s = rod_strain(frames, e, angle);
  RodVertexRest rest;
  rest.segment_length = {e0.norm(), e1.norm()};
  rest.bending = bending_stiffness / rest.segment_length.sum();
  rest.twisting = twisting_stiffness / rest.segment_length.sum();
  rest.curvature = {s.bend_first, s.bend_second};
  const double size = std::sqrt(s.twist_sine * s.twist_sine + s.twist_cosine * s.twist_cosine);
  rest.sine = s.twist_sine / size;
  rest.cosine = s.twist_cosine / size;
  return rest;
}

using RodVariables = Eigen::Matrix<double, 8, 1>;  ///< e0, e1, L0 a0, L1 a1
using RodJet = Jet2<8>;

BULWARK_HD inline double rod_vertex_energy(const RodVertexRest& rest, const RodFrame* start,
                                           const RodVariables& v) {
  const Vector3 e0 = v.head<3>(), e1 = v.segment<3>(3);
  // A segment that turns back onto the other, or against its own start, has no frame.
  const double fold = 1 + e0.normalized().dot(e1.normalized());
  const double turn_0 = 1 + start[0].tangent.dot(e0.normalized()),
               turn_1 = 1 + start[1].tangent.dot(e1.normalized());
  constexpr double folded = 1e-12;
  if (!(fold > folded && turn_0 > folded && turn_1 > folded)) return std::numeric_limits<double>::infinity();
  const JetVector<double> e[2] = {constant_vector<double>(e0), constant_vector<double>(e1)};
  const double angle[2] = {v[6] / rest.segment_length[0], v[7] / rest.segment_length[1]};
  return rod_vertex_energy<double>(rest, start, e, angle);
}

/// The energy with its first and second derivatives in the eight variables.
BULWARK_HD inline RodJet rod_vertex_jet(const RodVertexRest& rest, const RodFrame* start,
                                        const RodVariables& v) {
  RodJet x[8];
  for (int k = 0; k < 8; ++k) x[k] = RodJet::variable(v[k], k);
  const JetVector<RodJet> e[2] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  const RodJet angle[2] = {1 / rest.segment_length[0] * x[6], 1 / rest.segment_length[1] * x[7]};
  return rod_vertex_energy<RodJet>(rest, start, e, angle);
}

}  // namespace bulwark

// Geometric predicates on the exact values of doubles: what the exact intersection test stands on.
//
// Each is evaluated in floating point first, with a bound of its rounding error (for sums of products by the
// usual analysis, with u = 2^-53; an absolute term covers underflow). Only where the bound leaves the sign
// open, or the arithmetic overflows, it is evaluated again in rational numbers. Coordinates must be finite.
#pragma once

#include <bulwark/math/types.hpp>

namespace bulwark::exact {

/// Sign (-1, 0, 1) of the volume det(b-a, c-a, d-a).
int orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

/// Sign of the area det(b-a, c-a) of a triangle seen along the given axis.
int orientation_along(int axis, const Vector3& a, const Vector3& b, const Vector3& c);

/// Sign of normal . (x - point): 1 in front of a plane, 0 on it, -1 behind it.
int side_of_plane(const Vector3& x, const Vector3& point, const Vector3& normal);

/// Whether the closed segment pq and the closed triangle abc have a common point. A segment may be a point
/// (p = q), a triangle a segment or a point.
bool segment_meets_triangle(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b,
                            const Vector3& c);

/// Whether the closed segments pq and ab, each of which may be a point, come within the distance r >= 0 of
/// each other: |x - y| <= r for some point x of one and y of the other.
bool segments_within(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b, double r);

/// The same for the point p and the closed triangle abc.
bool point_triangle_within(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c, double r);

/// Whether x is on the plane's solid side or within the distance r of it: normal . (x - point) <= r |normal|.
bool within_plane(const Vector3& x, const Vector3& point, const Vector3& normal, double r);

}  // namespace bulwark::exact

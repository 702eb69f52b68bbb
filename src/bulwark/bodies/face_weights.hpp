// Weights of the vertices of a cut face in an integral over it, by its area: with them the forces of a uniform
// pressure on the vertices are, for the element's nodes, those of the pressure. An even share of each triangle for
// its corners is exact for linear functions alone; its error falls with the square of the cuts n, so that
//
//   (n^2 I_n - I_1) / (n^2 - 1)
//
// is exact for functions of degree 2 on triangles, and of degree 3 on intervals, whose products are the weights of quads
// (Romberg's rule; Simpson's with n = 2). The weights of a triangle's corners are zero then. Functions of degree 3 on
// triangles of three parts or more have three weights, one for the corners, one along the sides and one inside, that
// solve the three conditions on functions which no exchange of corners changes. No weight is negative.
#pragma once

#include <bulwark/bodies/riding_surface.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// Of the place `step` of n parts of an interval, for functions of the degree.
inline double interval_weight(int step, int n, int degree) {
  const bool end = step == 0 || step == n;
  if (degree < 2 || n < 2) return (end ? 0.5 : 1.0) / n;
  return end ? 0.5 / (n + 1) : static_cast<double>(n) / (n * n - 1);
}

/// Of the place with the steps (u, v), u + v <= n, of a triangle whose sides have n parts.
inline double triangle_weight(int u, int v, int n, int degree) {
  const int sides = (u == 0 ? 1 : 0) + (v == 0 ? 1 : 0) + (u + v == n ? 1 : 0);  // that it lies on
  const int triangles = sides == 0 ? 6 : sides == 1 ? 3 : 1;
  const double even = triangles / (3.0 * n * n);
  if (degree < 2 || n < 2) return even;
  if (degree > 2 && n > 2) {
    if (sides == 2) return 2.0 / (3 * (n + 1) * (n + 2));
    if (sides == 1) return static_cast<double>(n) / ((n * n - 1) * (n + 2));
    return 2.0 * n * n / ((n * n - 1.0) * (n * n - 4.0));
  }
  return sides == 2 ? 0 : even * (n * n) / (n * n - 1);
}

/// By how much each corner's share of a triangle's area is more than a third: a vertex's weight in a face is shared
/// evenly by the triangles that it has there, all of which have the same area in the parent.
std::vector<std::array<double, 3>> corner_shares(const RidingSurface& surface);

}  // namespace bulwark

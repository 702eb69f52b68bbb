// What a frame shows of bodies whose solids have radii: meshes that ride on stiff bodies, balls around lone
// points and tubes along rods; of a planar scene also the areas within obstacles. Found once for a world; each frame brings new places.
#pragma once

#include <bulwark/sim/world.hpp>

#include <array>
#include <complex>
#include <vector>

namespace bulwark {

class FrameSkin {
 public:
  explicit FrameSkin(const World& world);

  int point_count() const { return static_cast<int>(point_body_.size()); }
  const std::vector<int>& point_body() const { return point_body_; }
  /// By numbers of these points.
  const std::vector<Triangle>& triangles() const { return triangles_; }

  /// Where the points are, given the controls and the vertices of the collision mesh.
  Vectors positions(const World& world, const Vectors& controls, const Vectors& vertices) const;
  /// Vectors of the vertices, such as velocities, at the points; those of stiff bodies by their own motion.
  Vectors values(const World& world, const Vectors& controls, const Vectors& vertices) const;

 private:
  /// A ball around a vertex.
  struct Ball {
    int vertex, first_point;
    double radius;
  };
  /// A tube along vertices, with a round tip at ends that are open.
  struct Tube {
    std::vector<int> vertices;
    int first_point;
    double radius;
    bool closed;
  };
  /// What an obstacle of a planar scene covers, by two of its vertices a and b: as complex numbers, with X at rest,
  /// x = x_a + (x_b - x_a) (X - X_a) / (X_b - X_a).
  struct Plate {
    int a, b, first_point;
    std::vector<std::complex<double>> shares;
  };
  void add_plate(const World& world, const Body& body);
  void set_plates(const Vectors& vertices, Vectors& result) const;
  void add_stiff(const World& world, int body);
  void set_stiff(const World& world, const Vectors& controls, Vectors& result) const;
  void add_ball(const World& world, int vertex);
  void add_tubes(const World& world, const Body& body, const std::vector<Edge>& segments);
  void add_tube(const World& world, Tube tube);
  void add_points(int body, int count) { point_body_.resize(point_body_.size() + count, body); }

  std::vector<int> point_body_;
  std::vector<Triangle> triangles_;
  std::vector<std::array<int, 2>> stiff_;  ///< body and first point
  std::vector<Ball> balls_;
  std::vector<Tube> tubes_;
  std::vector<Plate> plates_;
  SurfaceMesh ball_;  ///< of radius 1
  int around_ = 12;   ///< vertices around a tube
};

}  // namespace bulwark

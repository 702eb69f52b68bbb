#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    volume += tetrahedron_volume(mesh.vertices.col(t[0]), mesh.vertices.col(t[1]), mesh.vertices.col(t[2]),
                                 mesh.vertices.col(t[3]));
  }
  return volume;
}

/// 1 for a regular tetrahedron, 0 for a flat one: volume over the cube of the root mean square edge, scaled.
double quality(const TetMesh& mesh, const Tetrahedron& t) {
  double squares = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b)
      squares += (mesh.vertices.col(t[a]) - mesh.vertices.col(t[b])).squaredNorm();
  }
  return 6 * std::sqrt(2.0) *
         tetrahedron_volume(mesh.vertices.col(t[0]), mesh.vertices.col(t[1]), mesh.vertices.col(t[2]),
                            mesh.vertices.col(t[3])) /
         std::pow(squares / 6, 1.5);
}

double worst_quality(const TetMesh& mesh) {
  double worst = 1;
  for (const Tetrahedron& t : mesh.tetrahedra) worst = std::min(worst, quality(mesh, t));
  return worst;
}

/// Every edge is used once in each direction: closed, manifold and consistently oriented.
::testing::AssertionResult closed_manifold(const SurfaceMesh& mesh) {
  std::map<Edge, int> uses;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++uses[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : uses) {
    const auto back = uses.find({edge[1], edge[0]});
    if (count != 1 || back == uses.end()) {
      return ::testing::AssertionFailure()
             << "edge " << edge[0] << "-" << edge[1] << " used " << count << " times";
    }
  }
  return ::testing::AssertionSuccess();
}

int euler_characteristic(const SurfaceMesh& mesh) {
  return int(mesh.vertices.cols()) - int(unique_edges(mesh.triangles).size()) + int(mesh.triangles.size());
}

struct SolidCase {
  Shape shape;
  double volume;
  int euler;
  double quality;
};

double gear_volume(const GearShape& gear) {
  // Area by the shoelace formula over the outline's definition, sampled finely.
  const double pitch = gear.module * gear.teeth / 2, base = pitch * std::cos(M_PI / 9);
  const double root = pitch - 1.25 * gear.module, tip = pitch + gear.module;
  const auto inv = [](double a) { return std::tan(a) - a; };
  const double at_pitch = M_PI / (2 * gear.teeth) - 0.5 * gear_backlash * gear.module / pitch;
  double tooth = 0;
  const int n = 10000;
  for (int i = 0; i < n; ++i) {
    const double r = root + (tip - root) * (i + 0.5) / n;
    tooth += 2 * (at_pitch + inv(M_PI / 9) - inv(r > base ? std::acos(base / r) : 0)) * r * (tip - root) / n;
  }
  return gear.thickness * (M_PI * (root * root - gear.bore * gear.bore / 4) + gear.teeth * tooth);
}

/// Area of a disk whose radius follows the thread, widened by `clearance`.
double thread_area(double radius, double pitch, double clearance) {
  const double wave = 0.5 * thread_depth * pitch;
  return M_PI * (std::pow(radius + clearance - wave, 2) + wave * wave / 2);
}

double hexagon_area(double radius) {
  return 1.5 * std::sqrt(3.0) * radius * radius;
}

double bolt_volume(const BoltShape& bolt) {
  double volume = hexagon_area(bolt.head_radius) * bolt.head_height;
  const int n = 10000;
  for (int i = 0; i < n; ++i) {
    const double below_head = bolt.length * (i + 0.5) / n, fade = std::min(1.0, below_head / bolt.pitch);
    volume += thread_area(bolt.radius, bolt.pitch * fade, 0) * bolt.length / n;
  }
  return volume;
}

double nut_volume(const NutShape& nut) {
  return nut.height * (hexagon_area(nut.outer_radius) - thread_area(nut.radius, nut.pitch, nut.clearance));
}

std::vector<SolidCase> solids() {
  const double pi = M_PI;
  return {
      {BoxShape{{1, 2, 3}}, 6, 2, 0.3},
      {SphereShape{0.5}, pi / 6, 2, 0.3},
      {CylinderShape{0.5, 2}, pi / 2, 2, 0.3},
      {CapsuleShape{0.5, 2}, pi / 4 + pi / 6, 2, 0.2},
      {CapsuleShape{0.5, 1}, pi / 6, 2, 0.2},
      {ConeShape{0.5, 1}, pi / 12, 2, 0.2},
      {ConeShape{0.5, 4}, pi / 3, 2, 0.03},
      {TorusShape{1, 0.25}, 2 * pi * pi * 0.0625, 0, 0.2},
      {RingShape{1, 0.25, 1.5}, (2 * pi + 3) * pi * 0.0625, 0, 0.2},
      {TetrahedronShape{2}, 8 / (6 * std::sqrt(2.0)), 2, 0.5},
      {GearShape{20, 0.1, 0.2, 0.5}, gear_volume({20, 0.1, 0.2, 0.5}), 0, 0.02},
      {GearShape{8, 0.1, 0.2, 0}, gear_volume({8, 0.1, 0.2, 0}), 2, 0.02},
      {BoltShape{0.5, 2, 0.25, 0.9, 0.5}, bolt_volume({0.5, 2, 0.25, 0.9, 0.5}), 2, 0.05},
      {NutShape{0.5, 0.25, 0.5, 0.9, 0.025}, nut_volume({0.5, 0.25, 0.5, 0.9, 0.025}), 0, 0.05},
      {GearShape{60, 0.1, 0.3, 4.5}, gear_volume({60, 0.1, 0.3, 4.5}), 0, 0.02},
  };
}

TEST(Shapes, SolidsAreMadeOfWellShapedPositiveTetrahedra) {
  for (const SolidCase& c : solids()) {
    for (double resolution : {0.0, 0.2, 0.07}) {
      const TetMesh mesh = solid_mesh(c.shape, resolution);
      EXPECT_GT(worst_quality(mesh), c.quality) << shape_name(c.shape) << " at " << resolution;
    }
  }
}

TEST(Shapes, SolidsHaveClosedSurfacesOfTheRightTopology) {
  for (const SolidCase& c : solids()) {
    for (double resolution : {0.0, 0.2, 0.07}) {
      const TetMesh mesh = solid_mesh(c.shape, resolution);
      const SurfaceMesh surface = surface_mesh(c.shape, resolution);
      EXPECT_TRUE(closed_manifold(surface)) << shape_name(c.shape) << " at " << resolution;
      EXPECT_EQ(euler_characteristic(surface), c.euler) << shape_name(c.shape) << " at " << resolution;
      // Equal only when the tetrahedra neither overlap nor leave gaps.
      EXPECT_NEAR(enclosed_volume(surface.vertices, surface.triangles), volume_of(mesh), 1e-9 * c.volume)
          << shape_name(c.shape) << " at " << resolution;
    }
  }
}

TEST(Shapes, VolumesConvergeToTheClosedForm) {
  for (const SolidCase& c : solids()) {
    const double coarse = std::abs(volume_of(solid_mesh(c.shape, 0.1)) / c.volume - 1);
    const double fine = std::abs(volume_of(solid_mesh(c.shape, 0.025)) / c.volume - 1);
    EXPECT_LT(fine, 0.003) << shape_name(c.shape);
    EXPECT_LT(fine, coarse / 8 + 1e-3) << shape_name(c.shape);
  }
}

TEST(Shapes, EdgesKeepToTheResolution) {
  for (const SolidCase& c : solids()) {
    for (double resolution : {0.2, 0.07}) {
      const SurfaceMesh mesh = surface_mesh(c.shape, resolution);
      double sum = 0;
      const std::vector<Edge> edges = unique_edges(mesh.triangles);
      for (const Edge& e : edges) sum += (mesh.vertices.col(e[0]) - mesh.vertices.col(e[1])).norm();
      EXPECT_LT(sum / double(edges.size()), 1.7 * resolution) << shape_name(c.shape);
    }
  }
}

TEST(Shapes, SolidsAreCentredAtTheOriginAndHaveTheirSize) {
  const auto extent = [](const Shape& shape) -> Vector3 {
    const SurfaceMesh mesh = surface_mesh(shape, 0.05);
    EXPECT_NEAR((mesh.vertices.rowwise().maxCoeff() + mesh.vertices.rowwise().minCoeff()).norm(), 0, 1e-9)
        << shape_name(shape);
    return mesh.vertices.rowwise().maxCoeff() - mesh.vertices.rowwise().minCoeff();
  };
  EXPECT_TRUE(extent(BoxShape{{1, 2, 3}}).isApprox(Vector3(1, 2, 3)));
  EXPECT_NEAR(extent(CapsuleShape{0.5, 2}).y(), 2, 1e-12);
  EXPECT_NEAR(extent(CylinderShape{0.5, 2}).x(), 1, 1e-12);
  EXPECT_TRUE(extent(RingShape{1, 0.25, 1.5}).isApprox(Vector3(4, 0.5, 2.5), 1e-3));
  EXPECT_NEAR(extent(GearShape{20, 0.1, 0.2, 0.5}).x(), 2.2, 0.01);
}

TEST(Shapes, ABoxIsOneCellUnlessAskedForMore) {
  const SurfaceMesh surface = surface_mesh(BoxShape{{4, 0.2, 4}});
  EXPECT_EQ(surface.vertices.cols(), 8);
  EXPECT_EQ(surface.triangles.size(), 12u);
  EXPECT_EQ(solid_mesh(BoxShape{{4, 0.2, 4}}).tetrahedra.size(), 5u);
  EXPECT_EQ(solid_mesh(BoxShape{{1, 1, 1}}, 0.1).vertices.cols(), 11 * 11 * 11);
  EXPECT_EQ(solid_mesh(TetrahedronShape{1}).tetrahedra.size(), 1u);
}

TEST(Shapes, ASphereHasAllSurfaceVerticesOnTheSphere) {
  const SurfaceMesh mesh = surface_mesh(SphereShape{0.3}, 0.05);
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i)
    EXPECT_NEAR(mesh.vertices.col(i).norm(), 0.3, 1e-12);
}

TEST(Shapes, TwoGearsAtTheirIdealDistanceKeepClear) {
  // A tooth of one gear faces a gap of the other: compare widths at the pitch circle.
  const GearShape gear{20, 0.1, 0.2, 0.5};
  const SurfaceMesh mesh = surface_mesh(gear, 0.01);
  double widest = 0;
  for (Eigen::Index i = 0; i < mesh.vertices.cols(); ++i) {
    const double r = std::hypot(mesh.vertices(0, i), mesh.vertices(2, i));
    const double angle = std::abs(std::atan2(mesh.vertices(2, i), mesh.vertices(0, i)));
    if (std::abs(r - 1) < 0.006 && angle < M_PI / 20) widest = std::max(widest, 2 * angle);
  }
  EXPECT_GT(widest, 0.9 * M_PI / 20);
  EXPECT_LT(widest, M_PI / 20);
}

TEST(Shapes, ANutTurnsFreelyOnItsBolt) {
  // The nut, turned by an angle and moved by that part of a pitch, stays outside the bolt's ideal thread.
  const NutShape shape;
  const SurfaceMesh nut = surface_mesh(shape);
  for (double turn : {0.0, 0.3, 2.0, 5.0}) {
    for (Eigen::Index i = 0; i < nut.vertices.cols(); ++i) {
      const Vector3 rest = nut.vertices.col(i);
      if (std::hypot(rest.x(), rest.z()) > shape.radius + shape.clearance + 1e-9) continue;
      // About +y a right-handed turn goes from z to x.
      const Vector3 x = Eigen::AngleAxisd(turn, Vector3::UnitY()) * rest +
                        turn / (2 * M_PI) * shape.pitch * Vector3::UnitY();
      const double phase = x.y() / shape.pitch + std::atan2(x.z(), x.x()) / (2 * M_PI);
      const double bolt = shape.radius - 0.5 * thread_depth * shape.pitch * (1 - std::cos(2 * M_PI * phase));
      EXPECT_NEAR(std::hypot(x.x(), x.z()) - bolt, shape.clearance, 1e-9);
    }
  }
}

TEST(Shapes, SheetsFaceUp) {
  const SurfaceMesh grid = surface_mesh(GridShape{{2, 3}, {4, 5}});
  EXPECT_EQ(grid.vertices.cols(), 30);
  EXPECT_EQ(grid.triangles.size(), 40u);
  double area = 0;
  for (const Triangle& t : grid.triangles) {
    const Vector3 a = grid.vertices.col(t[0]), b = grid.vertices.col(t[1]), c = grid.vertices.col(t[2]);
    const Vector3 normal = (b - a).cross(c - a);
    EXPECT_GT(normal.y(), 0);
    area += normal.norm() / 2;
  }
  EXPECT_NEAR(area, 6, 1e-12);
  const SurfaceMesh field = surface_mesh(HeightFieldShape{{1, 2}, {{0, 1, 2}, {3, 4, 5}}});
  EXPECT_EQ(field.vertices.cols(), 6);
  EXPECT_TRUE(Vector3(field.vertices.col(5)).isApprox(Vector3(0.5, 5, 1)));
  EXPECT_TRUE(Vector3(field.vertices.col(1)).isApprox(Vector3(0, 1, -1)));
}

TEST(Shapes, LinesAndPointsAreCodimensional) {
  const SurfaceMesh line = surface_mesh(LineShape{{0, 0, 0}, {1, 0, 0}, 4});
  EXPECT_EQ(line.vertices.cols(), 5);
  EXPECT_EQ(line.edges.size(), 4u);
  EXPECT_TRUE(line.triangles.empty());
  const SurfaceMesh cloud = surface_mesh(PointsShape{{{0, 0, 0}, {1, 2, 3}}});
  EXPECT_EQ(cloud.points, (std::vector<int>{0, 1}));
}

TEST(Shapes, ImpossibleParametersAreAnsweredWithAnError) {
  const std::vector<Shape> bad = {
      BoxShape{{1, 0, 1}},
      SphereShape{-1},
      SphereShape{NAN},
      CylinderShape{1, INFINITY},
      CapsuleShape{1, 1},
      ConeShape{0, 1},
      TorusShape{1, 1},
      RingShape{1, 0.2, -1},
      TetrahedronShape{0},
      GearShape{3, 1, 1, 0},
      GearShape{20, 1, 1, 19},
      BoltShape{1, 1, 1, 2, 1},
      BoltShape{1, 1, 0.1, 1, 1},
      NutShape{1, 0.1, 1, 1, 0},
      GridShape{{1, 1}, {0, 1}},
      LineShape{{0, 0, 0}, {0, 0, 0}, 1},
      PointsShape{},
      PointsShape{{{0, NAN, 0}}},
      HeightFieldShape{{1, 1}, {{1, 2}}},
      HeightFieldShape{{1, 1}, {{1, 2}, {1}}},
  };
  for (const Shape& shape : bad) EXPECT_THROW(surface_mesh(shape), InputError) << shape_name(shape);
  EXPECT_THROW(solid_mesh(GridShape{}), InputError);
  EXPECT_THROW(solid_mesh(BoxShape{}, -1), InputError);
  for (const SolidCase& c : solids())
    EXPECT_THROW(solid_mesh(c.shape, 1e-6), InputError) << shape_name(c.shape);
}

}  // namespace
}  // namespace bulwark

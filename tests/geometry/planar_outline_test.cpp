#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/geometry/planar_triangles.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b) {
  const int shift = static_cast<int>(a.vertices.cols());
  a.vertices.conservativeResize(3, shift + b.vertices.cols());
  a.vertices.rightCols(b.vertices.cols()) = b.vertices;
  for (const Edge& e : b.edges) a.edges.push_back({e[0] + shift, e[1] + shift});
  return a;
}

double area_of(const SolidMesh& mesh) {
  double sum = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const Vector3 a = mesh.vertices.col(mesh.cell(c)[0]), u = mesh.vertices.col(mesh.cell(c)[1]) - a,
                  v = mesh.vertices.col(mesh.cell(c)[2]) - a;
    const double twice = u.x() * v.y() - u.y() * v.x();
    EXPECT_GT(twice, 0) << "triangle " << c << " is counterclockwise";
    sum += twice / 2;
  }
  return sum;
}

TEST(PlanarOutline, ARectangleHasItsMomentsFarFromTheOriginToo) {
  for (const double away : {0.0, 1e6}) {
    const SurfaceMesh box = planar_curve({{away, 0}, {away + 3, 0}, {away + 3, 2}, {away, 2}}, true);
    const MassMoments m = planar_moments(box, 5, 0);
    EXPECT_NEAR(m.volume, 6, 1e-8);
    EXPECT_NEAR(m.mass, 30, 1e-8);
    EXPECT_NEAR(m.center.x(), away + 1.5, 1e-8);
    EXPECT_NEAR(m.second(0, 0), 30 * 9.0 / 12, 1e-7);
    EXPECT_NEAR(m.second(1, 1), 30 * 4.0 / 12, 1e-7);
    EXPECT_NEAR(m.second(0, 1), 0, 1e-7);
  }
}

TEST(PlanarOutline, TheSenseOfACurveDoesNotMatterAndCurvesWithinAreHoles) {
  const SurfaceMesh outer = planar_curve({{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}, true);
  const SurfaceMesh hole = planar_curve({{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}, true);
  const SurfaceMesh same_sense = planar_curve({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, true);
  for (const SurfaceMesh& inner : {hole, same_sense}) {
    const MassMoments m = planar_moments(joined(outer, inner), 1, 0);
    EXPECT_NEAR(m.volume, 12, 1e-12);
    EXPECT_NEAR(m.second(0, 0), (256.0 - 16) / 12, 1e-11);
  }
}

TEST(PlanarOutline, RoundShapesHaveTheirClosedForms) {
  SurfaceMesh disk = planar_curve({{1, 2}}, false);
  disk.edges.clear();
  disk.points = {0};
  disk.radius = {0.5};
  const MassMoments m = planar_moments(disk, 1, 0);
  EXPECT_NEAR(m.volume, pi / 4, 1e-15);
  EXPECT_NEAR(m.second(0, 0) + m.second(1, 1), pi * std::pow(0.5, 4) / 2, 1e-15);
  // A capsule against a fine polygon of the same outline.
  SurfaceMesh capsule = planar_curve({{0, -1}, {0, 1}}, false);
  capsule.radius = {0.5, 0.5};
  std::vector<Vector2> rim;
  for (int k = 0; k <= 2000; ++k)
    rim.emplace_back(0.5 * std::cos(pi * k / 2000), 1 + 0.5 * std::sin(pi * k / 2000));
  for (int k = 0; k <= 2000; ++k)
    rim.emplace_back(-0.5 * std::cos(pi * k / 2000), -1 - 0.5 * std::sin(pi * k / 2000));
  const MassMoments round = planar_moments(capsule, 1, 0),
                    faceted = planar_moments(planar_curve(rim, true), 1, 0);
  EXPECT_NEAR(round.volume, faceted.volume, 1e-5);
  EXPECT_NEAR(round.second(0, 0), faceted.second(0, 0), 1e-5);
  EXPECT_NEAR(round.second(1, 1), faceted.second(1, 1), 1e-5);
}

TEST(PlanarOutline, AnOpenOutlineHasTheMassOfItsWidth) {
  const MassMoments m = planar_moments(planar_curve({{0, 0}, {2, 0}}, false), 10, 0.1);
  EXPECT_NEAR(m.mass, 2, 1e-14);
  EXPECT_NEAR(m.second(0, 0), 2 * 4.0 / 12, 1e-14);
  EXPECT_EQ(planar_moments(planar_curve({{0, 0}, {2, 0}}, false), 10, 0).mass, 0);
}

TEST(PlanarOutline, AConcaveOutlineIsFilledAndNothingElse) {
  const SurfaceMesh vee = planar_curve({{0, 0}, {2, 2}, {1, 2}, {0, 1}, {-1, 2}, {-2, 2}}, true);
  const SurfaceMesh area = filled_outline(vee.vertices, vee.edges);
  double sum = 0;
  for (const Triangle& t : area.triangles) {
    const Vector3 a = area.vertices.col(t[0]), u = area.vertices.col(t[1]) - a,
                  v = area.vertices.col(t[2]) - a;
    EXPECT_GE(u.x() * v.y() - u.y() * v.x(), 0);
    sum += 0.5 * (u.x() * v.y() - u.y() * v.x());
  }
  EXPECT_NEAR(sum, 3, 1e-14);
}

TEST(PlanarTriangles, ShapesAreFilledByCounterclockwiseTriangles) {
  EXPECT_NEAR(area_of(triangulated_rectangle({3, 2}, {5, 4})), 6, 1e-13);
  EXPECT_NEAR(area_of(triangulated_regular_polygon(1, 5, 3)), 2.5 * std::sin(2 * pi / 5), 1e-13);
  EXPECT_NEAR(area_of(triangulated_disk(1, 12)), pi, 0.01);
  const std::vector<Vector2> ell = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  EXPECT_NEAR(area_of(triangulated_polygon(ell, 0.3)), 4, 1e-12);
  std::vector<Vector2> clockwise(ell.rbegin(), ell.rend());
  EXPECT_NEAR(area_of(triangulated_polygon(clockwise, 0)), 4, 1e-12);
}

TEST(PlanarTriangles, RaisedMeshesShareTheNodesOfTheirSides) {
  for (int order = 1; order <= 4; ++order) {
    const SolidMesh mesh = raised(triangulated_rectangle({1, 1}, {2, 2}), order);
    EXPECT_EQ(mesh.vertices.cols(), (2 * order + 1) * (2 * order + 1)) << order;
    EXPECT_EQ(boundary_faces(mesh).size(), 8u);
  }
}

}  // namespace
}  // namespace bulwark

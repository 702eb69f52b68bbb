// Patches of overlapping solids: areas, depths and points of spheres and boxes, and what they must not depend on.
#include "collision/test_meshes.hpp"

#include <bulwark/collision/contact_patches.hpp>
#include <bulwark/collision/wall_thickness.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <random>

namespace bulwark::test {
namespace {

constexpr double pi = std::numbers::pi;

SurfaceMesh moved(SurfaceMesh surface, const Vector3& by) {
  surface.vertices.colwise() += by;
  return surface;
}

SurfaceMesh box(const Vector3& size, const Vector3& center) {
  return moved(surface_mesh(BoxShape{size}), center);
}

ContactPatches patches_of(const TestMesh& t, const std::vector<std::array<int, 2>>& bodies,
                          double depth_limit = 0.5, double reach = 0.5) {
  const OverlapSearch search(t.mesh, bodies);
  const TrianglePairs pairs = search.find(t.positions, std::vector<double>(t.mesh.bodies.size(), reach));
  return contact_patches(t.mesh, t.positions, pairs, std::vector<double>(t.mesh.bodies.size(), depth_limit));
}

/// sum of weight x over the points of one side of a patch, by shares.
Vector3 side_of(const TestMesh& t, const ContactPatches& found, const ContactPatch& patch, int body) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = patch.first_point; k < patch.first_point + patch.point_count; ++k) {
    const PatchPoint& point = found.points[k];
    for (int i = 0; i < 6; ++i) {
      if (point.vertex[i] >= 0 && t.mesh.vertex_body[point.vertex[i]] == body)
        sum += point.share * point.weight[i] * t.positions.col(point.vertex[i]);
    }
  }
  return sum;
}

/// What holds for every patch.
void expect_sound(const TestMesh& t, const ContactPatches& found) {
  for (const ContactPatch& patch : found.patches) {
    EXPECT_LT(patch.body_a, patch.body_b);
    EXPECT_NEAR(patch.normal.norm(), 1, 1e-12);
    EXPECT_GT(patch.area, 0);
    EXPECT_GT(patch.depth, 0);
    double shares = 0;
    for (std::size_t k = patch.first_point; k < patch.first_point + patch.point_count; ++k) {
      const PatchPoint& point = found.points[k];
      shares += point.share;
      double of_a = 0, of_b = 0;
      for (int i = 0; i < 6; ++i) {
        if (point.vertex[i] < 0) continue;
        (t.mesh.vertex_body[point.vertex[i]] == patch.body_a ? of_a : of_b) += point.weight[i];
      }
      EXPECT_NEAR(of_a, 1, 1e-9);
      EXPECT_NEAR(of_b, -1, 1e-9);
    }
    EXPECT_NEAR(shares, 1, 1e-12);
    // A plane's vertex may be anywhere on it.
    if (std::any_of(t.mesh.planes.begin(), t.mesh.planes.end(), [&](const CollisionPlane& plane) {
          return plane.body == patch.body_a || plane.body == patch.body_b;
        }))
      continue;
    const Vector3 a = side_of(t, found, patch, patch.body_a), b = -side_of(t, found, patch, patch.body_b);
    EXPECT_NEAR((0.5 * (a + b) - patch.point).norm(), 0, 1e-9);
  }
}

TEST(ContactPatches, ABoxOnAPlaneIsOneFlatPatch) {
  TestMesh t;
  const int brick = t.add(box({2, 1, 3}, {0.3, 0.49, -0.2}));
  const int floor = t.add_plane({0, 0, 0}, {0, 1, 0});
  const ContactPatches found = patches_of(t, {{brick, floor}});
  ASSERT_EQ(found.patches.size(), 1u);
  expect_sound(t, found);
  const ContactPatch& patch = found.patches[0];
  EXPECT_NEAR(patch.area, 6, 1e-12);
  EXPECT_NEAR(patch.depth, 0.01, 1e-12);
  EXPECT_NEAR(patch.growth(), 0, 1e-9);
  EXPECT_NEAR((patch.normal - Vector3::UnitY()).norm(), 0, 1e-12) << "out of the second body";
  EXPECT_NEAR((patch.point - Vector3(0.3, -0.005, -0.2)).norm(), 0, 1e-12);
}

TEST(ContactPatches, TheBodyOfThePlaneMayComeFirst) {
  TestMesh t;
  const int floor = t.add_plane({0, 0, 0}, {0, 1, 0});
  const int brick = t.add(box({2, 1, 3}, {0, 0.49, 0}));
  const ContactPatches found = patches_of(t, {{floor, brick}});
  ASSERT_EQ(found.patches.size(), 1u);
  expect_sound(t, found);
  EXPECT_NEAR((found.patches[0].normal + Vector3::UnitY()).norm(), 0, 1e-12);
}

TEST(ContactPatches, BoxesOnEachOtherShareTheSmallerFaceWhicheverComesFirst) {
  for (const bool turned : {false, true}) {
    TestMesh t;
    const SurfaceMesh below = box({4, 1, 4}, {0, -0.5, 0}), above = box({1, 1, 2}, {0.7, 0.48, 0.2});
    t.add(turned ? above : below);
    t.add(turned ? below : above);
    const ContactPatches found = patches_of(t, {{0, 1}});
    ASSERT_EQ(found.patches.size(), 1u);
    expect_sound(t, found);
    const ContactPatch& patch = found.patches[0];
    EXPECT_NEAR(patch.area, 2, 1e-9);
    EXPECT_NEAR(patch.depth, 0.02, 1e-12);
    EXPECT_NEAR(patch.normal[1], turned ? 1 : -1, 1e-9);
    EXPECT_NEAR((patch.point - Vector3(0.7, -0.01, 0.2)).norm(), 0, 1e-9);
  }
}

TEST(ContactPatches, SpheresShareTheDiscOfTheirLens) {
  const double R = 1, depth = 0.02;
  for (const int rings : {60, 121}) {
    TestMesh t;
    const int plane = t.add_plane({0, 0, 0}, {0, 0, 1});
    const int on_plane = t.add(sphere(rings, R, {0, 0, R - depth}));
    const int other = t.add(sphere(rings, R, {0, 0, 3 * R - 2 * depth}));
    const ContactPatches found = patches_of(t, {{plane, on_plane}, {on_plane, other}}, 0.5, 0.1);
    ASSERT_EQ(found.patches.size(), 2u);
    expect_sound(t, found);
    // What the mesh leaves out: its faces are up to this inside of the sphere.
    const double side = pi * R / rings, sagitta = side * side / (4 * R);
    EXPECT_NEAR(found.patches[0].depth, depth, sagitta);
    EXPECT_NEAR(found.patches[0].area, pi * (2 * R * depth - depth * depth), 2 * pi * R * sagitta);
    EXPECT_NEAR(found.patches[0].growth(), 1, 0.1);
    // Of two spheres: the disc of the circle in which they meet, of the effective radius R/2.
    EXPECT_NEAR(found.patches[1].depth, depth, 2 * sagitta);
    EXPECT_NEAR(found.patches[1].area, pi * R * depth, 2 * pi * R * sagitta);
    EXPECT_NEAR(found.patches[1].growth(), 1, 0.2);
    EXPECT_NEAR(std::abs(found.patches[1].normal[2]), 1, 1e-3);
  }
}

TEST(ContactPatches, FeetAreApart) {
  TestMesh t;
  const int floor = t.add(box({10, 1, 10}, {0, -0.5, 0}));
  SurfaceMesh table = box({0.2, 1, 0.2}, {1, 0.499, 1});
  for (const Vector3& at : {Vector3(1, 0.498, -1), Vector3(-1, 0.497, 1), Vector3(-1, 0.496, -1)}) {
    append_surface(table, box({0.2, 1, 0.2}, at));
  }
  const int body = t.add(table);
  const ContactPatches found = patches_of(t, {{floor, body}}, 0.04);
  ASSERT_EQ(found.patches.size(), 4u);
  expect_sound(t, found);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(found.patches[k].area, 0.04, 1e-9);
    EXPECT_NEAR(found.patches[k].depth, 0.001 * static_cast<double>(k + 1), 1e-9);
  }
}

TEST(ContactPatches, TheFarSideOfAThinBodyIsNoContact) {
  TestMesh t;
  const int plate = t.add(box({4, 0.1, 4}, {0, -0.05, 0}));
  const int brick = t.add(box({1, 1, 1}, {0, 0.499, 0}));
  const ContactPatches found = patches_of(t, {{plate, brick}}, 0.3);
  ASSERT_EQ(found.patches.size(), 1u);
  EXPECT_NEAR(found.patches[0].depth, 0.001, 1e-9);
}

/// A box with a wall around a cavity.
SurfaceMesh hollow_box(double side, double wall, const Vector3& center) {
  SurfaceMesh outside = box(Vector3::Constant(side), center);
  SurfaceMesh inside = box(Vector3::Constant(side - 2 * wall), center);
  for (Triangle& t : inside.triangles) std::swap(t[1], t[2]);
  append_surface(outside, inside);
  return outside;
}

TEST(WallThickness, IsThatOfTheWallBehindEachTriangle) {
  TestMesh t;
  t.add(hollow_box(1, 0.02, {0.3, 0, 0}));
  t.add(box({4, 0.1, 4}, {0, 5, 0}));
  const std::vector<double> walls = wall_thickness(t.mesh, t.positions, {0.2, 0.2});
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const bool hollow = t.mesh.vertex_body[t.mesh.triangles[k][0]] == 0;
    if (hollow) {
      EXPECT_NEAR(walls[k], 0.02, 1e-12);
    } else {
      EXPECT_TRUE(std::isinf(walls[k]) || std::abs(walls[k] - 0.1) < 1e-12) << walls[k];
    }
  }
}

TEST(WallThickness, IsALengthOrInfiniteOnDamagedAndOpenMeshes) {
  const SurfaceMesh whole = box({1, 1, 1}, {0, 0, 0});
  std::vector<SurfaceMesh> damaged(9, whole);
  damaged[0].triangles.pop_back();                                 // open
  damaged[1].triangles.resize(1);                                  // one triangle alone
  damaged[2].triangles.push_back(whole.triangles[0]);              // a triangle twice
  for (Triangle& t : damaged[3].triangles) std::swap(t[0], t[1]);  // inside out
  damaged[4].triangles.push_back({0, 0, 1});                       // no area
  damaged[5].triangles.push_back({3, 3, 3});
  damaged[6].vertices *= 1e-160;  // areas below what numbers tell
  damaged[7].vertices *= 1e160;   // and beyond
  damaged[8].vertices.col(2) = damaged[8].vertices.col(5);
  for (std::size_t k = 0; k < damaged.size(); ++k) {
    SCOPED_TRACE("mesh " + std::to_string(k));
    TestMesh t;
    t.add(damaged[k]);
    for (const double deepest : {1e-300, 0.5, 2.0, 1e300, std::numeric_limits<double>::infinity()}) {
      for (const double wall : wall_thickness(t.mesh, t.positions, {deepest})) {
        EXPECT_GT(wall, 0);
        EXPECT_TRUE(wall <= deepest * (1 + 1e-12) || std::isinf(wall)) << wall;
      }
    }
  }
  // What is whole about an open box is told; where its lid was, there is nothing.
  SurfaceMesh without_lid = whole;
  std::erase_if(without_lid.triangles, [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(), [&](int v) { return whole.vertices(1, v) > 0; });
  });
  TestMesh open;
  open.add(without_lid);
  const std::vector<double> walls = wall_thickness(open.mesh, open.positions, {2});
  EXPECT_EQ(std::count_if(walls.begin(), walls.end(), [](double w) { return std::abs(w - 1) < 1e-12; }), 8);
  EXPECT_EQ(std::count_if(walls.begin(), walls.end(), [](double w) { return std::isinf(w); }), 2);
  // Places that are no numbers end nothing.
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    TestMesh t;
    t.add(whole);
    t.positions(1, 3) = bad;
    for (const double wall : wall_thickness(t.mesh, t.positions, {2})) EXPECT_FALSE(wall <= 0);
  }
}

TEST(ContactPatches, TheInsidesOfTwoHollowBodiesDoNotTouch) {
  for (const double gap : {0.01, -0.001}) {
    TestMesh t;
    const int first = t.add(hollow_box(1, 0.02, {0, 0, 0}));
    const int second = t.add(hollow_box(1, 0.02, {1 + gap, 0.01, 0.02}));
    const OverlapSearch search(t.mesh, {{first, second}});
    const TrianglePairs pairs = search.find(t.positions, {0.5, 0.5});
    const std::vector<double> limit = {0.1, 0.1};
    const ContactPatches found =
        contact_patches(t.mesh, t.positions, pairs, limit, wall_thickness(t.mesh, t.positions, {0.2, 0.2}));
    ASSERT_EQ(found.patches.size(), gap > 0 ? 0u : 1u);
    if (gap > 0) continue;
    EXPECT_NEAR(found.patches[0].depth, 0.001, 1e-9);
    EXPECT_NEAR(found.patches[0].normal.x(), -1, 1e-9);
  }
}

TEST(ContactPatches, BodiesApartHaveNone) {
  TestMesh t;
  t.add(box({1, 1, 1}, {0, 0, 0}));
  t.add(box({1, 1, 1}, {0, 1.0001, 0}));
  t.add_plane({0, -0.5001, 0}, {0, 1, 0});
  EXPECT_TRUE(patches_of(t, {{0, 1}, {0, 2}, {1, 2}}).patches.empty());
}

/// Random boxes and spheres in a heap, one on a plane.
TestMesh heap(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  TestMesh t;
  for (int k = 0; k < 5; ++k) {
    SurfaceMesh s = k % 2 == 0 ? sphere(8, 0.5) : surface_mesh(BoxShape{{0.8, 0.6, 0.7}});
    const Matrix3 turn = Eigen::AngleAxisd(unit(random), Vector3(unit(random), 1, unit(random)).normalized())
                             .toRotationMatrix();
    s.vertices = (turn * s.vertices).eval();
    t.add(moved(s, 0.7 * Vector3(unit(random), unit(random), unit(random))));
  }
  t.add_plane({0, -0.6, 0}, {0, 1, 0});
  return t;
}

const std::vector<std::array<int, 2>> heap_pairs = {{0, 1}, {0, 2}, {0, 5}, {1, 2}, {1, 3}, {1, 4},
                                                    {1, 5}, {2, 3}, {2, 5}, {3, 4}, {3, 5}, {4, 5}};

bool same(const ContactPatches& a, const ContactPatches& b) {
  if (a.patches.size() != b.patches.size() || a.points.size() != b.points.size()) return false;
  for (std::size_t k = 0; k < a.patches.size(); ++k) {
    const ContactPatch &p = a.patches[k], &q = b.patches[k];
    if (p.body_a != q.body_a || p.body_b != q.body_b || p.normal != q.normal || p.point != q.point ||
        p.area != q.area || p.depth != q.depth || p.volume != q.volume)
      return false;
  }
  for (std::size_t k = 0; k < a.points.size(); ++k) {
    if (a.points[k].vertex != b.points[k].vertex || a.points[k].weight != b.points[k].weight ||
        a.points[k].share != b.points[k].share)
      return false;
  }
  return true;
}

TEST(ContactPatches, DoNotDependOnPairsThatDoNotOverlapNorOnTheirOrder) {
  std::mt19937 random(8);
  int patches = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const TestMesh t = heap(random);
    const OverlapSearch search(t.mesh, heap_pairs);
    const std::vector<double> limit(t.mesh.bodies.size(), 0.15);
    TrianglePairs near = search.find(t.positions, std::vector<double>(t.mesh.bodies.size(), 0.1));
    TrianglePairs far = search.find(t.positions, std::vector<double>(t.mesh.bodies.size(), 1));
    EXPECT_LT(near.triangles.size(), far.triangles.size());
    EXPECT_TRUE(std::includes(far.triangles.begin(), far.triangles.end(), near.triangles.begin(),
                              near.triangles.end()));
    const ContactPatches found = contact_patches(t.mesh, t.positions, near, limit);
    expect_sound(t, found);
    patches += static_cast<int>(found.patches.size());
    std::shuffle(far.triangles.begin(), far.triangles.end(), random);
    std::shuffle(far.on_planes.begin(), far.on_planes.end(), random);
    EXPECT_TRUE(same(found, contact_patches(t.mesh, t.positions, far, limit))) << trial;
  }
  EXPECT_GT(patches, 60);
}

TEST(OverlapSearch, FindsEveryPairOfBoxesThatOverlap) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 10; ++trial) {
    TestMesh t;
    for (int b = 0; b < 3; ++b) t.add(soup(60, 0, 0.1, random));
    const std::vector<double> reach = {0.01, 0.05, 0.1};
    const TrianglePairs pairs = OverlapSearch(t.mesh, {{0, 1}, {0, 2}}).find(t.positions, reach);
    std::vector<std::array<int, 2>> wanted;
    for (int a = 0; a < 180; ++a) {
      for (int b = a + 1; b < 180; ++b) {
        const int body_a = a / 60, body_b = b / 60;
        if (body_a != 0 || body_b == 0) continue;
        bool overlap = true;
        for (int axis = 0; axis < 3; ++axis) {
          const auto ends = [&](int triangle, double r) {
            const Triangle& c = t.mesh.triangles[triangle];
            const Eigen::Vector3d x(t.positions(axis, c[0]), t.positions(axis, c[1]),
                                    t.positions(axis, c[2]));
            return std::pair(x.minCoeff() - r, x.maxCoeff() + r);
          };
          const auto of_a = ends(a, reach[body_a]), of_b = ends(b, reach[body_b]);
          overlap = overlap && of_a.first <= of_b.second && of_b.first <= of_a.second;
        }
        if (overlap) wanted.push_back({a, b});
      }
    }
    EXPECT_EQ(pairs.triangles, wanted);
  }
}

}  // namespace
}  // namespace bulwark::test

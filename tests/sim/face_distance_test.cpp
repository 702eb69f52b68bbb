// The bound on the distance of what collides from the true faces of the elements, against distances of sampled points.
#include <bulwark/bodies/face_surface.hpp>
#include <bulwark/collision/signed_distance.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/sim/face_distance.hpp>

#include <gtest/gtest.h>

#include <sim/curved_ball.hpp>
#include <sim/jointed_world.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace bulwark {
namespace {

/// The largest distance of sampled points of the faces of the world's one body from the triangles that collide.
double sampled_distance(const World& world) {
  const RidingSurface faces = face_surface(world.elements, world.rest, *world.bodies[0].face_cuts);
  const SignedDistance distance(world.collision.rest, world.collision.triangles);
  constexpr int parts = 8;
  double largest = 0;
  for (const FacePart& part : faces.parts) {
    const ElementGeometry geometry =
        element_geometry(world.elements, world.elements.elements[part.element], world.rest);
    for (int i = 0; i <= parts; ++i) {
      for (int j = 0; i + j <= parts; ++j) {
        const double u = static_cast<double>(i) / parts, v = static_cast<double>(j) / parts;
        const Vector3 parent = (1 - u - v) * part.parent[0] + u * part.parent[1] + v * part.parent[2];
        largest =
            std::max(largest, distance.unsigned_distance(geometry.rest * geometry.functions(parent).value));
      }
    }
  }
  return largest;
}

void expect_bound(const World& world, double slack) {
  const double sampled = sampled_distance(world), bound = face_distance(world, world.bodies[0]);
  EXPECT_GT(sampled, 0);
  EXPECT_GE(bound, sampled);
  EXPECT_LE(bound, slack * sampled);
}

World ball(int order, int cuts) {
  World world;
  add_deformable(world, test::curved_ball(0.1, 0.05, order), {}, named("ball", {1, 2, 3}),
                 MassKind::consistent, {cuts, {}});
  return world;
}

TEST(FaceDistance, OfCurvedTetrahedraIsAboveEverySampleAndNear) {
  for (const int order : {2, 3}) {
    for (const int cuts : {2, 4}) expect_bound(ball(order, cuts), 3);
  }
}

TEST(FaceDistance, FallsWithTheSquareOfTheCuts) {
  const World coarse = ball(2, 2), fine = ball(2, 8);
  EXPECT_NEAR(face_distance(coarse, coarse.bodies[0]) / face_distance(fine, fine.bodies[0]), 16, 2);
}

TEST(FaceDistance, OfAncfBeamsAndShellsIsAboveEverySampleAndNear) {
  ElasticMaterial m;
  m.width = 0.02;
  m.height = 0.01;
  for (const int cuts : {1, 2, 5}) {
    World tube;
    add_ancf(tube, ancf_cylinder(0.2, 0.3, std::numbers::pi, 6, 2), m, named("tube", {0, 0, 0}), cuts);
    expect_bound(tube, 3);
    World ring;
    add_ancf(ring, ancf_beam_mesh(surface_mesh(CircleShape{0.2, 12}), Vector3::UnitY(), "ring"), m,
             named("ring", {0, 0, 0}), cuts);
    expect_bound(ring, 3);
  }
  World plate;
  add_ancf(plate, ancf_plate(1, 1, 3, 2), m, named("plate", {0, 0, 0}));
  EXPECT_NEAR(face_distance(plate, plate.bodies[0]), 0, 1e-12);
}

TEST(FaceDistance, OfACarriedMeshIsThatOfTheFartherSurface) {
  // A sphere around a cube whose corners touch it, and faces that lie (sqrt(3) - 1) / 2 of a side below it.
  // Elements are half a side large: of thirds the mesh would be refused, as it lies farther away than one.
  World world;
  const double side = 0.1, radius = side * std::sqrt(3.0) / 2;
  const auto sphere = std::make_shared<const SurfaceMesh>(surface_mesh(SphereShape{radius}, 0.008));
  add_deformable(world, hexahedral_box({side, side, side}, {2, 2, 2}, 2), {}, named("cube", {0, 0, 0}),
                 MassKind::consistent, {0, sphere});
  const double bound = face_distance(world, world.bodies[0]), true_distance = radius - side / 2;
  EXPECT_GE(bound, 0.999 * true_distance);
  EXPECT_LE(bound, 1.15 * true_distance);
}

TEST(FaceDistance, OfAMeshThatIsTheFacesIsNearlyNothing) {
  World world;
  const auto box = std::make_shared<const SurfaceMesh>(surface_mesh(BoxShape{{0.1, 0.1, 0.1}}));
  add_deformable(world, hexahedral_box({0.1, 0.1, 0.1}, {2, 2, 2}, 1), {}, named("cube", {0, 0, 0}),
                 MassKind::lumped, {0, box});
  EXPECT_LE(face_distance(world, world.bodies[0]), 2.1e-3 * 0.1 * std::sqrt(3.0));
}

TEST(FaceDistance, OfFlatFacesAndOfOtherBodiesIsNothing) {
  World world;
  add_deformable(world, solid_mesh(BoxShape{{1, 1, 1}}, 0.5), {}, named("box", {0, 0, 0}));
  add_affine(world, surface_mesh(SphereShape{1}), {}, named("ball", {3, 0, 0}));
  add_shell(world, surface_mesh(GridShape{{1, 1}, {2, 2}}), {}, named("cloth", {6, 0, 0}));
  for (const Body& body : world.bodies) EXPECT_LE(face_distance(world, body), 1e-12) << body.name;
}

}  // namespace
}  // namespace bulwark

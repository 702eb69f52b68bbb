// The way of vertices with bodies that turn, and the step filter on it.
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/collision/vertex_path.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/world.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace bulwark {
namespace {

BodyOptions at(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

/// All vertices of body 0 turn by w about the center and move by d; the others stay.
VertexPath turning(const World& world, const Vector3& center, const Vector3& w, const Vector3& d) {
  VertexPath path = VertexPath::line(world.collision.rest, world.collision.rest);
  const Body& body = world.bodies[0];
  path.straight.middleCols(body.first_vertex, body.vertex_count).colwise() = d;
  path.turns.push_back({center, d, w});
  path.turn_of_body.assign(world.bodies.size(), -1);
  path.turn_of_body[0] = 0;
  return path;
}

TEST(VertexPath, FollowsTheRotationAndItsPartsAreItsBeginnings) {
  World world;
  add_rigid(world, surface_mesh(BoxShape{{1, 2, 3}}), {}, at("box", {1, 0, 0}));
  add_obstacle(world, surface_mesh(BoxShape{}), at("other", {9, 0, 0}));
  const Vector3 center(1, 0, 0), w(0.7, -2, 1.1), d(0.5, 0.1, -0.2);
  const VertexPath path = turning(world, center, w, d);
  const Body& body = world.bodies[0];
  for (const double t : {0.0, 0.25, 0.8, 1.0}) {
    const Vectors x = path.at(world.collision, t);
    const Vectors& rest = world.collision.rest;
    const Matrix3 R = rotation_matrix(Vector3(t * w));
    for (int v = 0; v < world.collision.vertex_count(); ++v) {
      const bool turns = v < body.first_vertex + body.vertex_count;
      const Vector3 expected =
          turns ? Vector3(center + t * d + R * (rest.col(v) - center)) : Vector3(rest.col(v));
      EXPECT_LT((x.col(v) - expected).norm(), 1e-14);
    }
    EXPECT_LT((path.part(0.4).at(world.collision, t) - path.at(world.collision, 0.4 * t)).norm(), 1e-13);
  }
}

TEST(VertexPath, TheFilterStopsABladeOnItsArcWhereTheChordsAreFree) {
  // A blade of length 2 turns by 180 degrees about y: each vertex's chord passes through the center, and
  // nothing is there. A post stands where the blade's end comes along at 90 degrees.
  World world;
  add_rigid(world, surface_mesh(BoxShape{{2, 0.2, 0.1}}), {}, at("blade", {0, 0, 0}));
  add_obstacle(world, surface_mesh(BoxShape{{0.1, 1, 0.1}}), at("post", {0, 0, 0.9}));
  Profile profile;
  const ContactScales scales = ContactScales::uniform(world.collision, {0.01, 0});
  StepFilter filter(world.collision, make_bvh(), make_ccd("additive"), scales, profile);
  const Vector3 w(0, std::numbers::pi, 0);
  const VertexPath path = turning(world, Vector3::Zero(), w, Vector3::Zero());
  const CollisionLimit limit = filter.largest_step(path);
  // The blade's face meets the post's edge at the angle where 0.9 cos - .. : short of 90 degrees by the two
  // halves' thickness over the radius, some 0.1 rad.
  EXPECT_LT(limit.step, 0.5);
  EXPECT_GT(limit.step, 0.4);
  // The same turn the other way meets the post with the other end.
  EXPECT_NEAR(filter.largest_step(turning(world, Vector3::Zero(), -w, Vector3::Zero())).step, limit.step,
              0.02);
  // A post inside the circle's hub height but outside of the blade's: free.
  World high;
  add_rigid(high, surface_mesh(BoxShape{{2, 0.2, 0.1}}), {}, at("blade", {0, 0, 0}));
  add_obstacle(high, surface_mesh(BoxShape{{0.1, 1, 0.1}}), at("post", {0, 0.7, 0.9}));
  StepFilter free_filter(high.collision, make_bvh(), make_ccd("additive"), scales, profile);
  EXPECT_EQ(free_filter.largest_step(turning(high, Vector3::Zero(), w, Vector3::Zero())).step, 1);
}

}  // namespace
}  // namespace bulwark

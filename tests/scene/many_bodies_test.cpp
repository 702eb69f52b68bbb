// Loading takes time in proportion to the number of bodies and joints: where it grew with the square, each of
// these would take minutes.
#include <bulwark/scene/load.hpp>
#include <bulwark/sim/arrays_fit.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace bulwark {
namespace {

Scene parsed(const std::string& bodies, const std::string& more = "") {
  const std::string head = R"({"bulwark": 1, "time": {"step": 0.01, "steps": 1}, )";
  const std::string materials = R"("materials": {"steel": {"model": "affine", "density": 7800}},)";
  return parse_scene(head + materials + "\"bodies\": [" + bodies + "]" + more + "}", "scene", {});
}

TEST(ManyBodies, AHundredThousandCopiesLoad) {
  const Scene scene =
      parsed(R"({"name": "box", "kind": "affine", "shape": {"box": [1, 1, 1]}, "material": "steel",
                                 "force": [0, 1, 0], "torque": [1, 0, 0],
                                 "repeat": {"count": [100, 10, 100], "spacing": [2, 2, 2]}})");
  const World& world = scene.world;
  ASSERT_EQ(world.bodies.size(), 100'000u);
  EXPECT_EQ(arrays_misfit(world), "");
  EXPECT_EQ(world.loads.size(), 100'000u);
  EXPECT_EQ(world.torques.back().stiff, 99'999);
  EXPECT_EQ(world.bodies.back().name, "box[99,9,99]");
  EXPECT_EQ(world.bodies.back().id, 99'999);
  EXPECT_EQ(Vector3(world.rest.col(world.bodies.back().first_control)), Vector3(198, 18, 198));
}

TEST(ManyBodies, TwentyThousandEntriesWithJointsAndPairsLoad) {
  constexpr int count = 20'000;
  std::string bodies, joints, pairs;
  for (int i = 0; i < count; ++i) {
    const char* comma = i > 0 ? "," : "";
    bodies += fmt::format(
        R"({}{{"name": "b{}", "kind": "affine", "shape": {{"box": [1, 1, 1]}}, "material": "steel", "position": [{}, 0, 0]}})",
        comma, i, 2 * i);
    // Hinges, each with a coordinate; pairs in an order that is not that of the bodies.
    joints += fmt::format(
        R"({}{{"kind": "hinge", "bodies": ["b{}", "world"], "point": [{}, 0, 0], "axis": [0, 0, 1]}})", comma,
        i, 2 * i);
    pairs += fmt::format(R"({}{{"between": ["b{}", "b{}"], "contact": false}})", comma, count - 1 - i,
                         (7919 * (count - 1 - i) + 1) % count);
  }
  const Scene scene =
      parsed(bodies, ", \"joints\": [" + joints + "], \"contact\": {\"pairs\": [" + pairs + "]}");
  const World& world = scene.world;
  EXPECT_EQ(world.bodies.size(), std::size_t{count});
  EXPECT_EQ(world.joints.size(), std::size_t{count});
  EXPECT_EQ(world.state.joint_coordinates.size(), count);
  EXPECT_GT(world.collision.exempt_pairs.size(), std::size_t{count / 2});
  EXPECT_TRUE(std::is_sorted(world.collision.exempt_pairs.begin(), world.collision.exempt_pairs.end()));
  EXPECT_EQ(arrays_misfit(world), "");
}

}  // namespace
}  // namespace bulwark

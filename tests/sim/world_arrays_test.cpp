// Whatever comes and goes, a world is the one that would have been built from what is left.
#include <bulwark/sim/append_parts.hpp>
#include <bulwark/sim/array_items.hpp>
#include <bulwark/sim/arrays_fit.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/world_arrays.hpp>
#include <bulwark/sim/world_change.hpp>

#include <sim/everything.hpp>
#include <sim/world_text.hpp>

#include <gtest/gtest.h>

#include <set>

namespace bulwark {
namespace {

using test::difference;
using test::Everything;
using test::member_count;

/// What a step makes of a world, or why it can't be taken.
std::string stepped(World world, const std::string& integrator, int* taken = nullptr) {
  Settings settings;
  settings.time.integrator = integrator;
  settings.solver.threads = 1;
  settings.contact.distance = {1e-3, false};
  try {
    Simulation simulation(std::move(world), settings);
    simulation.step();
    if (taken != nullptr) ++*taken;
    const State& s = simulation.world().state;
    return test::Text().all(s.position, s.velocity, s.joint_coordinates, s.joint_multipliers).text();
  } catch (const Error& error) {
    return error.what();
  }
}

std::set<std::string> kinds_of_joints(const World& world) {
  std::set<std::string> kinds;
  for (const Joint& joint : world.joints) kinds.insert(std::string(joint_kind_name(joint.kind)));
  return kinds;
}

/// Of arrays that may end early: as many as there are.
template <class Columns>
void expect_same_first_ones(const Columns& a, const Columns& b) {
  ASSERT_LE(a.cols(), b.cols());
  if (a.cols() > 0) {
    EXPECT_EQ(a, b.leftCols(a.cols()));
  }
}

void change_and_compare(unsigned seed, int changes, int step_every) {
  Everything everything(seed);
  std::set<std::string> seen;
  int taken = 0;
  for (int i = 0; i < changes; ++i) {
    const std::string what = everything.change(16);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", change " + std::to_string(i) + ": " + what);
    World& world = everything.world;
    World fresh = everything.built_anew();
    ASSERT_EQ(arrays_misfit(world), "");
    ASSERT_NO_THROW(require_sound(world));
    ASSERT_EQ(difference(world, fresh), "");
    World stamped = fresh;
    everything.stamp(stamped);
    expect_same_first_ones(world.state.previous_position, stamped.state.previous_position);
    expect_same_first_ones(world.state.previous_velocity, stamped.state.previous_velocity);
    expect_same_first_ones(world.applied_to_controls, stamped.applied_to_controls);
    const Eigen::Index multipliers = world.state.joint_multipliers.size();
    ASSERT_LE(multipliers, stamped.state.joint_multipliers.size());
    EXPECT_EQ(world.state.joint_multipliers, stamped.state.joint_multipliers.head(multipliers));
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const auto applied = [b](const World& w) { return b < w.applied.size() ? w.applied[b] : Applied(); };
      EXPECT_EQ(applied(world).force, applied(fresh).force);
      EXPECT_EQ(applied(world).torque, applied(fresh).torque);
    }
    if (testing::Test::HasFailure()) return;
    seen.merge(kinds_of_joints(world));
    if (i % step_every == step_every - 1) {
      const std::string integrator = i / step_every % 2 == 0 ? "implicit-euler" : "bdf2";
      world.applied_to_controls = fresh.applied_to_controls;
      world.state.previous_position = world.state.previous_velocity = Vectors();
      world.state.joint_multipliers = VectorX();
      EXPECT_EQ(stepped(world, integrator, &taken), stepped(fresh, integrator));
    }
    everything.stamp(world);
  }
  EXPECT_EQ(seen.size(), 12u) << "not all kinds of joints were there";
  EXPECT_GT(everything.refused(), 0);
  EXPECT_GE(taken, changes / step_every / 2) << "most worlds should be such that a step can be taken";
}

TEST(WorldWithEverything, IsAfterAnyChangesTheOneThatIsBuiltFromWhatIsLeft) {
  change_and_compare(1, 1000, 250);
}

TEST(SlowWorldWithEverything, IsAfterAnyChangesTheOneThatIsBuiltFromWhatIsLeft) {
  for (unsigned seed = 2; seed < 12 && !HasFailure(); ++seed) change_and_compare(seed, 1000, 25);
}

TEST(RemovedJoint, LeavesThoseBeforeAndAfterItAlone) {
  const auto build = [](int without) {
    World world;
    const SurfaceMesh bar = surface_mesh(BoxShape{{0.4, 0.05, 0.05}});
    for (int i = 0; i < 3; ++i) {
      BodyOptions options;
      options.name = "bar " + std::to_string(i);
      options.pose.position = {i + 0.2, 0, 0};
      add_affine(world, bar, {}, options);
    }
    for (int i = 0; i < 3; ++i) {
      if (i == without) continue;
      JointOptions hinge;
      hinge.name = "a name too long for a short string " + std::to_string(i);
      hinge.kind = JointKind::hinge;
      hinge.body_a = i;
      hinge.point = {1.0 * i, 0, 0};
      hinge.axis = {0, 0, 1};
      hinge.damping = 0.1;
      add_joint(world, hinge);
    }
    return world;
  };
  for (int removed = 0; removed < 3; ++removed) {
    World world = build(-1);
    std::vector<char> gone(3, 0);
    gone[removed] = 1;
    remove_joints(world, gone);
    EXPECT_EQ(difference(world, build(removed)), "");
  }
}

TEST(WorldWithEverything, IsTheSameWhenItsBodiesAreAppendedInParts) {
  for (const int first : {0, 1, 5}) {
    World one_by_one, joined;
    std::vector<World> parts;
    one_by_one.state.time = joined.state.time = 1.5;
    for (int key = 0; key < 40; ++key) {
      const test::BodyRecipe body{key, key % test::BodyRecipe::kinds, false};
      body.add(one_by_one);
      if (key < first) {
        body.add(joined);
        continue;
      }
      World part;
      part.state.time = 1.5;
      body.add(part);
      parts.push_back(std::move(part));
    }
    append_parts(joined, std::move(parts));
    EXPECT_EQ(difference(one_by_one, joined), "");
    EXPECT_EQ(arrays_misfit(joined), "");
    for (std::size_t i = 0; i < joined.bodies.size(); ++i)
      EXPECT_EQ(joined.bodies[i].id, static_cast<std::int64_t>(i));
    EXPECT_EQ(joined.next_body_id, 40);
  }
}

TEST(PendingParts, MoveWhatIsThereABoundedNumberOfTimes) {
  World world;
  PendingParts pending(world);
  const SurfaceMesh box = surface_mesh(BoxShape{{1, 1, 1}});
  int moves = 0;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    BodyOptions options;
    options.pose.position = {2.0 * i, 0, 0};
    const auto before = world.bodies.size();
    World part = pending.new_part();
    add_rigid(part, box, {}, options);
    EXPECT_EQ(pending.add(std::move(part)), i);
    if (world.bodies.size() != before) ++moves;
    EXPECT_EQ(pending.body_count(), i + 1);
    EXPECT_EQ(pending.control_count(), 4 * (i + 1));
  }
  pending.finish();
  EXPECT_EQ(world.bodies.size(), std::size_t{count});
  EXPECT_LT(moves, 10);
  EXPECT_EQ(arrays_misfit(world), "");
}

// Each number of each array, when it is wrong, is found.
struct Spoil {
  int target, seen = 0;
  void operator()(Thing, int& number, Relation) {
    if (seen++ == target) number = 1 << 24;
  }
  void range(Thing, int& first, int) {
    if (seen++ == target) first = 1 << 24;
  }
};

TEST(ArraysFit, FindsEveryNumberThatIsWrong) {
  Everything everything(3);
  for (int i = 0; i < 120; ++i) everything.change(14);
  const World good = everything.world;
  int arrays = 0, with_numbers = 0;
  visit_arrays([&](Thing, Extent, const char*, const auto&, const auto&) { ++arrays; }, good);
  for (int target = 0; target < arrays; ++target) {
    World bad = good;
    int array = 0;
    bool spoiled = false;
    std::string place;
    visit_arrays(
        [&](Thing, Extent, const char* name, const auto& numbers, auto& items) {
          if (array++ != target) return;
          place = name;
          Spoil spoil{1};  // the second one: the first could be that of an item that is not there
          change_items(items, [&](auto& item) { numbers(item, spoil); });
          spoiled = spoil.seen > 1;
        },
        bad);
    if (!spoiled) continue;
    ++with_numbers;
    EXPECT_NE(arrays_misfit(bad).find(place), std::string::npos) << place << ": " << arrays_misfit(bad);
    EXPECT_THROW(require_sound(bad), InputError) << place;
  }
  EXPECT_GE(with_numbers, 13);
}

TEST(ArraysFit, FindsEveryArrayOfAWrongLength) {
  Everything everything(4);
  for (int i = 0; i < 60; ++i) everything.change(14);
  const World good = everything.world;
  World bad = good;
  bad.gravity_mass.conservativeResize(bad.gravity_mass.size() - 1);
  EXPECT_NE(arrays_misfit(bad).find("gravity_mass"), std::string::npos);
  bad = good;
  bad.held.push_back(0);
  EXPECT_NE(arrays_misfit(bad).find("held"), std::string::npos);
  bad = good;
  bad.applied.resize(bad.bodies.size() + 1);
  EXPECT_NE(arrays_misfit(bad).find("applied"), std::string::npos);
  bad = good;
  bad.collision.weights.conservativeResize(bad.collision.vertex_count() - 1, bad.control_count());
  EXPECT_NE(arrays_misfit(bad).find("collision.weights"), std::string::npos);
}

TEST(WorldArrays, DescribeAllThatAWorldHas) {
  // Where one of these fails, a member is new: describe it in sim/world_arrays.hpp if it is an array or the
  // number of something, compare it in tests/sim/world_text.hpp, and then count it here.
  EXPECT_EQ(member_count<World>(), 27u);
  EXPECT_EQ(member_count<State>(), 13u);
  EXPECT_EQ(member_count<ContactMemory>(), 2u);
  EXPECT_EQ(member_count<CollisionMesh>(), 13u);
  EXPECT_EQ(member_count<ContactHistory>(), 4u);
  EXPECT_EQ(member_count<Body>(), 20u);
  EXPECT_EQ(member_count<CollisionBody>(), 5u);
  EXPECT_EQ(member_count<CollisionPlane>(), 3u);
  EXPECT_EQ(member_count<StiffBody>(), 9u);
  EXPECT_EQ(member_count<ElementTable>(), 3u);
  EXPECT_EQ(member_count<Element>(), 4u);
  EXPECT_EQ(member_count<Script>(), 4u);
  EXPECT_EQ(member_count<Load>(), 3u);
  EXPECT_EQ(member_count<Torque>(), 2u);
  EXPECT_EQ(member_count<Joint>(), 14u);
  EXPECT_EQ(member_count<ConstraintRow>(), 3u);
  EXPECT_EQ(member_count<JointCoordinate>(), 5u);
  EXPECT_EQ(member_count<JointDrive>(), 5u);
  EXPECT_EQ(member_count<WorldDrive>(), 6u);
  EXPECT_EQ(member_count<MaterialVector>(), 2u);
}

}  // namespace
}  // namespace bulwark

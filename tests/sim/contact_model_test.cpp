// Bodies that are not under the barrier: nothing keeps them apart, and all others are kept apart as before.
#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/simulation.hpp>

#include <sim/stiff_scene.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

using test::add_ground;
using test::at;

Settings settings_of(int threads = 1) {
  Settings settings;
  settings.solver.threads = threads;
  return settings;
}

int add_box(World& world, const std::string& name, const Vector3& position) {
  return add_affine(world, surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), {}, at(name, position));
}

/// A ghost that passes through the shelf, a box that lies on it, and the ground below all.
World ghost_scene() {
  World world;
  add_ground(world);
  add_obstacle(world, surface_mesh(BoxShape{{1, 0.1, 1}}), at("shelf", {0, 0.5, 0}));
  add_box(world, "ghost", {-0.25, 0.67, 0});
  add_box(world, "box", {0.25, 0.67, 0});
  world.model_pairs[{1, 2}] = ContactModelKind::none;
  return world;
}

double lowest(const World& world, int body) {
  const Body& b = world.bodies[body];
  return vertex_positions(world.collision, world.state.position)
      .middleCols(b.first_vertex, b.vertex_count)
      .row(1)
      .minCoeff();
}

bool kept_apart(const World& world) {
  return find_intersections(world.collision, vertex_positions(world.collision, world.state.position), 1)
      .empty();
}

TEST(ContactModels, APairOfNonePassesWhileOthersHold) {
  Simulation simulation(ghost_scene(), settings_of());
  for (int i = 0; i < 60; ++i) {
    simulation.step();
    ASSERT_TRUE(kept_apart(simulation.world()));
    ASSERT_GT(lowest(simulation.world(), 3), 0.55);
    ASSERT_GT(lowest(simulation.world(), 2), 0);
  }
  EXPECT_LT(lowest(simulation.world(), 2), 0.01) << "the ghost should lie on the ground";
  EXPECT_GT(simulation.contact_forces().norm(), 0);
}

TEST(ContactModels, WhatIsNotPromisedIsSaidWithNames) {
  World world = ghost_scene();
  update_contact_models(world);
  const std::string text = missing_promise(world, {});
  EXPECT_NE(text.find("1 pair of bodies ('shelf' and 'ghost')"), std::string::npos) << text;
  EXPECT_NE(text.find("1 under `none`"), std::string::npos) << text;
  ContactSettings off;
  off.enabled = false;
  EXPECT_NE(missing_promise(world, off).find("contact is off"), std::string::npos);
  world.model_pairs.clear();
  update_contact_models(world);
  EXPECT_EQ(missing_promise(world, {}), "");
}

TEST(ContactModels, TheModelOfTheSceneIsForAllPairsWithoutTheirOwn) {
  World world = ghost_scene();
  world.contact_model = ContactModelKind::none;
  world.model_pairs = {{{1, 3}, ContactModelKind::barrier}};
  update_contact_models(world);
  EXPECT_EQ(contact_model_between(world, 3, 1), ContactModelKind::barrier);
  EXPECT_EQ(contact_model_between(world, 2, 3), ContactModelKind::none);
  EXPECT_TRUE(world.collision.may_collide(1, 3));
  EXPECT_FALSE(world.collision.may_collide(0, 3));
  EXPECT_FALSE(world.collision.may_collide(2, 3));
  // The ground and the shelf never collide: they are no pair that something was promised of.
  EXPECT_EQ(pairs_under(world, ContactModelKind::none),
            (std::vector<std::array<int, 2>>{{0, 2}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(pairs_under(world, ContactModelKind::barrier).empty());
}

TEST(ContactModels, ExemptPairsAndGroupsStayWhatTheyAre) {
  World world = ghost_scene();
  world.collision.exempt(2, 3);
  update_contact_models(world);
  EXPECT_FALSE(world.collision.may_collide(2, 3));
  world.model_pairs[{2, 3}] = ContactModelKind::none;  // they did not collide anyway
  update_contact_models(world);
  EXPECT_EQ(world.collision.unguarded_pairs, (std::vector<std::array<int, 2>>{{1, 2}}));
  world.model_pairs.clear();
  update_contact_models(world);
  EXPECT_FALSE(world.collision.may_collide(2, 3));
  EXPECT_TRUE(world.collision.may_collide(1, 2));
}

TEST(ContactModels, RemovingABodyLeavesTheOtherPairsAsTheyWere) {
  for (const int removed : {0, 3}) {
    Simulation simulation(ghost_scene(), settings_of());
    for (int i = 0; i < 20; ++i) simulation.step();
    simulation.change([&](World& world) { remove_body(world, removed); });
    const World& world = simulation.world();
    const int shift = removed == 0 ? 1 : 0;
    EXPECT_EQ(world.collision.unguarded_pairs, (std::vector<std::array<int, 2>>{{1 - shift, 2 - shift}}));
    for (int i = 0; i < 20; ++i) simulation.step();
    EXPECT_TRUE(kept_apart(world));
    EXPECT_LT(lowest(world, 2 - shift), 0.3);
  }
}

TEST(ContactModels, BodiesAddedLaterAreUnderTheModelOfTheScene) {
  World world = ghost_scene();
  world.contact_model = ContactModelKind::none;
  world.model_pairs.clear();
  Settings settings = settings_of();
  settings.contact.model = ContactModelKind::none;
  Simulation simulation(std::move(world), settings);
  simulation.change([](World& w) { add_box(w, "late", {0, 0.5, 0}); });  // within the shelf
  EXPECT_FALSE(simulation.world().collision.may_collide(1, 4));
  EXPECT_NO_THROW(simulation.step());
}

TEST(ContactModels, APairThatComesUnderTheBarrierMustNotOverlap) {
  Simulation simulation(ghost_scene(), settings_of());
  while (lowest(simulation.world(), 2) > 0.5) simulation.step();
  EXPECT_THROW(simulation.change([](World& world) { world.model_pairs.clear(); }), IntersectionError);
  // The simulation is as before.
  EXPECT_NO_THROW(simulation.step());
  EXPECT_FALSE(simulation.world().collision.may_collide(1, 2));
}

/// Boxes that slide over the ground and bump into each other, under a model that changes in the midst of it.
State after_changes(int threads) {
  World world;
  add_ground(world);
  for (int k = 0; k < 6; ++k) {
    const int box = add_box(world, fmt::format("box {}", k), {0.201 * (k % 3), 0.1005 + 0.2006 * (k / 3), 0});
    world.state.velocity.col(world.bodies[box].first_control) = Vector3(1.0 - 0.4 * (k % 3), 0, 0.2 * k);
  }
  Settings settings = settings_of(threads);
  settings.time.step = 2e-3;
  settings.contact.friction = 0.3;
  settings.contact.patch_penalty.young = 1e7;
  Simulation simulation(std::move(world), settings);
  int contacts = 0;
  for (const auto model : {ContactModelKind::barrier, ContactModelKind::patch_penalty, ContactModelKind::none,
                           ContactModelKind::patch_penalty}) {
    simulation.change([&](World& changed) { changed.contact_model = model; });
    for (int step = 0; step < 5; ++step) contacts += simulation.step().contacts;
  }
  EXPECT_GT(contacts, 20);
  return simulation.world().state;
}

TEST(ContactModels, ChangesInTheMidstOfContactGiveTheSameBitsOnAnyNumberOfThreads) {
  const State one = after_changes(1), three = after_changes(3);
  EXPECT_TRUE(one.position.allFinite());
  EXPECT_EQ(one.position, three.position);
  EXPECT_EQ(one.velocity, three.velocity);
  EXPECT_EQ(one.contact_history, three.contact_history);
}

TEST(ContactModels, HistoryIsReplacedModelByModel) {
  State state;
  put_history(state, ContactModelKind::patch_penalty, {{ContactModelKind::patch_penalty, 2, 3, {1}}});
  put_history(state, ContactModelKind::hydroelastic,
              {{ContactModelKind::hydroelastic, 4, 5, {2}}, {ContactModelKind::hydroelastic, 0, 1, {3}}});
  put_history(state, ContactModelKind::patch_penalty, {{ContactModelKind::patch_penalty, 0, 9, {4, 5}}});
  const std::vector<ContactHistory> wanted = {{ContactModelKind::hydroelastic, 0, 1, {3}},
                                              {ContactModelKind::hydroelastic, 4, 5, {2}},
                                              {ContactModelKind::patch_penalty, 0, 9, {4, 5}}};
  EXPECT_EQ(state.contact_history, wanted);
}

}  // namespace
}  // namespace bulwark

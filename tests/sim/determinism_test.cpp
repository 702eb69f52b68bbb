// The same scene gives the same bits: on any number of threads, and when it is continued from a saved state.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

/// Soft bodies that fall onto each other: enough nodes for the large-system paths, contacts that come and go.
World pile() {
  World world;
  ElasticMaterial soft;
  soft.young = 2e4;
  auto add = [&](const std::string& name, const TetMesh& mesh, const Vector3& position, const Vector3& spin) {
    BodyOptions options;
    options.name = name;
    options.pose.position = position;
    options.angular_velocity = spin;
    add_deformable(world, mesh, soft, options);
  };
  add("mat", solid_mesh(BoxShape{{1, 0.1, 1}}, 0.11), {0, 0.07, 0}, {0, 0, 0});
  add("ball", solid_mesh(SphereShape{0.2}, 0.09), {0.05, 0.36, 0}, {0, 3, 1});
  add("ring", solid_mesh(TorusShape{0.2, 0.06}, 0.06), {-0.1, 0.68, 0.1}, {2, 0, 0});
  BodyOptions ground;
  ground.name = "ground";
  add_plane(world, {0, 0, 0}, {0, 1, 0}, ground);
  return world;
}

/// Affine, rigid and soft bodies that fall onto each other, one partly held and one scripted.
World mixed_pile() {
  World world;
  auto options = [](const std::string& name, const Vector3& position, const Vector3& spin) {
    BodyOptions result;
    result.name = name;
    result.pose.position = position;
    result.angular_velocity = spin;
    return result;
  };
  const SurfaceMesh box = surface_mesh(BoxShape{{0.3, 0.1, 0.2}});
  for (int k = 0; k < 6; ++k) {
    const Vector3 place(0.1 * (k % 2), 0.07 + 0.13 * k, 0.07 * (k % 3));
    const BodyOptions own = options("box " + std::to_string(k), place, {1.0 * k, 2, -1});
    if (k % 2 == 0) {
      add_affine(world, box, {}, own);
    } else {
      add_rigid(world, box, {}, own);
    }
  }
  ElasticMaterial soft;
  soft.young = 2e4;
  add_deformable(world, solid_mesh(SphereShape{0.1}, 0.06), soft,
                 options("ball", {0.05, 0.95, 0}, {0, 0, 0}));
  const int wheel = add_rigid(world, surface_mesh(CylinderShape{0.1, 0.1}, 0.05), {},
                              options("wheel", {-0.35, 0.2, 0}, {0, 0, 0}));
  hold_axes(world, wheel, {true, false, true}, {true, false, true});
  const int pusher = add_affine(world, box, {}, options("pusher", {0.5, 0.07, 0}, {0, 0, 0}));
  Motion motion;
  motion.linear_velocity = {-1, 0, 0};
  hold(world, pusher, SelectAll{}, motion);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, options("ground", {0, 0, 0}, {0, 0, 0}));
  return world;
}

/// A wall that a heavy ball strikes: bodies enough that Newton's method lets most of them rest.
World struck_wall() {
  World world;
  auto options = [](const std::string& name, const Vector3& position) {
    BodyOptions result;
    result.name = name;
    result.pose.position = position;
    return result;
  };
  const SurfaceMesh box = surface_mesh(BoxShape{{0.5, 0.5, 0.5}});
  for (int k = 0; k < 20; ++k) {
    const Vector3 place(0, 0.26 + 0.51 * (k / 5), 0.52 * (k % 5));
    add_rigid(world, box, {}, options("box " + std::to_string(k), place));
  }
  BodyOptions ball = options("ball", {-0.75, 1.2, 0.7});
  ball.velocity = {8, 0, 0};
  add_affine(world, surface_mesh(SphereShape{0.4}, 0.15), {7000}, ball);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, options("ground", {0, 0, 0}));
  return world;
}

Settings settings_for(const std::string& integrator, int threads) {
  Settings settings;
  settings.time.integrator = integrator;
  settings.contact.friction = 0.4;
  settings.solver.threads = threads;
  return settings;
}

TEST(SameBits, OnAnyNumberOfThreads) {
  Vectors first;
  for (int threads : {1, 2, 5}) {
    Simulation simulation(pile(), settings_for("implicit-euler", threads));
    int contacts = 0;
    for (int i = 0; i < 12; ++i) contacts = std::max(contacts, simulation.step().contacts);
    EXPECT_GT(contacts, 20);
    if (threads == 1) first = simulation.world().state.position;
    EXPECT_EQ(simulation.world().state.position, first) << threads << " threads";
  }
}

TEST(SameBits, WhenContinuedFromASavedState) {
  for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
    Simulation whole(pile(), settings_for(integrator, 0));
    std::vector<State> states;
    for (int i = 0; i < 16; ++i) {
      whole.step();
      states.push_back(whole.world().state);
    }
    for (int from : {3, 7, 11}) {
      Simulation rest(pile(), settings_for(integrator, 0));
      rest.restore(states[from]);
      for (int i = from + 1; i < 16; ++i) {
        rest.step();
        ASSERT_EQ(rest.world().state.position, states[i].position)
            << integrator << " from " << from << " at " << i;
        ASSERT_EQ(rest.world().state.velocity, states[i].velocity)
            << integrator << " from " << from << " at " << i;
      }
    }
  }
}

TEST(SameBits, OfStiffBodiesOnAnyNumberOfThreads) {
  for (World (*scene)() : {mixed_pile, struck_wall}) {
    State first;
    for (int threads : {1, 2, 5}) {
      Simulation simulation(scene(), settings_for("implicit-euler", threads));
      int contacts = 0;
      for (int i = 0; i < 15; ++i) contacts = std::max(contacts, simulation.step().contacts);
      EXPECT_GT(contacts, 12);
      if (threads == 1) first = simulation.world().state;
      EXPECT_EQ(simulation.world().state.position, first.position) << threads << " threads";
      EXPECT_EQ(simulation.world().state.velocity, first.velocity) << threads << " threads";
    }
  }
}

TEST(SameBits, OfStiffBodiesWhenContinuedFromASavedState) {
  for (World (*scene)() : {mixed_pile, struck_wall}) {
    Simulation whole(scene(), settings_for("implicit-euler", 0));
    std::vector<State> states;
    for (int i = 0; i < 18; ++i) {
      whole.step();
      states.push_back(whole.world().state);
    }
    for (int from : {3, 8, 14}) {
      Simulation rest(scene(), settings_for("implicit-euler", 0));
      rest.restore(states[from]);
      for (int i = from + 1; i < 18; ++i) {
        rest.step();
        ASSERT_EQ(rest.world().state.position, states[i].position) << "from " << from << " at " << i;
        ASSERT_EQ(rest.world().state.velocity, states[i].velocity) << "from " << from << " at " << i;
      }
    }
  }
}

}  // namespace
}  // namespace bulwark

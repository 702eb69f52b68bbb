// Scenes of contact models that are no barrier.
#include <scenes/scene_run.hpp>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

TEST(ContactModelScenes, HydroelasticSpheresPushByTheIntegralOfTheirPressure) {
  constexpr double R = 0.1, modulus = 1e5;
  SceneRun run("validation/hydroelastic_spheres.json");
  const auto exact = [](double d) {
    return d < 2 * R ? 2 * std::numbers::pi * modulus / R * (R * R * R / 6 - R * d * d / 8 + d * d * d / 24)
                     : 0;
  };
  const double largest = exact(0.15);
  double seen = 0;
  run.each_step([&](const SceneRun& now) {
    const double d = (now.motion("driven").center - now.motion("still").center).norm();
    Vector3 force = Vector3::Zero();
    for (const ContactForce& contact : now.simulation().contacts())
      force += (contact.body_a == 0 ? 1 : -1) * contact.normal_force;
    EXPECT_NEAR(-force.y(), exact(d), 0.04 * largest) << "at " << d << " m";
    EXPECT_LT(std::hypot(force.x(), force.z()), 0.01 * largest);
    seen = std::max(seen, -force.y());
  });
  run.run();
  EXPECT_NEAR(seen, largest, 0.04 * largest);
}

}  // namespace
}  // namespace bulwark

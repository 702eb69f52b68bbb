// The scenes of scenes/restitution, against what their headers say.
#include <scenes/scene_run.hpp>

#include <algorithm>
#include <array>

namespace bulwark {
namespace {

TEST(RestitutionScenes, ThreeBoxesBounceAsTheirDampingSays) {
  SceneRun run("restitution/falling_boxes.json");
  // Heights above where they rest, after the first bounce and before the second.
  std::array<double, 3> highest = {};
  run.each_step([&](const SceneRun& now) {
    if (now.time() < 0.56) return;
    const std::array<const char*, 3> names = {"elastic", "damped", "dull"};
    for (int k = 0; k < 3; ++k) {
      const RigidMotion motion = rigid_motion(now.world(), now.body(names[k]));
      highest[k] = std::max(highest[k], motion.center.y() - 0.5);
    }
  });
  run.check_every(50);
  run.run(1100);
  const double start = 0.064;  // where the contact begins: the bounce is about speeds there
  EXPECT_NEAR((highest[0] - start) / (1 - start), 1, 0.01);
  EXPECT_NEAR((highest[1] - start) / (1 - start), 0.49, 0.03);
  EXPECT_NEAR((highest[2] - start) / (1 - start), 0.16, 0.03);
}

}  // namespace
}  // namespace bulwark

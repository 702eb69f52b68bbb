// Affine and rigid bodies are two ways to the same motion: a scene with one kind of body and the same scene
// with the other go the same way until chaos takes over. The tolerances are some ten times what was measured;
// friction that sticks, impacts and turns of many radians lie within the stated steps.
#include <scenes/scene_run.hpp>

#include <fstream>
#include <iterator>
#include <regex>

namespace bulwark {
namespace {

struct Agreement {
  const char* scene;
  int steps;
  double distance;  ///< of the centers (m)
  double angle;     ///< between the rotations (rad)
};

/// The scene's text with all stiff bodies of one kind, at the default stiffness.
std::string with_kind(const std::string& text, const std::string& kind) {
  const std::string kinds = std::regex_replace(
      text, std::regex(R"re("(kind|model)"\s*:\s*"(affine|rigid)")re"), "\"$1\": \"" + kind + "\"");
  return std::regex_replace(
      kinds, std::regex(R"re((\{[^{}]*"model": "(affine|rigid)"[^{}]*), "stiffness": [0-9.e+]+)re"), "$1");
}

/// Runs the scene with both kinds of body side by side.
void expect_agreement(const std::string& text, const std::filesystem::path& folder, const Agreement& wanted) {
  auto scene = [&](const char* kind) {
    LoadOptions options;
    options.base_folder = folder;
    // Both kinds are to be solved well, so that they differ by what they are.
    options.overrides = {"/solver/tolerance=1e-6"};
    return parse_scene(with_kind(text, kind), wanted.scene, options);
  };
  SceneRun affine(scene("affine")), rigid(scene("rigid"));
  affine.check_every(wanted.steps);
  rigid.check_every(wanted.steps);
  double distance = 0, angle = 0, way = 0;
  for (int step = 0; step < wanted.steps; ++step) {
    affine.run(1);
    rigid.run(1);
    ASSERT_FALSE(testing::Test::HasFailure()) << wanted.scene << " step " << step;
    for (const Body& body : affine.world().bodies) {
      if (body.stiff < 0) continue;
      const RigidMotion a = affine.motion(body.name), b = rigid.motion(body.name);
      distance = std::max(distance, (a.center - b.center).norm());
      // |R_a - R_b|_F = 2 sqrt(2) sin(angle / 2)
      angle = std::max(angle, (a.rotation - b.rotation).norm() / std::sqrt(2.0));
      way = std::max(way, (a.center - affine.world().rest.col(body.first_control)).norm() +
                              (a.rotation - Matrix3::Identity()).norm());
    }
  }
  EXPECT_LT(distance, wanted.distance) << wanted.scene;
  EXPECT_LT(angle, wanted.angle) << wanted.scene;
  EXPECT_GT(way, 100 * wanted.distance) << wanted.scene << ": nothing moves, so there is nothing to compare";
  testing::Test::RecordProperty("distance", std::to_string(1e9 * distance) + " nm");
  testing::Test::RecordProperty("angle", std::to_string(1e9 * angle) + " nrad");
}

class StiffAgreement : public testing::TestWithParam<Agreement> {};

TEST_P(StiffAgreement, AffineAndRigidBodiesGoTheSameWay) {
  const std::filesystem::path file = std::filesystem::path(BULWARK_SOURCE_DIR) / "scenes" / GetParam().scene;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  ASSERT_FALSE(text.empty()) << file;
  expect_agreement(text, file.parent_path(), GetParam());
}

std::string test_name(const testing::TestParamInfo<Agreement>& info) {
  return std::regex_replace(std::filesystem::path(info.param.scene).stem().string(),
                            std::regex("[^A-Za-z0-9]"), "_");
}

INSTANTIATE_TEST_SUITE_P(Scenes, StiffAgreement,
                         testing::Values(Agreement{"affine/slope.json", 160, 2e-6, 1e-7},
                                         Agreement{"affine/rolling_ball.json", 100, 1e-7, 2e-6},
                                         Agreement{"affine/tunnel.json", 90, 1e-7, 2e-6},
                                         Agreement{"affine/turntable.json", 160, 1e-8, 1e-8},
                                         Agreement{"affine/dzhanibekov.json", 400, 1e-8, 1e-8},
                                         Agreement{"affine/pendulum.json", 100, 1e-7, 1e-7},
                                         Agreement{"affine/coin.json", 200, 1e-7, 1e-6},
                                         Agreement{"rigid/double_pendulum.json", 60, 1e-7, 1e-6}),
                         test_name);

/// Two boxes and a ball, thrown and spinning, fall onto a plane and each other and bounce off their corners:
/// the longest that can be asked for, since every impact makes small differences larger.
TEST(StiffAgreementOwnScene, BodiesThatTumbleOntoAPlaneAndEachOther) {
  const char* scene = R"({
    "bulwark": 1,
    "time": { "step": 0.005, "steps": 160, "integrator": "implicit-euler" },
    "materials": { "wood": { "model": "affine", "density": 700 } },
    "bodies": [
      { "name": "long", "kind": "affine", "material": "wood", "shape": { "box": [0.4, 0.1, 0.2] }, "position": [0, 0.4, 0],
        "velocity": [0.5, -1, 0], "angular_velocity_degrees": [170, 60, 340] },
      { "name": "cube", "kind": "affine", "material": "wood", "shape": { "box": [0.2, 0.2, 0.2] }, "position": [0.1, 0.8, 0.05],
        "velocity": [0, -2, 0], "angular_velocity_degrees": [-230, 110, 60] },
      { "name": "ball", "kind": "affine", "material": "wood", "shape": { "sphere": 0.1 }, "position": [-0.5, 0.15, 0],
        "velocity": [2, 0, 0] },
      { "name": "ground", "kind": "obstacle", "shape": { "plane": {} } }
    ],
    "contact": { "friction": 0.4 }
  })";
  expect_agreement(scene, ".", {"tumbling", 160, 1e-5, 2e-4});
}

}  // namespace
}  // namespace bulwark

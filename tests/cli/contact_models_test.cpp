// What the program says of bodies that nothing keeps apart.
#include <bulwark/output/writing/frame_writer.hpp>

#include <cli/program.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

/// A ball that falls through a shelf onto the ground, or stays on it.
std::string ghost_scene(const std::string& model) {
  return R"({ "bulwark": 1, "time": { "step": 0.01, "steps": 30 },
    "materials": { "steel": { "model": "rigid", "density": 1000 } },
    "bodies": [
      { "name": "ground", "kind": "obstacle", "shape": { "plane": {} } },
      { "name": "shelf", "kind": "obstacle", "shape": { "box": [1, 0.1, 1] }, "position": [0, 0.4, 0] },
      { "name": "ghost", "kind": "rigid", "shape": { "box": [0.2, 0.2, 0.2] }, "material": "steel",
        "position": [0, 0.56, 0], "velocity": [0, -1, 0] } ],
    "contact": { "pairs": [ { "between": ["ghost", "shelf"], "model": ")" +
         model + R"(" } ] } })";
}

TEST(ContactModelsOfARun, AreNamedByAllThatPromises) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", ghost_scene("none"));
  const std::string what = "1 pair of bodies ('shelf' and 'ghost')";
  const auto validated = bulwark_program(folder.path(), {"validate", "scene.json"});
  EXPECT_EQ(validated.exit_code, 0) << validated.output;
  EXPECT_TRUE(contains(validated.output, what)) << validated.output;
  EXPECT_TRUE(contains(validated.output, "free of other intersections")) << validated.output;

  const auto ran = bulwark_program(folder.path(), {"run", "scene.json", "-o", "run"});
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const std::size_t first = ran.output.find(what);
  ASSERT_NE(first, std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find(what, first + 1), std::string::npos) << "not at both ends of the run\n"
                                                                 << ran.output;

  const auto summary = nlohmann::json::parse(read_all(folder / "run/summary.json"));
  EXPECT_EQ(summary["contact"]["model"], "barrier");
  EXPECT_EQ(summary["contact"]["pairs_not_under_the_barrier"], 1);
  EXPECT_EQ(summary["contact"]["models_of_these"]["none"], 1);
  EXPECT_EQ(summary["contact"]["no_intersection_promised"], false);

  const auto checked = bulwark_program(folder.path(), {"check", "run"});
  EXPECT_EQ(checked.exit_code, 0) << checked.output;
  EXPECT_TRUE(contains(checked.output, what + " is not under the barrier")) << checked.output;
  const auto explained = bulwark_program(folder.path(), {"explain", "run"});
  EXPECT_EQ(explained.exit_code, 0) << explained.output;
  EXPECT_TRUE(contains(explained.output, "No promise: 1 pair of bodies")) << explained.output;
}

TEST(ContactModelsOfARun, AreNotMentionedWhereAllIsUnderTheBarrier) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", ghost_scene("barrier"));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"validate", "scene.json"},
                                                  {"run", "scene.json", "-o", "run"},
                                                  {"check", "run"}}) {
    const auto [code, text] = bulwark_program(folder.path(), command);
    EXPECT_EQ(code, 0) << text;
    EXPECT_FALSE(contains(text, "promise")) << text;
  }
  const auto summary = nlohmann::json::parse(read_all(folder / "run/summary.json"));
  EXPECT_EQ(summary["contact"]["no_intersection_promised"], true);
  EXPECT_FALSE(summary["contact"].contains("not_promised"));
}

TEST(ContactModelsOfARun, OffIsSaidToo) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(
      folder.path(), {"run", "scene.json", "-o", "run", "--steps", "2", "--set", "/contact/model=none"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "contact is off: nothing keeps bodies apart")) << text;
}

TEST(ContactModelsOfARun, AHydroelasticRunGoesOnWithTheSameBits) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", R"({ "bulwark": 1, "time": { "step": 0.01, "steps": 30 },
    "materials": { "rubber": { "model": "svk", "density": 1000, "young": 1e5, "poisson": 0.3 } },
    "bodies": [
      { "name": "pad", "kind": "obstacle", "shape": { "box": [0.4, 0.1, 0.4] } },
      { "name": "ball", "kind": "deformable", "order": 2, "material": "rubber", "position": [0, 0.16, 0],
        "shape": { "sphere": 0.1, "resolution": 0.08 }, "velocity": [0.3, -0.5, 0] } ],
    "contact": { "model": "hydroelastic", "friction": 0.4, "hydroelastic": { "modulus": 2e5 } } })");
  const auto whole = bulwark_program(folder.path(), {"run", "scene.json", "-o", "whole"});
  EXPECT_EQ(whole.exit_code, 0) << whole.output;
  EXPECT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "parts", "--steps", "14"}).exit_code,
            0);
  const auto rest = bulwark_program(folder.path(), {"run", "scene.json", "-o", "parts", "--resume"});
  EXPECT_EQ(rest.exit_code, 0) << rest.output;
  for (const char* table : {"bodies.csv", "contacts.csv", "wrenches.csv", "contact_pairs.csv"})
    EXPECT_EQ(read_all(folder / "parts" / table), read_all(folder / "whole" / table)) << table;
  EXPECT_TRUE(contains(read_all(folder / "whole/contact_pairs.csv"), "ball"));
  EXPECT_EQ(bulwark_program(folder.path(), {"check", "whole"}).exit_code, 0);
}

TEST(ContactModelsOfARun, AreInEachFrame) {
  // Two tetrahedra that overlap: an error, unless they touch by another model.
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/frames");
  Frame frame;
  frame.position.resize(3, 8);
  frame.position << 0, 1, 0, 0, 0, 1, 0, 0,  //
      0, 0, 0, 1, 0.9, 0.9, 0.9, 2,          //
      0, 0, 1, 0, 0, 0, 1, 0;
  frame.tetrahedra = {{0, 2, 1, 3}, {4, 6, 5, 7}};
  frame.point_body = {0, 0, 0, 0, 1, 1, 1, 1};
  frame.body_names = {"below", "above"};
  frame.bodies = {{}, {}};
  write_all(folder / "run/frames/frame_000000.vtu", frame_to_vtu(frame));
  EXPECT_EQ(bulwark_program(folder.path(), {"check", "run"}).exit_code, 4);
  frame.unguarded_pairs = {{0, 1}};
  write_all(folder / "run/frames/frame_000000.vtu", frame_to_vtu(frame));
  const auto [code, text] = bulwark_program(folder.path(), {"check", "run"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "('below' and 'above')")) << text;
}

}  // namespace
}  // namespace bulwark

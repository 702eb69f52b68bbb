#include <cli/program.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

TEST(RestitutionCommand, PrintsContactSettingsThatGiveTheBounce) {
  const TemporaryFolder folder;
  const auto [code, text] = bulwark_program(
      folder.path(), {"restitution", "--speed", "4", "--step", "0.001", "--bounce", "0.7", "--mass", "1000"});
  ASSERT_EQ(code, 0) << text;
  const std::size_t begin = text.find("\"contact\": "), end = text.find('\n', begin);
  ASSERT_NE(begin, std::string::npos) << text;
  const nlohmann::json contact = nlohmann::json::parse(text.substr(begin + 11, end - begin - 11));

  // A box of that mass, thrown at the ground.
  nlohmann::json scene = nlohmann::json::parse(R"({
    "bulwark": 1,
    "time": { "step": 0.001, "steps": 200, "integrator": "bdf2" },
    "gravity": [0, 0, 0],
    "bodies": [
      { "name": "box", "kind": "rigid", "shape": { "box": [1, 1, 1] }, "position": [0, 0.8, 0], "velocity": [0, -4, 0],
        "material": { "model": "rigid", "density": 1000 } },
      { "name": "ground", "kind": "obstacle", "shape": { "plane": {} } }
    ],
    "solver": { "tolerance": 1e-4 } })");
  scene["contact"] = contact;
  write_all(folder / "scene.json", scene.dump());
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "out"}).exit_code, 0);
  std::ifstream table(folder / "out/bodies.csv");
  std::string line, last;
  while (std::getline(table, line)) {
    if (line.find(",box,") != std::string::npos) last = line;
  }
  // step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,...
  std::istringstream cells(last);
  for (int column = 0; column <= 11; ++column) std::getline(cells, line, ',');
  EXPECT_NEAR(std::stod(line) / 4, 0.7, 0.01);
}

TEST(RestitutionCommand, SaysWhyABounceCannotBeHad) {
  const TemporaryFolder folder;
  auto answer = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "restitution");
    const auto [code, text] = bulwark_program(folder.path(), arguments);
    EXPECT_EQ(code, 2) << text;
    return text;
  };
  EXPECT_TRUE(contains(answer({"--speed", "4", "--bounce", "1"}), "not below 1"));
  EXPECT_TRUE(contains(
      answer({"--speed", "4", "--bounce", "0.9", "--integrator", "implicit-euler", "--distance", "0.02"}),
      "at most"));
  EXPECT_TRUE(contains(answer({"--speed", "4", "--bounce", "0.9", "--distance", "0.01"}), "larger distance"));
  answer({"--speed", "-4", "--bounce", "0.9"});
  answer({"--speed", "4"});
  answer({"--speed", "4", "--bounce", "0.5", "--integrator", "leapfrog"});
}

TEST(RestitutionCommand, EndsAtExtremeValuesOfEveryOption) {
  const TemporaryFolder folder;
  for (const char* option : {"--speed", "--bounce", "--step", "--distance", "--mass", "--points"}) {
    for (const char* value : {"0", "-1", "nan", "inf", "-inf", "1e-300", "1e-12", "1e12", "1e100", "1e300"}) {
      std::vector<std::string> arguments = {"restitution", "--speed", "4",   "--bounce",
                                            "0.5",         "--step",  "0.01"};
      const auto given = std::find(arguments.begin(), arguments.end(), option);
      if (given != arguments.end()) {
        given[1] = value;
      } else {
        arguments.insert(arguments.end(), {option, value});
      }
      const auto [code, text] = bulwark_program(folder.path(), arguments);
      EXPECT_TRUE(code == 0 || code == 2) << option << " " << value << ": " << code << "\n" << text;
      EXPECT_TRUE(contains(text, code == 0 ? "\"contact\"" : option)) << text;
      if (code == 0) {
        EXPECT_FALSE(contains(text, "nan") || contains(text, "inf")) << option << " " << value << "\n"
                                                                     << text;
      }
    }
  }
}

}  // namespace
}  // namespace bulwark

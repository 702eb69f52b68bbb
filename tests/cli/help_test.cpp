#include <cli/program.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace bulwark {
namespace {

TEST(CommandLine, HelpFitsAScreenAndEndsWithAnExample) {
  const TemporaryFolder folder;
  const auto program_help = bulwark_program(folder.path(), {"--help"}).output;
  std::vector<std::vector<std::string>> all = {{"--help"}};
  // The commands are listed one a line, with two blanks before their names.
  std::istringstream lines(program_help.substr(program_help.find("Subcommands:")));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 2 && line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z' &&
        !line.starts_with("  bulwark")) {
      all.push_back({line.substr(2, line.find(' ', 2) - 2), "--help"});
    }
  }
  ASSERT_GE(all.size(), 17u) << program_help;
  for (const std::vector<std::string>& arguments : all) {
    const auto [code, text] = bulwark_program(folder.path(), arguments);
    EXPECT_EQ(code, 0);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 32) << text;
    std::istringstream shown(text);
    for (std::string line; std::getline(shown, line);) EXPECT_LE(line.size(), 100u) << line;
    const std::size_t example = text.find("Example:\n  bulwark ");
    ASSERT_NE(example, std::string::npos) << text;
    EXPECT_LE(std::count(text.begin() + static_cast<long>(example), text.end(), '\n'), 3) << text;
  }
}

TEST(CommandLine, WrongArgumentsAreBadInput) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"fly"},
                                             {"run"},
                                             {"run", "scene.json", "--stepps", "3"},
                                             {"run", "scene.json", "--steps", "many"},
                                             {"run", "scene.json", "--steps", "-1"},
                                             {"run", "scene.json", "--device", "abacus"},
                                             {"run", "none.json"},
                                             {"run", "."},
                                             {"run", "scene.json", "--set", "nonsense"},
                                             {"run", "scene.json", "--set", "/time/stepp=1"},
                                             {"validate", "none.json"},
                                             {"check", "none"},
                                             {"check", "."},
                                             {"render", "none", "-o", "a.png"},
                                             {"import", "scene.json", "-o", "made.json"},
                                             {"import", "none.json", "-o", "made.json"}}) {
    const auto [code, text] = bulwark_program(folder.path(), arguments);
    EXPECT_EQ(code, 2) << (arguments.empty() ? "" : arguments.back()) << "\n" << text;
    EXPECT_FALSE(text.empty());
  }
}

TEST(CommandLine, CudaSaysThatThisBuildHasNone) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "--device", "cuda"});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(contains(text, "not available in this build")) << text;
}

TEST(CommandLine, HelpOffersOnlyWhatTheBuildHas) {
  const TemporaryFolder folder;
  const auto run = bulwark_program(folder.path(), {"run", "--help"}).output;
  EXPECT_TRUE(contains(run, "--device")) << run;
  EXPECT_FALSE(contains(run, "cuda")) << run;
  // Every part of the benchmark that is offered is accepted, and the other way round.
  const auto bench = bulwark_program(folder.path(), {"bench", "--help"}).output;
  for (const char* part :
       {"light", "medium", "full", "kinds", "growth", "windmill", "sag", "cantilever", "orders"})
    EXPECT_TRUE(contains(bench, part)) << part << "\n" << bench;
}

TEST(CommandLine, SchemaIsJsonAndHasAReferencePage) {
  const TemporaryFolder folder;
  const auto [code, text] = bulwark_program(folder.path(), {"schema"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(nlohmann::json::parse(text, nullptr, false).is_object());
  const auto [page_code, page] = bulwark_program(folder.path(), {"schema", "--markdown"});
  EXPECT_EQ(page_code, 0);
  EXPECT_TRUE(page.starts_with("#")) << page.substr(0, 80);
}

TEST(CommandLine, VersionNamesTheProgram) {
  const TemporaryFolder folder;
  const auto [code, text] = bulwark_program(folder.path(), {"version"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(text.starts_with("bulwark ")) << text;
}

TEST(CommandLine, ScenesAreListed) {
  const TemporaryFolder folder;
  EXPECT_EQ(bulwark_program(folder.path(), {"scenes"}).exit_code, 0);
}

}  // namespace
}  // namespace bulwark

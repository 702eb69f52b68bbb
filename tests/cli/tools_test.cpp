// The commands that look at finished runs, on one run of a soft and a stiff body, a wire and a plane.
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/frame_reader.hpp>

#include <cli/program.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

namespace bulwark {
namespace {

constexpr const char* python = "/usr/bin/python3";

bool has_python_module(const std::string& module) {
  return std::system((std::string(python) + " -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
}

std::string mixed_scene() {
  return R"({
  "bulwark": 1,
  "title": "Mixed",
  "time": { "step": 0.01, "steps": 12 },
  "camera": { "position": [4, 3, 6], "target": [0, 0.5, 0] },
  "bodies": [
    { "name": "ground", "kind": "obstacle", "shape": { "plane": { "normal": [0, 1, 0] } } },
    { "name": "rail", "kind": "obstacle", "shape": { "line": { "from": [-2, 0.2, -2], "to": [2, 0.2, -2] } } },
    { "name": "ball", "kind": "deformable", "shape": { "sphere": 0.5, "resolution": 0.3 }, "position": [0, 0.52, 0],
      "velocity": [0, -3, 0],
      "material": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
    { "name": "box, turning", "kind": "affine", "shape": { "box": [1, 0.5, 0.7] }, "position": [2, 1.5, 0],
      "angular_velocity_degrees": [200, 90, 0], "material": { "model": "affine", "density": 1000, "stiffness": 1e9 } }
  ]
})";
}

/// The run is made once for all tests.
class Tools : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    write_all(*folder_ / "scene.json", mixed_scene());
    const auto [code, text] = bulwark_program(folder_->path(), {"run", "scene.json", "-o", "run"});
    ASSERT_EQ(code, 0) << text;
  }
  static void TearDownTestSuite() { delete folder_; }
  static ProgramResult bulwark(const std::vector<std::string>& arguments) {
    return bulwark_program(folder_->path(), arguments);
  }
  static std::filesystem::path at(const std::string& name) { return folder_->path() / name; }
  /// Runs a Python script in the folder.
  static ProgramResult python_script(const std::string& script) {
    write_all(*folder_ / "check.py", script);
    const int code = std::system(
        ("cd '" + folder_->path().string() + "' && " + python + " check.py > log.txt 2>&1").c_str());
    return {code, read_all(*folder_ / "log.txt")};
  }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(Tools, RenderDrawsAPictureFromTheScenesCamera) {
  ASSERT_EQ(bulwark({"render", "run", "-o", "pictures/a.png", "--size", "64x48"}).exit_code, 0);
  EXPECT_TRUE(read_all(at("pictures/a.png")).starts_with("\x89PNG"));
  // The same run without its summary gets a fitted camera: another picture.
  ASSERT_EQ(bulwark({"render", "run/frames/frame_000012.vtu", "-o", "b.png", "--size", "64x48"}).exit_code,
            0);
  EXPECT_EQ(read_all(at("pictures/a.png")), read_all(at("b.png"))) << "a frame belongs to its run";
  std::filesystem::copy(at("run/frames/frame_000012.vtu"), at("lone.vtu"));
  ASSERT_EQ(bulwark({"render", "lone.vtu", "-o", "c.png", "--size", "64x48"}).exit_code, 0);
  EXPECT_NE(read_all(at("pictures/a.png")), read_all(at("c.png")));
}

/// Width and height that a PNG file states.
std::pair<int, int> png_size(const std::string& png) {
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = 256 * value + static_cast<unsigned char>(png[i]);
    return value;
  };
  return {number(16), number(20)};
}

TEST_F(Tools, RenderTakesACameraFromTheCommandLine) {
  const auto draw = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"render", "run", "-o", "camera.png", "--size", "64x48"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto [code, text] = bulwark(arguments);
    EXPECT_EQ(code, 0) << text;
    return read_all(at("camera.png"));
  };
  const std::string own = draw({});
  EXPECT_EQ(draw({"--camera", "4,3,6,0,0.5,0"}), own) << "the scene's own";
  EXPECT_NE(draw({"--camera", "-4,3,6,0,0.5,0"}), own);
  for (const char* bad :
       {"1,2,3", "1,2,3,4,5,x", "1,2,3,1,2,3", "1,2,3,4,5,6,7", "", "1,,3,4,5,6", "inf,0,0,1,1,1"}) {
    const auto [code, text] = bulwark({"render", "run", "-o", "bad.png", "--camera", bad});
    EXPECT_EQ(code, std::string(bad).empty() ? 0 : 2) << bad << "\n" << text;
  }
}

TEST_F(Tools, RenderDrawsTheScaleBesideThePicture) {
  const auto [code, text] =
      bulwark({"render", "run", "-o", "scale.png", "--size", "480x270", "--color", "speed"});
  ASSERT_EQ(code, 0) << text;
  EXPECT_EQ(png_size(read_all(at("scale.png"))), (std::pair{480, 270})) << "the size is the one asked for";
}

TEST_F(Tools, RenderScalesColorsToTheLargestValueOfMovingBodies) {
  const auto [code, text] =
      bulwark({"render", "run", "-o", "end.png", "--size", "64x48", "--color", "speed", "--frame", "12"});
  ASSERT_EQ(code, 0) << text;
  const Frame frame = read_frame(at("run/frames/frame_000012.vtu"));
  const double largest = frame.velocity.colwise().norm().maxCoeff();
  const std::size_t place = text.find("from 0 to ");
  ASSERT_NE(place, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(place + 10)), largest, 0.006 * largest) << text;
}

TEST_F(Tools, QuietCommandsPrintNothing) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"run", "scene.json", "-o", "quiet", "--steps", "2", "--quiet"},
           {"run", "scene.json", "-o", "quiet", "--steps", "4", "--resume", "-q"},
           {"run", "scene.json", "-o", "quiet", "--steps", "2", "--force", "-q"},
           {"render", "run", "-o", "quiet.png", "--size", "32x24", "-q"},
           {"render", "run", "-o", "quiet/%d.png", "--size", "32x24", "--every", "6", "-q"},
           {"plot", "run", "-o", "quiet_plots", "--quiet"},
           {"export", "run", "-o", "quiet.obj", "-q"},
           {"export", "run", "-o", "quiet.glb", "-q"}}) {
    const auto [code, text] = bulwark(arguments);
    EXPECT_EQ(code, 0) << text;
    // Warnings are no progress.
    EXPECT_TRUE(text.empty() || text.starts_with("warning: body 'ball' weighs")) << text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 1) << arguments[0] << " " << arguments[3];
  }
  const auto [code, text] = bulwark({"run", "none.json", "-o", "quiet2", "-q"});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(contains(text, "error:")) << "errors are told all the same: " << text;
}

TEST_F(Tools, RenderWritesNumberedPictures) {
  const auto [code, text] = bulwark(
      {"render", "run", "-o", "many/p%03d.png", "--size", "32x24", "--every", "6", "--color", "speed"});
  ASSERT_EQ(code, 0) << text;
  for (const char* name : {"many/p000.png", "many/p006.png", "many/p012.png"}) {
    EXPECT_TRUE(std::filesystem::exists(at(name))) << name;
  }
  EXPECT_TRUE(contains(text, "m/s")) << "the scale of the colours is told: " << text;
}

TEST_F(Tools, RenderWritesAVideoOrNamesThePackage) {
  const auto [code, text] = bulwark({"render", "run", "-o", "run.mp4", "--size", "65x47", "--every", "4"});
  if (code == 2) {
    EXPECT_TRUE(contains(text, "package `ffmpeg`")) << text;
    GTEST_SKIP() << "ffmpeg is not installed";
  }
  ASSERT_EQ(code, 0) << text;
  EXPECT_EQ(read_all(at("run.mp4")).substr(4, 4), "ftyp");
  EXPECT_FALSE(std::filesystem::exists(at("run.mp4.partial")));
}

TEST_F(Tools, RenderAnswersBadWishes) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"render", "run", "-o", "a.jpg"},
                                             {"render", "run", "-o", "a%s.png"},
                                             {"render", "run", "-o", "a%d%d.png"},
                                             {"render", "run", "-o", "a.png", "--size", "0x4"},
                                             {"render", "run", "-o", "a.png", "--frame", "99"},
                                             {"render", "run", "-o", "a.png", "--color", "taste"},
                                             {"render", "run", "-o", "a.png", "--deformation-scale", "-1"},
                                             {"render", "run", "-o", "a.mp4", "--fps", "0"}}) {
    EXPECT_EQ(bulwark(arguments).exit_code, 2) << arguments.back();
  }
}

TEST_F(Tools, PlotDrawsTheUsualChartsAndChosenColumns) {
  ASSERT_EQ(bulwark({"plot", "run", "-o", "plots"}).exit_code, 0);
  for (const char* name : {"energies", "contacts", "time"}) {
    EXPECT_TRUE(contains(read_all(at(std::string("plots/") + name + ".svg")), "Mixed: ")) << name;
  }
  const auto [code, text] = bulwark(
      {"plot", "run", "--file", "bodies.csv", "--columns", "y,vy", "--of", "box, turning", "-o", "box.svg"});
  ASSERT_EQ(code, 0) << text;
  const std::string svg = read_all(at("box.svg"));
  EXPECT_TRUE(contains(svg, "box, turning vy"));
  EXPECT_TRUE(contains(svg, "vy (m/s)")) << "a panel for each unit";
  EXPECT_FALSE(contains(svg, "ball"));
}

TEST_F(Tools, PlotChoosesForcesByBodyAndSource) {
  for (const char* chosen : {"ball contact", "ball"}) {
    const auto [code, text] = bulwark(
        {"plot", "run", "--file", "wrenches.csv", "--columns", "fy,tz", "--of", chosen, "-o", "force.svg"});
    ASSERT_EQ(code, 0) << text;
    const std::string svg = read_all(at("force.svg"));
    EXPECT_TRUE(contains(svg, "ball contact fy"));
    EXPECT_TRUE(contains(svg, "tz (N m)"));
    EXPECT_FALSE(contains(svg, "turning"));
  }
  EXPECT_EQ(bulwark({"plot", "run", "--file", "contact_pairs.csv", "--columns", "contacts"}).exit_code, 0);
}

TEST_F(Tools, PlotIsWellFormedXml) {
  ASSERT_EQ(bulwark({"plot", "run", "-o", "xml"}).exit_code, 0);
  const auto [code, log] = python_script(
      "import glob, xml.dom.minidom\nfor f in glob.glob('xml/*.svg'): xml.dom.minidom.parse(f)\n");
  EXPECT_EQ(code, 0) << log;
}

TEST_F(Tools, PlotNamesTheColumnsAndBodiesThatThereAre) {
  const auto [code, text] = bulwark({"plot", "run", "--columns", "speed"});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(contains(text, "newton_iterations")) << text;
  const auto [body_code, body_text] =
      bulwark({"plot", "run", "--file", "bodies.csv", "--columns", "y", "--of", "bal"});
  EXPECT_EQ(body_code, 2);
  EXPECT_TRUE(contains(body_text, "ball")) << body_text;
}

TEST_F(Tools, PlotWritesPngByTheName) {
  const auto [code, text] = bulwark({"plot", "run", "--columns", "kinetic,contacts", "-o", "chart.png"});
  ASSERT_EQ(code, 0) << text;
  const auto [width, height] = png_size(read_all(at("chart.png")));
  EXPECT_EQ(width, 1800);
  EXPECT_GT(height, 1000) << "two panels";
  for (const char* bad : {"chart.pdf", "chart"}) {
    EXPECT_EQ(bulwark({"plot", "run", "--columns", "kinetic", "-o", bad}).exit_code, 2) << bad;
  }
  EXPECT_EQ(bulwark({"plot", "run", "-o", "usual.png"}).exit_code, 2) << "three charts are no single file";
}

TEST_F(Tools, ExportTellsTheFormatByTheName) {
  const std::vector<std::pair<std::string, std::string>> begins = {{"a.glb", "glTF"},  {"a.obj", "# "},
                                                                   {"a.ply", "ply"},   {"a.vtk", "# vtk"},
                                                                   {"a.vtu", "<?xml"}, {"a.gltf", "{"}};
  for (const auto& [name, begin] : begins) {
    const auto [code, text] = bulwark({"export", "run", "-o", "named/" + name});
    ASSERT_EQ(code, 0) << name << "\n" << text;
    EXPECT_TRUE(read_all(at("named/" + name)).starts_with(begin)) << name;
  }
  ASSERT_EQ(bulwark({"export", "run", "-o", "named/a.stl", "--frame", "6"}).exit_code, 0);
  EXPECT_GT(std::filesystem::file_size(at("named/a.stl")), 84u);
  EXPECT_EQ(read_all(at("named/a.vtu")), read_all(at("run/frames/frame_000012.vtu"))) << "the last frame";
  ASSERT_EQ(bulwark({"export", "run", "-o", "named/%03d.obj", "--every", "6"}).exit_code, 0);
  for (const char* name : {"named/000.obj", "named/006.obj", "named/012.obj"}) {
    EXPECT_TRUE(std::filesystem::exists(at(name))) << name;
  }
  EXPECT_EQ(bulwark({"export", "run", "--format", "obj", "-o", "named/b.obj"}).exit_code, 0);
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"export", "run"},
                                             {"export", "run", "-o", "folder"},
                                             {"export", "run", "-o", "a.fbx"},
                                             {"export", "run", "-o", "a%s.obj"},
                                             {"export", "run", "--format", "stl", "-o", "a.obj"},
                                             {"export", "run", "--format", "gltf", "-o", "folder"},
                                             {"export", "run", "-o", "a.obj", "--frame", "99"}}) {
    const auto [code, text] = bulwark(bad);
    EXPECT_EQ(code, 2) << bad.back() << "\n" << text;
  }
  const auto [code, text] = bulwark({"export", "run"});
  EXPECT_TRUE(contains(text, "--format") && contains(text, ".glb")) << text;
}

TEST_F(Tools, ExportedGltfTextHoldsTheNumbersOfTheBinaryFile) {
  ASSERT_EQ(bulwark({"export", "run", "-o", "pair.glb", "--every", "6"}).exit_code, 0);
  ASSERT_EQ(bulwark({"export", "run", "-o", "pair.gltf", "--every", "6"}).exit_code, 0);
  const nlohmann::json text = nlohmann::json::parse(read_all(at("pair.gltf")));
  const std::string binary = read_all(at("pair.glb"));
  EXPECT_TRUE(
      text["buffers"][0]["uri"].get<std::string>().starts_with("data:application/octet-stream;base64,"));
  EXPECT_LE(text["buffers"][0]["byteLength"].get<std::size_t>(), binary.size());
  EXPECT_EQ(text["accessors"].size(),
            nlohmann::json::parse(binary.substr(20, binary.find("BIN") - 24))["accessors"].size());
}

TEST_F(Tools, ExportedMeshesAreReadBackByMeshio) {
  if (!has_python_module("meshio")) GTEST_SKIP() << "python3-meshio is not installed";
  for (const char* format : {"obj", "ply", "stl", "vtk"}) {
    const auto [code, text] = bulwark({"export", "run", "--format", format, "--every", "6", "-o", "meshes"});
    ASSERT_EQ(code, 0) << text;
  }
  const auto [code, log] = python_script(R"(
import meshio, numpy
frame = meshio.read('run/frames/frame_000012.vtu')
def cells(mesh, kind):
    parts = [c.data for c in mesh.cells if c.type == kind]
    return numpy.concatenate(parts) if parts else numpy.zeros((0, 2), int)
def area(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum() / 2
vtk = meshio.read('meshes/frame_000012.vtk')
assert numpy.array_equal(vtk.points, frame.points)
for kind in 'tetra', 'triangle', 'line':
    assert numpy.array_equal(cells(vtk, kind), cells(frame, kind)), kind
assert numpy.array_equal(vtk.point_data['velocity'], frame.point_data['velocity'])
obj = meshio.read('meshes/frame_000012.obj')
ply = meshio.read('meshes/frame_000012.ply')
stl = meshio.read('meshes/frame_000012.stl')
count = len(cells(ply, 'triangle'))
assert count > len(cells(frame, 'triangle')), 'the surface of the soft body comes on top'
assert len(cells(obj, 'triangle')) == len(cells(stl, 'triangle')) == count
assert numpy.array_equal(obj.points, ply.points), 'all digits'
areas = [area(m.points.astype(float), cells(m, 'triangle')) for m in (obj, ply, stl)]
assert max(areas) - min(areas) < 1e-5 * max(areas), areas
text = open('meshes/frame_000012.obj').read()
assert 'o ball\n' in text and 'o box,_turning\n' in text and '\nl ' in text
)");
  EXPECT_EQ(code, 0) << log;
  EXPECT_TRUE(contains(read_all(at("meshes/run.vtk.series")), "frame_000006.vtk"));
}

TEST_F(Tools, ExportedGltfMovesAsTheFramesDo) {
  if (!has_python_module("numpy")) GTEST_SKIP() << "python3-numpy is not installed";
  const auto [code, text] = bulwark({"export", "run", "--format", "gltf", "-o", "run.glb", "--every", "3"});
  ASSERT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "5 frames, 1 bodies that move rigidly, 1 that deform, 1 stationary")) << text;
  std::filesystem::copy_file(std::filesystem::path(BULWARK_SOURCE_DIR) / "tests/cli/read_glb.py",
                             at("read_glb.py"));
  const int read = std::system(
      ("cd '" + at(".").string() + "' && " + python + " read_glb.py run.glb > glb.txt 2>&1").c_str());
  const std::string lines = read_all(at("glb.txt"));
  ASSERT_EQ(read, 0) << lines;

  const Frame first = read_frame(at("run/frames/frame_000000.vtu")),
              last = read_frame(at("run/frames/frame_000012.vtu"));
  std::istringstream stream(lines);
  int bodies = 0;
  for (std::string line; std::getline(stream, line);) {
    const nlohmann::json body = nlohmann::json::parse(line);
    if (body["name"] == "ground") continue;
    ++bodies;
    EXPECT_EQ(body["targets"] == 4, body["name"] == "ball");
    EXPECT_EQ(body["rigid"] == true, body["name"] == "box, turning");
    for (const auto& [key, frame] : {std::pair{"first", &first}, std::pair{"last", &last}}) {
      for (const nlohmann::json& vertex : body[key]) {
        const Vector3 point(vertex[0], vertex[1], vertex[2]);
        double nearest = 1;
        for (Eigen::Index i = 0; i < frame->position.cols(); ++i) {
          if (frame->body_names[frame->point_body[i]] != body["name"]) continue;
          nearest = std::min(nearest, (frame->position.col(i) - point).norm());
        }
        EXPECT_LT(nearest, 1e-3) << body["name"] << " "
                                 << key;  // the tolerance of rigid bodies, times their size
      }
    }
  }
  EXPECT_EQ(bodies, 3);
}

TEST_F(Tools, ExplainSaysWhereTheTimeWent) {
  const auto [code, text] = bulwark({"explain", "run"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "Mixed: 12 steps in ")) << text;
  EXPECT_TRUE(contains(text, "Where the time went")) << text;
  EXPECT_TRUE(contains(text, "linear solve")) << text;
  const auto [step_code, step_text] = bulwark({"explain", "run", "--step", "7"});
  EXPECT_EQ(step_code, 0) << step_text;
  EXPECT_TRUE(contains(step_text, "step 7 (t = 0.07 s): solved")) << step_text;
  EXPECT_EQ(bulwark({"explain", "run", "--step", "70"}).exit_code, 2);
  EXPECT_EQ(bulwark({"explain", "none"}).exit_code, 2);
}

TEST(Explain, OfAFailedRunNamesTheStepAndWhatToChange) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  ASSERT_EQ(
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--set", "/solver/tolerance=1e-7",
                                      "--set", "/solver/max_iterations=3", "--set", "/solver/max_halvings=0"})
          .exit_code,
      3);
  const CsvTable solves = read_csv_table(folder / "a/solves.csv"),
                 steps = read_csv_table(folder / "a/steps.csv");
  ASSERT_EQ(solves.rows.size(), steps.rows.size() + 1) << "the failing step leaves its row";
  EXPECT_EQ(solves.rows.back()[solves.column("outcome")], "iteration-limit");
  EXPECT_EQ(solves.rows.back()[solves.column("newton_iterations")], "3");
  const auto [code, text] = bulwark_program(folder.path(), {"explain", "a"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(contains(text, "failed: iteration-limit")) << text;
  EXPECT_TRUE(contains(text, "max_iterations") || contains(text, "time step")) << text;
  const std::string failed = solves.rows.back()[0];
  const auto [step_code, step_text] = bulwark_program(folder.path(), {"explain", "a", "--step", failed});
  EXPECT_EQ(step_code, 0);
  EXPECT_TRUE(contains(step_text, "step " + failed)) << step_text;
  EXPECT_TRUE(contains(step_text, "failed, iteration-limit")) << step_text;

  // A resumed run tries the step again: its old row is gone.
  ASSERT_EQ(bulwark_program(folder.path(),
                            {"run", "scene.json", "-o", "a", "--resume", "--set", "/solver/tolerance=1e-7",
                             "--set", "/solver/max_iterations=3", "--set", "/solver/max_halvings=0"})
                .exit_code,
            3);
  EXPECT_EQ(read_csv_table(folder / "a/solves.csv").rows, solves.rows);
}

TEST(Explain, OfAHardRunNamesTheBodyAndThePair) {
  const TemporaryFolder folder;
  // A soft box thrown at a floor so fast that it crosses many contact distances in a step.
  write_all(folder / "scene.json", falling_box_scene());
  ASSERT_EQ(
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "8", "--set",
                                      "/bodies/1/velocity=[3,-60,0]", "--set", "/contact/distance=0.0005"})
          .exit_code,
      0);
  const auto [code, text] = bulwark_program(folder.path(), {"explain", "a"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(contains(text, "'box'")) << text;
  EXPECT_TRUE(contains(text, "times the contact distance")) << text;
  EXPECT_TRUE(contains(text, "shorter time step")) << text;
}

TEST(Doctor, SaysWhatTheMachineOffers) {
  const TemporaryFolder folder;
  const auto [code, text] = bulwark_program(folder.path(), {"doctor"});
  EXPECT_EQ(code, 0);
  for (const char* part : {"processor", "memory", "ffmpeg", "browser"})
    EXPECT_TRUE(contains(text, part)) << text;
  EXPECT_FALSE(contains(text, "\033[")) << "no colours outside of a terminal";
}

TEST(Completion, OffersCommandsAndTheirOptions) {
  const TemporaryFolder folder;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto [code, text] = bulwark_program(folder.path(), {"completion", shell});
    EXPECT_EQ(code, 0);
    write_all(folder / shell, text);
    const std::string check = std::string("command -v ") + shell + " > /dev/null";
    if (std::system(check.c_str()) != 0) continue;
    EXPECT_EQ(std::system((std::string(shell) + " -n '" + (folder / shell).string() + "'").c_str()), 0)
        << text;
  }
  write_all(folder / "ask",
            ". ./bash\nCOMP_WORDS=(bulwark ren); COMP_CWORD=1; _bulwark; echo ${COMPREPLY[@]}\n"
            "COMP_WORDS=(bulwark render --f); COMP_CWORD=2; _bulwark; echo ${COMPREPLY[@]}\n");
  ASSERT_EQ(std::system(("cd '" + folder.path().string() + "' && bash ask > answer").c_str()), 0);
  EXPECT_EQ(read_all(folder / "answer"), "render\n--frame --fps\n");
}

TEST(Warnings, OddUnitsAreToldBeforeARun) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] =
      bulwark_program(folder.path(), {"validate", "scene.json", "--set", "/gravity=[0,-9810,0]"});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(contains(text, "warning: gravity is 9810 m/s^2")) << text;
}

}  // namespace
}  // namespace bulwark

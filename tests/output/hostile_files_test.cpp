// Files of a run whose sums and sizes look right and whose content is not: each is read, or answered by an
// InputError that names the file.
#include <bulwark/base/error.hpp>
#include <bulwark/base/profile.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/reading/run_diagnosis.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/writing/frame_writer.hpp>

#include <gtest/gtest.h>
#include <output/temporary_folder.hpp>

#include <cmath>
#include <functional>
#include <limits>

namespace bulwark {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Everything that a frame can hold, in few points.
Frame whole_frame() {
  Frame frame;
  frame.step = 3;
  frame.time = 0.5;
  frame.position = Vectors::Random(3, 9);
  frame.velocity = Vectors::Random(3, 9);
  frame.contact_force = Vectors::Random(3, 9);
  frame.stress.von_mises.assign(9, 1.0);
  frame.stress.strain = SymmetricTensors::Random(6, 9);
  frame.tetrahedra = {{0, 1, 2, 3}};
  frame.von_mises_stress = {2.5};
  frame.triangles = {{4, 5, 6}};
  frame.segments = {{6, 7}};
  frame.vertices = {7};
  frame.planes = {{8, Vector3::UnitY(), 2}};
  frame.point_body = {0, 0, 0, 0, 1, 1, 1, 1, 2};
  frame.body_names = {"a", "b", "c"};
  frame.bodies = {{}, {}, {}};
  frame.exempt_pairs = {{0, 1}};
  frame.joints = {
      {"j", "hinge", {0, -1}, {Vector3::Zero(), Vector3::Zero()}, {Vector3::UnitX(), Vector3::UnitX()}}};
  return frame;
}

using Damage = std::function<void(Frame&)>;

TEST(HostileFrame, WhatIsNotFiniteOrNoIndexIsRefusedByName) {
  const TemporaryFolder folder;
  const auto file = folder / "frame_000003.vtu";
  std::vector<Damage> damages;
  for (const double bad : {not_a_number, infinity, -infinity}) {
    damages.insert(
        damages.end(),
        {[=](Frame& f) { f.time = bad; }, [=](Frame& f) { f.position(0, 2) = bad; },
         [=](Frame& f) { f.velocity(1, 4) = bad; }, [=](Frame& f) { f.contact_force(2, 0) = bad; },
         [=](Frame& f) { f.stress.von_mises[3] = bad; }, [=](Frame& f) { f.stress.strain(4, 5) = bad; },
         [=](Frame& f) { f.von_mises_stress[0] = bad; }, [=](Frame& f) { f.planes[0].normal[0] = bad; },
         [=](Frame& f) { f.joints[0].points[1][2] = bad; }, [=](Frame& f) { f.joints[0].axes[0][1] = bad; }});
  }
  for (const int bad : {-1, 9, 1000000000, std::numeric_limits<int>::min()}) {
    damages.insert(damages.end(),
                   {[=](Frame& f) { f.point_body[5] = bad; }, [=](Frame& f) { f.planes[0].point = bad; },
                    [=](Frame& f) { f.planes[0].body = bad; }, [=](Frame& f) { f.exempt_pairs[0][1] = bad; },
                    [=](Frame& f) { f.tetrahedra[0][3] = bad; }, [=](Frame& f) { f.triangles[0][2] = bad; },
                    [=](Frame& f) { f.segments[0][1] = bad; },
                    [=](Frame& f) { f.joints[0].bodies[0] = bad == -1 ? -2 : bad; }});
  }
  damages.insert(damages.end(),
                 {[](Frame& f) { f.planes[0].normal.setZero(); },
                  [](Frame& f) { f.planes[0].normal *= 1e300; }, [](Frame& f) { f.step = -1; },
                  [](Frame& f) { f.bodies[1].group = -2; }, [](Frame& f) { f.body_names.pop_back(); }});
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Frame frame = whole_frame();
    damages[i](frame);
    write_all(file, frame_to_vtu(frame));
    const std::string error = error_of([&] { read_frame(file); });
    EXPECT_NE(error.find("frame_000003.vtu"), std::string::npos) << "damage " << i << ": " << error;
  }
}

/// A frame of round bodies: radii, what the solids are at rest, and a skin that is drawn in place of them.
Frame round_frame() {
  Frame frame = whole_frame();
  frame.radius.assign(9, 0);
  frame.radius[6] = frame.radius[7] = 0.125;
  frame.rest = frame.position;
  frame.skin = {{4, 5, 7}};
  return frame;
}

TEST(HostileFrame, DamagedRadiiRestShapesAndSkinsAreRefusedByName) {
  const TemporaryFolder folder;
  const auto file = folder / "frame_000003.vtu";
  write_all(file, frame_to_vtu(round_frame()));
  const Frame back = read_frame(file);
  EXPECT_EQ(back.radius, round_frame().radius);
  EXPECT_EQ(back.skin, round_frame().skin);
  EXPECT_EQ(back.rest.cols(), 9);
  std::vector<Damage> damages;
  for (const double bad : {not_a_number, infinity, -infinity}) {
    damages.insert(damages.end(),
                   {[=](Frame& f) { f.rest(1, 3) = bad; }, [=](Frame& f) { f.radius[6] = bad; }});
  }
  for (const int bad : {-1, 9, 1000000000, std::numeric_limits<int>::min()})
    damages.push_back([=](Frame& f) { f.skin[0][1] = bad; });
  damages.push_back([](Frame& f) { f.radius[6] = -0.125; });
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Frame frame = round_frame();
    damages[i](frame);
    write_all(file, frame_to_vtu(frame));
    const std::string error = error_of([&] { read_frame(file); });
    EXPECT_NE(error.find("frame_000003.vtu"), std::string::npos) << "damage " << i << ": " << error;
  }
}

TEST(HostileFrame, TheExactCheckNeverSeesWhatIsNotFinite) {
  Frame frame = whole_frame();
  frame.planes[0].normal[1] = not_a_number;
  const CollisionMesh mesh = collision_surface(frame);
  EXPECT_NE(error_of([&] { find_intersections(mesh, frame.position); }), "");
}

/// A frame's file with some of its text changed. What changes is in the head, so no sum notices.
std::string edited(const std::string& what, const std::string& by) {
  std::string bytes = frame_to_vtu(whole_frame());
  const std::size_t place = bytes.find(what);
  EXPECT_NE(place, std::string::npos) << what;
  return bytes.replace(place, what.size(), by);
}

TEST(HostileFrame, HeadsThatPromiseOtherSizesAreRefused) {
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"NumberOfPoints=\"9\"", "NumberOfPoints=\"2147483646\""},
           {"NumberOfPoints=\"9\"", "NumberOfPoints=\"10\""},
           {"NumberOfPoints=\"9\"", "NumberOfPoints=\"-9\""},
           {"NumberOfCells=\"4\"", "NumberOfCells=\"2147483646\""},
           {"NumberOfCells=\"4\"", "NumberOfCells=\"3\""},
           {"NumberOfTuples=\"3\"", "NumberOfTuples=\"300000000\""},
           {"NumberOfComponents=\"4\"", "NumberOfComponents=\"2000000000\""},
           {"NumberOfComponents=\"3\"", "NumberOfComponents=\"x\""},
           {"format=\"ascii\">0.5<", "format=\"ascii\">nan<"},
           {"format=\"ascii\">3<", "format=\"ascii\">1e300<"},
           {"UInt8\" Name=\"types\"", "Float64\" Name=\"types\""}}) {
    const std::string bytes = edited(what, by);
    EXPECT_NE(error_of([&] { frame_from_vtu(bytes, "a.vtu"); }).find("a.vtu"), std::string::npos) << by;
    error_of([&] {
      const FrameArrays arrays(bytes, "a.vtu");
      arrays.time();
      arrays.positions();
      arrays.cell_numbers("von_mises_stress");
    });
  }
}

TEST(HostileTable, AStepThatComesTwiceIsTakenOnce) {
  const TemporaryFolder folder;
  std::string header = "step,time,seconds,contacts,min_distance", row = "1,0.01,1,0,1";
  for (const std::string_view phase : phase_names) {
    header += ",seconds_" + std::string(phase);
    row += ",0.1";
  }
  write_all(folder / "steps.csv", header + "\n" + row + "\n" + row + "\n" + row + "\n");
  write_all(
      folder / "solves.csv",
      "step,time,outcome,substeps,newton_iterations,friction_updates,newton_speed,worst_point,smallest_step,"
      "limiting_pair\n1,0.01,converged,1,3,1,0.1,,1,\n");
  EXPECT_LE(diagnose_run(folder.path()).phases.size(), phase_names.size() + 1);
  write_all(folder / "steps.csv", header + "\nnan" + row.substr(1) + "\n");
  EXPECT_NE(error_of([&] { diagnose_run(folder.path()); }).find("steps.csv"), std::string::npos);
}

TEST(HostileTable, AxesOfAnyNumbersEnd) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{{1e17, 1e17 + 16},
                                                                        {-1e308, 1e308},
                                                                        {1e300, 1.0000001e300},
                                                                        {5e-324, 1e-323},
                                                                        {1, std::nextafter(1, 2)}}) {
    EXPECT_LT(axis_ticks(low, high, 6).size(), 30u);
    std::vector<double> many(5000, low);
    for (std::size_t i = 0; i < many.size(); i += 2) many[i] = high;
    for (const bool logarithmic : {false, true})
      EXPECT_FALSE(chart_to_svg({"t", "x", "s", {{"y", "J", {{"l", many, many}}, logarithmic}}}).empty());
  }
}

TEST(HostileSummary, ValuesThatCannotBeKeepTheirDefaults) {
  const RunSummary summary = run_summary_from_text(
      R"({"state": 3, "scene": {"title": ["x"], "resolved": {"gravity": [1e200, 0, 0], "time": {"step": -1},
          "camera": {"position": [1, 2, 1e99], "target": [0, 0, 0]}, "bodies": [7, {"name": 1}, {"kind": "rigid"}],
          "solver": {"max_iterations": 1e300}}}, "machine": {"threads_used": 1e30}, "counts": []})");
  EXPECT_EQ(summary.state, "");
  EXPECT_EQ(summary.gravity, RunSummary().gravity);
  EXPECT_EQ(summary.step_length, 0);
  EXPECT_FALSE(summary.camera);
  EXPECT_EQ(summary.max_iterations, 0);
  EXPECT_EQ(summary.threads_used, 0);
  EXPECT_EQ(run_summary_from_text(std::string(100000, '[')).state, "");
}

}  // namespace
}  // namespace bulwark

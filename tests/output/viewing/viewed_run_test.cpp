#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/viewing/inlined_run.hpp>
#include <bulwark/output/viewing/viewed_run.hpp>
#include <bulwark/output/writing/frame_writer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <output/temporary_folder.hpp>
#include <set>

namespace bulwark {
namespace {

using Json = nlohmann::json;

/// Two tetrahedra that share a face, moving along x; a triangle that stands still.
Frame moving_frame(int step) {
  Frame frame;
  frame.step = step;
  frame.time = 0.5 * step;
  frame.position.resize(3, 8);
  frame.position << 0, 1, 0, 0, 1, 5, 6, 5,  //
      0, 0, 0, 1, 1, 0, 0, 0,                //
      0, 0, 1, 0, 1, 0, 0, 1;
  frame.position.leftCols(5).row(0).array() += step;
  frame.velocity = Vectors::Zero(3, 8);
  frame.velocity.leftCols(5).row(0).array() = 3;
  frame.velocity.leftCols(5).row(1).array() = 4;
  frame.contact_force = Vectors::Zero(3, 8);
  frame.contact_force(1, 2) = 7.0 * step;
  frame.tetrahedra = {{0, 2, 1, 3}, {1, 2, 4, 3}};
  frame.von_mises_stress = {100, 300};
  frame.triangles = {{5, 6, 7}};
  frame.point_body = {0, 0, 0, 0, 0, 1, 1, 1};
  frame.body_names = {"pair[0,0,0]", "</script>"};
  frame.bodies = {{false, true, true, -1}, {true, true, true, -1}};
  const Vector3 place(step, 1, 0);
  if (step > 0)
    frame.joints.push_back(
        {"rope", "distance", {0, 1}, {place, Vector3(5, 0, 0)}, {Vector3::Zero(), Vector3::Zero()}});
  if (step < 4)
    frame.joints.push_back({"axle", "hinge", {0, -1}, {place, place}, {Vector3::UnitX(), Vector3::UnitX()}});
  return frame;
}

class RunOfTwoBodies : public testing::Test {
 protected:
  RunOfTwoBodies() {
    std::filesystem::create_directories(folder / "frames");
    for (int step = 0; step < 5; ++step) write_frame(step);
    write_all(folder / "steps.csv", "step,time,contacts\n1,0.5,0\n2,1,0\n3,1.5,1\n");
    write_all(folder / "bodies.csv",
              "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
              "0,0,\"pair[0,0,0]\",1,2,3,1,0,0,0,4,5,6,7,8,9\n"
              "0,0,</script>,0,0,0,1,0,0,0,0,0,0,0,0,0\n"
              "1,0.5,\"pair[0,0,0]\",10,2,3,1,0,0,0,4,5,6,7,8,9\n");
    write_all(folder / "wrenches.csv",
              "step,time,body,source,x,y,z,fx,fy,fz,tx,ty,tz\n"
              "1,0.5,\"pair[0,0,0]\",contact,0,0,0,1,2,3,4,5,6\n"
              "1,0.5,\"pair[0,0,0]\",held,0,0,0,7,7,7,7,7,7\n");
    write_all(folder / "contacts.csv",
              "step,time,body_a,body_b,x,y,z,normal_force_x,normal_force_y,normal_force_z,friction_force_x,"
              "friction_force_y,friction_force_z,distance\n"
              "3,1.5,</script>,\"pair[0,0,0]\",1,2,3,4,5,6,7,8,9,0.001\n");
    write_all(folder / "summary.json",
              R"({"state": "running", "version": "1", "scene": {"title": "Two", "resolved":
                 {"bodies": [{"name": "pair", "kind": "deformable"}], "gravity": [0, 0, -9.81],
                  "camera": {"position": [1, 2, 3], "target": [0, 0, 1], "field_of_view_degrees": 30}}}})");
  }

  void write_frame(int step) {
    write_all(folder / "frames" / frame_file_name(step), frame_to_vtu(moving_frame(step)));
  }

  struct RunFolderOfTest {
    TemporaryFolder owner;
    std::filesystem::path operator/(const std::string& name) const { return owner.path() / name; }
  } folder;
};

TEST_F(RunOfTwoBodies, SaysWhichWayIsUpAndWhereTheSceneLooksFrom) {
  ViewedRun run(folder.owner.path());
  const Json whole = Json::parse(run.description(0));
  EXPECT_EQ(whole["up"], Json({0.0, 0.0, 1.0}));
  EXPECT_EQ(whole["camera"]["position"], Json({1.0, 2.0, 3.0}));
  EXPECT_EQ(whole["camera"]["target"], Json({0.0, 0.0, 1.0}));
  EXPECT_EQ(whole["camera"]["field_of_view_degrees"], 30);
}

TEST_F(RunOfTwoBodies, HasJointsThatComeAndGo) {
  ViewedRun run(folder.owner.path());
  const Json joints = Json::parse(run.description(0))["joints"];
  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[0], Json({{"name", "axle"}, {"kind", "hinge"}, {"bodies", {"pair[0,0,0]", "world"}}}));
  EXPECT_EQ(joints[1]["bodies"], Json({"pair[0,0,0]", "</script>"}));
  EXPECT_EQ(run.joints_at(0), (std::vector<float>{0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(run.joints_at(4), (std::vector<float>{1, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(run.joints_at(2).size(), 26U);
  EXPECT_EQ(run.joints_at(2)[0], 1);
}

std::vector<std::string> names_of(const Json& fields) {
  std::vector<std::string> names;
  for (const Json& field : fields) names.push_back(field["name"]);
  return names;
}

TEST_F(RunOfTwoBodies, IsDescribed) {
  ViewedRun run(folder.owner.path());
  const Json whole = Json::parse(run.description(0));
  EXPECT_EQ(whole["title"], "Two");
  EXPECT_EQ(whole["state"], "running");
  EXPECT_EQ(whole["steps"], Json({0, 1, 2, 3, 4}));
  EXPECT_EQ(whole["times"], Json({0.0, 0.5, 1.0, 1.5, 2.0}));  // the last is told by its frame only
  EXPECT_EQ(names_of(whole["fields"]), (std::vector<std::string>{"speed", "von_mises_stress", "contact_force",
                                                                 "velocity_x", "velocity_y", "velocity_z"}));
  EXPECT_EQ(whole["fields"][1], Json({{"name", "von_mises_stress"},
                                      {"title", "Von Mises stress"},
                                      {"group", "Stress"},
                                      {"unit", "Pa"},
                                      {"signed", false}}));
  EXPECT_EQ(whole["bodies"][0]["kind"], "deformable");
  EXPECT_EQ(whole["bodies"][1]["obstacle"], true);
  EXPECT_EQ(whole["bounds"]["first"], Json({0.0, 0.0, 0.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(whole["bounds"]["last"], Json({4.0, 0.0, 0.0, 5.0, 1.0, 1.0}));
}

TEST_F(RunOfTwoBodies, GrowsWhileItIsLookedAt) {
  ViewedRun run(folder.owner.path());
  run.description(0);
  write_frame(5);
  const Json more = Json::parse(run.description(5));
  EXPECT_EQ(more["from"], 5);
  EXPECT_EQ(more["steps"], Json({5}));
  EXPECT_FALSE(more.contains("bodies"));
  EXPECT_EQ(Json::parse(run.description(9))["steps"], Json::array());
}

TEST_F(RunOfTwoBodies, FramesArePackedAsThePageReadsThem) {
  ViewedRun run(folder.owner.path());
  const std::string bytes = run.packed_frame(2, ViewedField::speed);
  EXPECT_EQ(bytes.substr(0, 4), "BWF1");
  std::uint32_t counts[2];
  std::uint64_t topology = 0;
  double time = 0;
  std::memcpy(counts, bytes.data() + 4, 8);
  std::memcpy(&topology, bytes.data() + 16, 8);
  std::memcpy(&time, bytes.data() + 24, 8);
  EXPECT_EQ(counts[0], 8u);
  EXPECT_EQ(counts[1], 8u);
  EXPECT_EQ(time, 1.0);
  ASSERT_EQ(bytes.size(), 32u + 8 * 12 + 8 * 4);
  std::vector<float> numbers(8 * 4);
  std::memcpy(numbers.data(), bytes.data() + 32, 4 * numbers.size());
  const ViewedSurface& surface = run.surface(topology)->surface;
  const Frame frame = moving_frame(2);
  for (std::size_t v = 0; v < 8; ++v) {
    const int point = surface.vertex_point[v];
    for (int k = 0; k < 3; ++k) EXPECT_EQ(numbers[3 * v + k], static_cast<float>(frame.position(k, point)));
    EXPECT_EQ(numbers[24 + v], point < 5 ? 5.0F : 0.0F);
  }
  EXPECT_EQ(run.packed_frame(2, std::nullopt).size(), 32u + 8 * 12);
  EXPECT_THROW(run.packed_frame(77, std::nullopt), InputError);
  EXPECT_THROW(run.surface(topology + 1), InputError);
}

TEST_F(RunOfTwoBodies, StressOfAVertexIsTheMeanOfItsCells) {
  ViewedRun run(folder.owner.path());
  const FrameArrays frame(folder / "frames/frame_000001.vtu");
  const auto surface = run.surface_of(frame, folder / "frames/frame_000001.vtu");
  const std::vector<float> stress = vertex_field(frame, surface->surface, ViewedField::von_mises_stress);
  for (std::size_t v = 0; v < 8; ++v) {
    const int point = surface->surface.vertex_point[v];
    EXPECT_EQ(stress[v], point == 0 ? 100 : point == 4 ? 300 : point < 4 ? 200 : 0) << point;
  }
}

TEST(ViewedField, HasANameAndATitleOfItsOwn) {
  std::set<std::string_view> names, titles;
  for (const ViewedField field : viewed_fields) {
    names.insert(described(field).name);
    titles.insert(described(field).title);
    EXPECT_EQ(field_by_name(described(field).name), field);
  }
  EXPECT_EQ(names.size(), viewed_fields.size());
  EXPECT_EQ(titles.size(), viewed_fields.size());
  EXPECT_EQ(described(ViewedField::speed).name, "speed");
  EXPECT_EQ(described(ViewedField::stress_xz).name, "stress_xz");
  EXPECT_EQ(described(ViewedField::energy_density).name, "energy_density");
  EXPECT_FALSE(field_by_name("stress_zx"));
  EXPECT_FALSE(field_by_name(""));
}

TEST_F(RunOfTwoBodies, OffersEveryFieldOfItsFrames) {
  Frame frame = moving_frame(4);
  const auto all = static_cast<Eigen::Index>(frame.point_body.size());
  frame.contact_pressure.assign(all, 2);
  frame.contact_traction = Vectors::Constant(3, all, 1);
  frame.stress.von_mises.assign(all, 7);
  frame.stress.energy_density.assign(all, 5);
  frame.stress.principal = Vectors::Zero(3, all);
  frame.stress.principal.row(2).setConstant(-6);
  for (SymmetricTensors* tensors : {&frame.stress.cauchy, &frame.stress.second, &frame.stress.strain}) {
    tensors->resize(6, all);
    for (int row = 0; row < 6; ++row) tensors->row(row).setConstant(row - 3);
  }
  write_all(folder / "frames/frame_000004.vtu", frame_to_vtu(frame));
  ViewedRun run(folder.owner.path());
  EXPECT_EQ(Json::parse(run.description(0))["fields"].size(), viewed_fields.size());
  const FrameArrays arrays(folder / "frames/frame_000004.vtu");
  const auto surface = run.surface_of(arrays, folder / "frames/frame_000004.vtu");
  const auto value = [&](ViewedField field) { return vertex_field(arrays, surface->surface, field).at(0); };
  EXPECT_EQ(value(ViewedField::von_mises_stress), 7);  // at points, where the frame has it
  EXPECT_EQ(value(ViewedField::stress_xx), -3);
  EXPECT_EQ(value(ViewedField::stress_xz), 2);
  EXPECT_EQ(value(ViewedField::second_stress_yy), -2);
  EXPECT_EQ(value(ViewedField::strain_yz), 1);
  EXPECT_EQ(value(ViewedField::principal_stress_3), -6);
  EXPECT_EQ(value(ViewedField::energy_density), 5);
  EXPECT_EQ(value(ViewedField::velocity_y), 4);
  EXPECT_NEAR(value(ViewedField::contact_traction), std::sqrt(3), 1e-6);
  // The other frames have none of them: that is no error, and the scale is that of the one frame.
  EXPECT_EQ(run.scale_end_of(ViewedField::stress_xx), 3);
  EXPECT_EQ(run.packed_frame(2, ViewedField::stress_xx).size(), 32u + 8 * 12);
  const Json page = Json::parse(inline_run(run, 1'000'000).json);
  EXPECT_EQ(page["run"]["fields"].size(), viewed_fields.size());
  EXPECT_EQ(page["blocks"][0]["fields"].size(), viewed_fields.size());
}

TEST_F(RunOfTwoBodies, AnotherMeshIsAnotherTopology) {
  Frame remeshed = moving_frame(4);
  remeshed.tetrahedra.pop_back();
  remeshed.von_mises_stress.pop_back();
  write_all(folder / "frames/frame_000004.vtu", frame_to_vtu(remeshed));
  const auto topology = [&](const char* name) { return FrameArrays(folder / name).topology(); };
  EXPECT_EQ(topology("frames/frame_000000.vtu"), topology("frames/frame_000003.vtu"));
  EXPECT_NE(topology("frames/frame_000000.vtu"), topology("frames/frame_000004.vtu"));
  ViewedRun run(folder.owner.path());
  EXPECT_EQ(run.packed_frame(4, std::nullopt).size(), 32u + (4 + 3) * 12);
}

TEST_F(RunOfTwoBodies, BodiesAndContactsAreFoundByStep) {
  ViewedRun run(folder.owner.path());
  const std::vector<float> bodies = run.bodies_at(1);
  ASSERT_EQ(bodies.size(), 2u * body_state_size);
  EXPECT_EQ(bodies[0], 10);
  EXPECT_EQ(bodies[12], 9);
  EXPECT_EQ(bodies[13], 1);
  EXPECT_EQ(bodies[18], 6);
  EXPECT_TRUE(std::isnan(bodies[body_state_size]));
  EXPECT_TRUE(run.contacts_at(2).empty());
  const std::vector<float> contacts = run.contacts_at(3);
  EXPECT_EQ(contacts, (std::vector<float>{1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0.001F}));
}

TEST_F(RunOfTwoBodies, ColourScalesEndBelowTheFewGreatestValues) {
  ViewedRun run(folder.owner.path());
  EXPECT_EQ(run.scale_end_of(ViewedField::speed), 5);
  EXPECT_EQ(run.scale_end_of(ViewedField::contact_force), 28);
  std::vector<float> values(100, 1);
  values[7] = 1000;
  EXPECT_EQ(scale_end(ViewedField::speed, values), 1);
  EXPECT_EQ(scale_end(ViewedField::speed, {0, 0}), 0);
  EXPECT_EQ(scale_end(ViewedField::stress_xy, {0, -2, 1}), 1);  // by the size of values
  EXPECT_EQ(scale_end(ViewedField::stress_xy, {-2}), 2);
}

TEST_F(RunOfTwoBodies, APageCarriesItWhole) {
  ViewedRun run(folder.owner.path());
  const InlinedRun inlined = inline_run(run, 1'000'000);
  EXPECT_EQ(inlined.frames, 5u);
  EXPECT_EQ(inlined.every, 1u);
  EXPECT_EQ(inlined.json.find('<'), std::string::npos);
  const Json json = Json::parse(inlined.json);
  EXPECT_EQ(json["run"]["bodies"][1]["name"], "</script>");
  EXPECT_EQ(json["run"]["state"], "was running");
  EXPECT_EQ(json["surfaces"].size(), 1u);
  EXPECT_EQ(json["blocks"].size(), 1u);
}

TEST_F(RunOfTwoBodies, FramesAreLeftOutOfAPageThatWouldBeTooLarge) {
  for (int step = 5; step < 40; ++step) write_frame(step);
  ViewedRun run(folder.owner.path());
  const std::size_t whole = inline_run(run, 1'000'000).json.size();
  const InlinedRun inlined = inline_run(run, whole * 2 / 3);
  EXPECT_LE(inlined.json.size(), whole * 2 / 3);
  EXPECT_GT(inlined.every, 1u);
  const Json steps = Json::parse(inlined.json)["run"]["steps"];
  EXPECT_EQ(steps.size(), inlined.frames);
  EXPECT_EQ(steps.front(), 0);
  EXPECT_EQ(steps.back(), 39);
}

/// All that the page asks for of a step.
void ask_all(ViewedRun& run, std::int64_t step) {
  run.packed_frame(step, ViewedField::speed);
  run.bodies_at(step);
  run.contacts_at(step);
  run.joints_at(step);
}

TEST_F(RunOfTwoBodies, ADamagedFrameFailsAloneWhicheverItIs) {
  const std::string good = read_all(folder / "frames/frame_000000.vtu");
  std::string no_head = good, bad_data = good;
  no_head.replace(0, 200, std::string(200, 'x'));
  for (std::size_t i = good.find("_") + 1; i < good.size(); i += 3) bad_data[i] = 'x';
  std::filesystem::remove(folder / "steps.csv");  // then frames alone know their times
  for (const std::string& damaged : {std::string(), good.substr(0, good.size() / 2), no_head, bad_data}) {
    for (int broken = 0; broken < 5; ++broken) {
      for (int step = 0; step < 5; ++step) write_frame(step);
      write_all(folder / "frames" / frame_file_name(broken), damaged);
      ViewedRun run(folder.owner.path());
      const Json whole = Json::parse(run.description(0));
      EXPECT_EQ(whole["steps"], Json({0, 1, 2, 3, 4}));
      EXPECT_EQ(whole["bodies"].size(), 2U);
      for (const Json& time : whole["times"]) EXPECT_TRUE(time.is_number());
      EXPECT_EQ(run.scale_end_of(ViewedField::speed), 5);
      for (int step = 0; step < 5; ++step) {
        if (step == broken) {
          EXPECT_THROW(run.packed_frame(step, std::nullopt), InputError) << step;
          EXPECT_NO_THROW(run.bodies_at(step));
        } else {
          EXPECT_NO_THROW(ask_all(run, step)) << "broken " << broken << ", step " << step;
        }
      }
    }
  }
}

TEST_F(RunOfTwoBodies, APageIsWrittenWithoutTheDamagedFrames) {
  set_log_sink({});
  write_all(folder / "frames" / frame_file_name(2), "damaged");
  write_all(folder / "frames" / frame_file_name(4), "damaged");
  ViewedRun run(folder.owner.path());
  EXPECT_EQ(Json::parse(inline_run(run, 1'000'000).json)["run"]["steps"], Json({0, 1, 3}));
  for (int step = 0; step < 5; ++step) write_all(folder / "frames" / frame_file_name(step), "damaged");
  ViewedRun hopeless(folder.owner.path());
  EXPECT_THROW(inline_run(hopeless, 1'000'000), InputError);
}

TEST_F(RunOfTwoBodies, NoLinkLeadsOutOfTheFolder) {
  const TemporaryFolder outside;
  Frame secret = moving_frame(3);
  secret.body_names[0] = "secret";
  write_all(outside / "frame.vtu", frame_to_vtu(secret));
  write_all(outside / "summary.json", R"({"state": "done", "scene": {"title": "secret"}})");
  write_all(outside / "table.csv", "step,time\n1,77.125\n");
  const auto link = [&](const char* target, const std::string& name) {
    std::filesystem::remove(folder / name);
    std::filesystem::create_symlink(outside / target, folder / name);
  };
  link("frame.vtu", "frames/frame_000003.vtu");
  link("summary.json", "summary.json");
  link("table.csv", "steps.csv");
  link("table.csv", "bodies.csv");
  ViewedRun run(folder.owner.path());
  const std::string whole = run.description(0);
  EXPECT_EQ(whole.find("secret"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("77.125"), std::string::npos) << whole;
  EXPECT_THROW(run.packed_frame(3, std::nullopt), InputError);
  EXPECT_THROW(run.joints_at(3), InputError);
  EXPECT_THROW(run.steps_from(0), InputError);
  EXPECT_THROW(run.bodies_at(1), InputError);
  EXPECT_NO_THROW(run.packed_frame(2, std::nullopt));

  std::filesystem::rename(folder / "frames", outside / "frames");
  std::filesystem::create_directory_symlink(outside / "frames", folder / "frames");
  EXPECT_THROW(run.description(0), InputError);
  EXPECT_THROW(run.packed_frame(2, std::nullopt), InputError);
  EXPECT_THROW(ViewedRun{folder.owner.path()}, InputError);
}

TEST_F(RunOfTwoBodies, ASummaryOfAnythingIsNoObstacle) {
  for (const char* text :
       {"", "[", "[]", "null", R"({"scene": 7})", R"({"scene": {"title": 7, "resolved": []}})",
        R"({"state": {}, "version": [], "scene": {"resolved": {"bodies": {"a": 1}}}})"}) {
    write_all(folder / "summary.json", text);
    ViewedRun run(folder.owner.path());
    EXPECT_EQ(Json::parse(run.description(0))["state"], "unknown") << text;
  }
}

TEST(ViewedRun, AFolderWithoutFramesIsBadInput) {
  const TemporaryFolder folder;
  EXPECT_THROW(ViewedRun{folder.path()}, InputError);
  EXPECT_THROW(ViewedRun{folder / "none"}, InputError);
}

TEST_F(RunOfTwoBodies, KeepsTheNumbersOfBodiesThatComeAndGo) {
  Frame later = moving_frame(5);
  later.body_names = {"newcomer", "</script>"};
  later.von_mises_stress.clear();
  later.tetrahedra = {{0, 2, 1, 3}};  // another surface
  write_all(folder / "frames" / frame_file_name(5), frame_to_vtu(later));
  write_all(folder / "bodies.csv",
            "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
            "5,2.5,newcomer,1,2,3,1,0,0,0,4,5,6,7,8,9\n"
            "5,2.5,</script>,0,0,0,1,0,0,0,0,0,0,0,0,0\n");
  ViewedRun run(folder.owner.path());
  const Json whole = Json::parse(run.description(0));
  ASSERT_EQ(whole["bodies"].size(), 3u);
  EXPECT_EQ(whole["bodies"][0]["name"], "pair[0,0,0]");
  EXPECT_EQ(whole["bodies"][2]["name"], "newcomer");
  const std::filesystem::path path = folder.owner.path() / "frames" / frame_file_name(5);
  const auto surface = run.surface_of(FrameArrays(path), path);
  const std::set<int> numbers(surface->surface.vertex_body.begin(), surface->surface.vertex_body.end());
  EXPECT_EQ(numbers, (std::set<int>{1, 2}));
  const std::vector<float> states = run.bodies_at(5);
  ASSERT_EQ(states.size(), 3 * std::size_t{body_state_size});
  EXPECT_TRUE(std::isnan(states[0]));
  EXPECT_EQ(states[2 * std::size_t{body_state_size}], 1);
}

}  // namespace
}  // namespace bulwark

// Starts that touch, are one rounding apart, or overlap: answered before the first step, with the motion that
// parts the bodies. Whatever is not answered can make its first step.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/start_check.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <random>
#include <regex>

namespace bulwark {
namespace {

BodyOptions at(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

enum class Top { rigid, affine, soft };

void add_box(World& world, Top kind, const Vector3& position, const std::string& name = "top") {
  if (kind == Top::rigid) {
    add_rigid(world, surface_mesh(BoxShape{}), StiffMaterial{}, at(name, position));
  } else if (kind == Top::affine) {
    add_affine(world, surface_mesh(BoxShape{}), StiffMaterial{}, at(name, position));
  } else {
    ElasticMaterial rubber;
    rubber.young = 1e6;
    add_deformable(world, solid_mesh(BoxShape{}), rubber, at(name, position));
  }
}

/// What a start is answered with; "" when it is accepted and its first step could be made.
std::string answer(const World& world) {
  Settings settings;
  settings.solver.threads = 1;
  try {
    Simulation simulation(world, settings);
    simulation.step();
    return "";
  } catch (const IntersectionError& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  // A StepFailure is not caught: it fails the test.
}

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "expected: " << part << "\nin:\n" << message;
}

struct Case {
  std::string name;
  Vector3 direction;  ///< in which the gap opens
  std::function<void(World&, const Vector3& origin, const Vector3& gap)> build;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Top kind : {Top::rigid, Top::affine, Top::soft}) {
    for (const Vector3& side : {Vector3(0, 1, 0), Vector3(1, 1, 0), Vector3(1, 1, 1)}) {
      const char* place = side.sum() == 1 ? "face" : side.sum() == 2 ? "edge" : "corner";
      all.push_back({std::string("box on box, by ") + place + ", kind " + std::to_string(int(kind)), side,
                     [=](World& world, const Vector3& origin, const Vector3& gap) {
                       add_obstacle(world, surface_mesh(BoxShape{}), at("base", origin));
                       add_box(world, kind, origin + side + gap);
                     }});
    }
    all.push_back({"box on plane", {0, 1, 0}, [=](World& world, const Vector3& origin, const Vector3& gap) {
                     add_plane(world, origin, {0, 1, 0}, at("base", {0, 0, 0}));
                     add_box(world, kind, origin + Vector3(0, 0.5, 0) + gap);
                   }});
  }
  all.push_back({"sphere on plane", {0, 1, 0}, [](World& world, const Vector3& origin, const Vector3& gap) {
                   const SurfaceMesh ball = surface_mesh(SphereShape{0.5});
                   add_plane(world, origin, {0, 1, 0}, at("base", {0, 0, 0}));
                   const double lowest = ball.vertices.row(1).minCoeff();
                   add_rigid(world, ball, StiffMaterial{}, at("top", origin + Vector3(0, -lowest, 0) + gap));
                 }});
  all.push_back({"cloth on box", {0, 1, 0}, [](World& world, const Vector3& origin, const Vector3& gap) {
                   add_obstacle(world, surface_mesh(BoxShape{}), at("base", origin));
                   add_shell(world, surface_mesh(GridShape{{1.3, 1.3}, {4, 4}}), ClothMaterial{},
                             at("top", origin + Vector3(0, 0.5 + 0.5 * ClothMaterial{}.thickness, 0) + gap));
                 }});
  all.push_back(
      {"round ball on plane", {0, 1, 0}, [](World& world, const Vector3& origin, const Vector3& gap) {
         add_plane(world, origin, {0, 1, 0}, at("base", {0, 0, 0}));
         add_rigid(world, round_surface(SphereShape{0.5}), StiffMaterial{},
                   at("top", origin + Vector3(0, 0.5, 0) + gap));
       }});
  all.push_back(
      {"round ball on ball", {0, 1, 0}, [](World& world, const Vector3& origin, const Vector3& gap) {
         add_affine(world, round_surface(SphereShape{0.5}), StiffMaterial{}, at("base", origin));
         hold(world, 0, SelectAll{});
         add_rigid(world, round_surface(SphereShape{0.25}), StiffMaterial{},
                   at("top", origin + Vector3(0, 0.75, 0) + gap));
       }});
  return all;
}

TEST(StartCheck, StartsThatTouchOrNearlyDoAreAnsweredAndAllOthersStep) {
  int answered = 0, stepped = 0;
  for (const Case& c : cases()) {
    for (const double coordinate : {0.0, 1e3, 1e6}) {
      // Relative to the coordinates; -1 stands for one unit in the last place.
      for (const double relative : {0.0, -1.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10}) {
        const double scale = std::max(1.0, coordinate);
        const double gap = relative < 0 ? std::nextafter(scale, 2 * scale) - scale : relative * scale;
        World world;
        const Vector3 origin = Vector3::Constant(coordinate);
        c.build(world, origin, gap * c.direction);
        const std::string message = answer(world);
        const std::string where = c.name + fmt::format(", gap {} at {}\n", gap, coordinate) + message;
        if (message.empty()) {
          ++stepped;
          EXPECT_GT(gap, 2e-15 * scale) << where;
        } else {
          ++answered;
          EXPECT_LT(gap, 1e-13 * scale) << where;
          expect_parts(message, {"'top'", "'base'", "move 'top' by ", " m along ("});
        }
      }
    }
  }
  EXPECT_GT(answered, 100);
  EXPECT_GT(stepped, 100);
}

TEST(StartCheck, AMessageHasOneLineForTwoBodiesAndNumbersOfTheirOwnMeshes) {
  World world;
  add_obstacle(world, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), at("other", {5, 5, 5}));
  add_obstacle(world, surface_mesh(BoxShape{{4, 1, 4}}), at("floor", {0, -0.5, 0}));
  add_box(world, Top::soft, {5, 0.7, 0}, "first");
  add_box(world, Top::soft, {1, 0.488, 0}, "soft");
  add_box(world, Top::rigid, {-1, 0.49, 0}, "hard");
  const std::string message = answer(world);
  expect_parts(message,
               {"'soft' is 0.012 m deep in 'floor': move 'soft' by at least 0.01201", " m along (0, 1, 0)",
                "'hard' is 0.01 m deep in 'floor': move 'hard' by at least 0.01001", "; and "});
  EXPECT_EQ(message.find("'other'"), std::string::npos) << message;
  // A head line, two pairs of bodies with three places each, and the remedy.
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1 + 2 * 4) << message;
  // No number of a vertex or triangle is beyond what these small meshes have.
  const std::regex number("(edge|triangle|vertex|node) (\\d+)");
  for (auto it = std::sregex_iterator(message.begin(), message.end(), number); it != std::sregex_iterator();
       ++it)
    EXPECT_LT(std::stoi((*it)[2]), 12) << message;
}

TEST(StartCheck, ManyPairsAreCounted) {
  World world;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, at("ground", {0, 0, 0}));
  for (int i = 0; i < 15; ++i) add_box(world, Top::rigid, {3.0 * i, 0.4, 0}, "box" + std::to_string(i));
  expect_parts(answer(world), {"'box9' is 0.1 m deep in 'ground'", "and 5 more pairs of bodies"});
}

TEST(StartCheck, AClothThatCrossesItselfIsNamedOnce) {
  World world;
  SurfaceMesh sheets = surface_mesh(GridShape{{1, 1}, {2, 2}});
  const Eigen::Index count = sheets.vertices.cols();
  const std::size_t triangles = sheets.triangles.size();
  sheets.vertices.conservativeResize(3, 2 * count);
  for (Eigen::Index v = 0; v < count; ++v)
    sheets.vertices.col(count + v) = Vector3(sheets.vertices(0, v), sheets.vertices(2, v), 0.1);
  for (std::size_t t = 0; t < triangles; ++t) {
    Triangle other = sheets.triangles[t];
    for (int& v : other) v += static_cast<int>(count);
    sheets.triangles.push_back(other);
  }
  add_shell(world, sheets, ClothMaterial{}, at("cloth", {0, 0, 0}));
  expect_parts(answer(world), {"'cloth' touches or passes through itself"});
}

/// Moves the bodies as the message says until the start is accepted; returns in how many rounds, 0 if never.
int rounds_to_part(World world, double extra) {
  const std::regex motion(R"(move '([^']+)' by (at least|about) (\S+) m along \((\S+), (\S+), (\S+)\))");
  for (int round = 1; round <= 6; ++round) {
    std::string message;
    try {
      check_start(world);
      return round;
    } catch (const IntersectionError& error) {
      message = error.what();
    }
    for (auto it = std::sregex_iterator(message.begin(), message.end(), motion); it != std::sregex_iterator();
         ++it) {
      const std::smatch& m = *it;
      const Vector3 direction(std::stod(m[4]), std::stod(m[5]), std::stod(m[6]));
      for (const Body& body : world.bodies) {
        if (body.name != m[1]) continue;
        const int count = body.stiff >= 0 ? 1 : body.control_count;
        world.state.position.middleCols(body.first_control, count).colwise() +=
            (1 + extra) * std::stod(m[3]) * direction;
      }
      break;  // one pair a round: the others may have changed with it
    }
  }
  return 0;
}

TEST(StartCheck, WhatIsSaidPartsRandomPairsOfBodies) {
  // "Most" and not "all": a direction is told by four digits.
  std::mt19937 random(13);
  std::uniform_real_distribution<double> unit(-1, 1);
  const std::vector<Shape> shapes = {BoxShape{},  SphereShape{0.6},     CylinderShape{0.4, 1},
                                     ConeShape{}, TorusShape{0.7, 0.2}, TetrahedronShape{1.2}};
  int overlaps = 0, parted = 0;
  for (int trial = 0; trial < 60; ++trial) {
    World world;
    for (int b = 0; b < 2; ++b) {
      BodyOptions options = at(b == 0 ? "a" : "b", 0.6 * Vector3(unit(random), unit(random), unit(random)));
      const Vector3 axis = Vector3(unit(random), unit(random), unit(random)).normalized();
      options.pose.rotation = Eigen::AngleAxisd(3 * unit(random), axis).toRotationMatrix();
      const Shape& shape = shapes[static_cast<std::size_t>(random() % shapes.size())];
      if (trial % 3 == 0 && b == 0) {
        add_obstacle(world, surface_mesh(shape), options);
      } else if (trial % 3 == 1) {
        add_deformable(world, solid_mesh(shape), ElasticMaterial{}, options);
      } else {
        add_rigid(world, surface_mesh(shape), StiffMaterial{}, options);
      }
    }
    const int rounds = rounds_to_part(world, 1e-3);
    if (rounds == 1) continue;
    ++overlaps;
    parted += rounds == 2 ? 1 : 0;
  }
  EXPECT_GT(overlaps, 30);
  EXPECT_GE(parted, overlaps - 1);
}

TEST(StartCheck, TheMinimumDistanceIsAnsweredWithAMotion) {
  World world;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, at("ground", {0, 0, 0}));
  add_box(world, Top::rigid, {0, 0.501, 0}, "box");
  Settings settings;
  settings.contact.distance = {0.01, false};
  settings.contact.minimum_distance = 0.005;
  try {
    Simulation simulation(world, settings);
    FAIL();
  } catch (const IntersectionError& error) {
    expect_parts(error.what(),
                 {"'box'", "'ground'", "minimum distance of 0.005 m", "move 'box' by at least 0.0040",
                  "along (0, 1, 0)", "/contact/minimum_distance"});
  }
}

}  // namespace
}  // namespace bulwark

// Stress and strain in the frames of a simulation.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/output/writing/frame_capture.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace bulwark {
namespace {

/// A soft box on a rigid obstacle, and an ANCF beam, all at rest; then stretched by a tenth along x.
Simulation stretched_bodies(const OutputSettings& output) {
  World world;
  ElasticMaterial material;
  material.model = ElasticModel::svk;
  material.young = 1e6;
  material.poisson = 0;
  material.width = material.height = 0.1;
  BodyOptions options;
  options.name = "box";
  add_deformable(world, solid_mesh(BoxShape{{1, 1, 1}}, 1), material, options);
  options.name = "wall";
  options.pose.position = {0, 5, 0};
  add_obstacle(world, surface_mesh(BoxShape{{1, 1, 1}}), options);
  SurfaceMesh line;
  line.vertices = Vectors::Zero(3, 2);
  line.vertices(0, 1) = 1;
  line.edges = {{0, 1}};
  options.name = "beam";
  options.pose.position = {0, 0, 5};
  add_ancf(world, ancf_beam_mesh(line, Vector3::UnitZ(), "beam"), material, options);
  world.state.position.row(0) *= 1.1;
  Settings settings;
  settings.output = output;
  return Simulation(std::move(world), settings);
}

TEST(FrameStress, EveryPointOfASolidHasItAndOthersHaveZero) {
  OutputSettings output;
  output.stress = output.stress_tensor = output.second_stress = output.strain = true;
  output.principal_stress = output.energy_density = true;
  const Frame frame = capture_frame(stretched_bodies(output));
  const std::size_t count = frame.point_body.size();
  ASSERT_EQ(frame.stress.von_mises.size(), count);
  ASSERT_EQ(frame.stress.energy_density.size(), count);
  const double strain = 0.5 * (1.1 * 1.1 - 1), second = 1e6 * strain, cauchy = 1.1 * second;
  for (std::size_t i = 0; i < count; ++i) {
    const double in_solid = frame.point_body[i] == 1 ? 0 : 1;
    const auto column = static_cast<Eigen::Index>(i);
    EXPECT_NEAR(frame.stress.von_mises[i], in_solid * cauchy, 1e-6 * cauchy);
    EXPECT_NEAR(frame.stress.cauchy(0, column), in_solid * cauchy, 1e-6 * cauchy);
    EXPECT_NEAR(frame.stress.second(0, column), in_solid * second, 1e-6 * cauchy);
    EXPECT_NEAR(frame.stress.strain(0, column), in_solid * strain, 1e-9);
    EXPECT_NEAR(frame.stress.principal(0, column), in_solid * cauchy, 1e-6 * cauchy);
    EXPECT_NEAR(frame.stress.energy_density[i], in_solid * 0.5 * second * strain, 1e-6 * cauchy);
  }
  // The outer surface of the beam is among the points.
  EXPECT_GT(std::count(frame.point_body.begin(), frame.point_body.end(), 2), 2);
}

TEST(FrameStress, WhatIsNotAskedForIsNotThere) {
  OutputSettings output;
  output.stress = false;
  const Frame frame = capture_frame(stretched_bodies(output));
  EXPECT_TRUE(frame.stress.von_mises.empty());
  EXPECT_EQ(frame.stress.cauchy.size(), 0);
  EXPECT_EQ(frame.stress.strain.size(), 0);
}

}  // namespace
}  // namespace bulwark

// A soft box falls for ten steps and lands nowhere: its height has a closed form.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <cmath>
#include <cstdio>

int main() {
  bulwark::World world;
  bulwark::BodyOptions floor, box;
  floor.name = "floor";
  box.name = "box";
  box.pose.position = {0, 2, 0};
  bulwark::add_plane(world, {0, 0, 0}, {0, 1, 0}, floor);
  const int body = bulwark::add_deformable(world, bulwark::solid_mesh(bulwark::BoxShape{}), {}, box);
  bulwark::Settings settings;
  settings.time.step = 0.01;
  bulwark::Simulation simulation(std::move(world), settings);
  for (int i = 0; i < 10; ++i) simulation.step();
  const double height = bulwark::rigid_motion(simulation.world(), body).center.y();
  std::printf("height after ten steps: %.6f m\n", height);
  return std::abs(height - (2 - 9.81 * 0.01 * 0.01 * 55)) < 1e-6 ? 0 : 1;
}

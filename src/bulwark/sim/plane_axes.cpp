#include <bulwark/bodies/planar_layout.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/plane_axes.hpp>

namespace bulwark {

HeldAxes plane_axes(const World& world, int control) {
  if (!world.thickness) return 0;
  const Body& body = world.bodies[body_of_control(world, control)];
  const int place = control - body.first_control;
  const bool rigid = body.is_stiff() && world.stiff[body.stiff].rigid;
  return axes_out_of_plane(body.is_stiff(), rigid, place);
}

}  // namespace bulwark

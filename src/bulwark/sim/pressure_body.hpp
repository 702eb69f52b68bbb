// A body's pressure field for hydroelastic contact (collision/pressure_field.hpp), with its vertices as fixed
// combinations of the world's controls. Deformable bodies of tetrahedra have it in their own elements, by their
// corners; stiff bodies and obstacles are filled with tetrahedra for it.
#pragma once

#include <bulwark/collision/pressure_field.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <string>
#include <vector>

namespace bulwark {

struct PressureBody {
  PressureField field;
  /// Per vertex of the field; each control once.
  std::vector<std::vector<ControlShare>> shares;

  Vectors positions(const Vectors& controls) const;
};

/// Why a body can't have a pressure field, for people; empty where it can. Planes need none.
std::string pressure_refusal(const World& world, int body);

/// Throws InputError where the shape can't be filled, or has no inside.
PressureBody pressure_body(const World& world, int body, const HydroelasticSettings& settings);

/// The body's infinite plane; null where it is none.
const CollisionPlane* plane_of(const World& world, int body);

}  // namespace bulwark

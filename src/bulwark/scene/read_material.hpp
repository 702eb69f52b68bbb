// Materials as the scene file gives them.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/scene/read_values.hpp>

#include <optional>
#include <string>

namespace bulwark {

struct BodyMaterial {
  std::string model;
  bool has_density = true;  ///< stiff bodies can do without one if they have a mass
  ElasticMaterial elastic;  ///< of deformable bodies
  StiffMaterial stiff;      ///< of affine and rigid bodies
  ClothMaterial cloth;      ///< of shells
  RodMaterial rod;          ///< of rods
  SpringMaterial spring;    ///< of particles
  std::optional<double> friction;
};

BodyMaterial read_material(const Json& json);

/// Whether a body of this kind can have a material of this model.
bool suits(const std::string& model, const std::string& kind);

}  // namespace bulwark

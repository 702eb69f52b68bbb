#include <bulwark/scene/read_material.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace bulwark {

BodyMaterial read_material(const Json& json) {
  static const std::map<std::string, ElasticModel> models = {
      {"neo-hookean", ElasticModel::neo_hookean},
      {"fixed-corotational", ElasticModel::fixed_corotational},
      {"svk", ElasticModel::svk},
      {"linear-elastic", ElasticModel::linear_elastic},
      {"mooney-rivlin", ElasticModel::mooney_rivlin},
      {"orthotropic", ElasticModel::orthotropic}};
  BodyMaterial material;
  material.model = json["model"].get<std::string>();
  if (json.contains("friction")) material.friction = json["friction"].get<double>();
  if (material.model == "affine" || material.model == "rigid") {
    material.has_density = json.contains("density");
    if (material.has_density) material.stiff.density = json["density"].get<double>();
    if (json.contains("stiffness")) material.stiff.stiffness = json["stiffness"].get<double>();
    if (json.contains("thickness")) material.stiff.thickness = json["thickness"].get<double>();
    return material;
  }
  if (material.model == "cloth") {
    material.cloth.density = json["density"].get<double>();
    material.cloth.thickness = json["thickness"].get<double>();
    material.cloth.young = json["young"].get<double>();
    material.cloth.poisson = json["poisson"].get<double>();
    material.cloth.bending_young = json["bending_young"].get<double>();
    if (json.contains("strain_limit")) material.cloth.strain_limit = json["strain_limit"].get<double>();
    if (json.contains("damping"))
      material.cloth.rayleigh_damping = json["damping"]["stiffness"].get<double>();
    return material;
  }
  if (material.model == "rod") {
    material.rod.density = json["density"].get<double>();
    material.rod.radius = json["radius"].get<double>();
    material.rod.young = json["young"].get<double>();
    material.rod.bending_young = json["bending_young"].get<double>();
    material.rod.twisting_shear = json["twisting_shear"].get<double>();
    if (json.contains("damping")) material.rod.rayleigh_damping = json["damping"]["stiffness"].get<double>();
    return material;
  }
  if (material.model == "spring") {
    material.spring.stiffness = json["stiffness"].get<double>();
    if (json.contains("damping"))
      material.spring.rayleigh_damping = json["damping"]["stiffness"].get<double>();
    return material;
  }
  material.elastic.model = models.at(material.model);
  material.elastic.density = json["density"].get<double>();
  ElasticMaterial& elastic = material.elastic;
  if (json.contains("prevent_inversion")) elastic.prevent_inversion = json["prevent_inversion"].get<bool>();
  if (elastic.model == ElasticModel::mooney_rivlin) {
    elastic.c10 = json["c10"].get<double>();
    elastic.c01 = json["c01"].get<double>();
    elastic.bulk = json["bulk"].get<double>();
    const double shear = 2 * (elastic.c10 + elastic.c01);
    elastic.young = 9 * elastic.bulk * shear / (3 * elastic.bulk + shear);
    elastic.poisson = (3 * elastic.bulk - 2 * shear) / (2 * (3 * elastic.bulk + shear));
  } else if (elastic.model == ElasticModel::orthotropic) {
    elastic.youngs = json["young"].get<std::array<double, 3>>();
    elastic.poissons = json["poisson"].get<std::array<double, 3>>();
    elastic.shears = json["shear"].get<std::array<double, 3>>();
    elastic.young = *std::max_element(elastic.youngs.begin(), elastic.youngs.end());
    elastic.poisson = elastic.poissons[0];
  } else {
    elastic.young = json["young"].get<double>();
    elastic.poisson = json["poisson"].get<double>();
    elastic.plane_stress = json["plane"] == "stress";
  }
  if (json.contains("damping")) {
    const Json& damping = json["damping"];
    if (damping["kind"] == "rayleigh") {
      material.elastic.rayleigh_damping = damping["stiffness"].get<double>();
    } else {
      material.elastic.shear_viscosity = damping["shear"].get<double>();
      material.elastic.bulk_viscosity = damping["bulk"].get<double>();
    }
  }
  return material;
}

bool suits(const std::string& model, const std::string& kind) {
  static const std::map<std::string, std::string> kinds = {
      {"affine", "affine"}, {"rigid", "rigid"}, {"cloth", "shell"}, {"rod", "rod"}, {"spring", "particles"}};
  const auto found = kinds.find(model);
  if (found == kinds.end()) return kind == "deformable" || kind == "ancf-beam" || kind == "ancf-shell";
  return found->second == kind;
}

}  // namespace bulwark

// Damping in scene files.
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using namespace test;

const std::string rubber = R"({ "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4)";

TEST(DampingScene, IsReadForContactAndMaterials) {
  const Scene none = parse(box_scene());
  EXPECT_EQ(none.settings.contact.restitution_damping, 0);
  EXPECT_EQ(std::get<ElasticMaterial>(none.world.elements.materials[0]).rayleigh_damping, 0);
  const Scene damped =
      parse(box_scene("", R"(, "contact": { "restitution_damping": 2e-3 })"),
            {"/bodies/0/material=" + rubber + R"(, "damping": { "kind": "rayleigh", "stiffness": 0.01 } })"});
  EXPECT_EQ(damped.settings.contact.restitution_damping, 2e-3);
  EXPECT_EQ(std::get<ElasticMaterial>(damped.world.elements.materials[0]).rayleigh_damping, 0.01);
  EXPECT_FALSE(damped.world.bodies[0].restitution_damping);
  const Scene viscous =
      parse(box_scene(), {"/bodies/0/material=" + rubber +
                          R"(, "damping": { "kind": "kelvin-voigt", "shear": 20, "bulk": 5 } })"});
  EXPECT_EQ(std::get<ElasticMaterial>(viscous.world.elements.materials[0]).shear_viscosity, 20);
  EXPECT_EQ(std::get<ElasticMaterial>(viscous.world.elements.materials[0]).bulk_viscosity, 5);
  EXPECT_EQ(std::get<ElasticMaterial>(viscous.world.elements.materials[0]).rayleigh_damping, 0);
  EXPECT_EQ(parse(box_scene(R"(, "restitution_damping": 1e-3)")).world.bodies[0].restitution_damping, 1e-3);
  EXPECT_EQ(parse(obstacle_scene(R"("shape": { "sphere": 1 }, "restitution_damping": 0)"))
                .world.bodies[0]
                .restitution_damping,
            0.0);
}

TEST(DampingScene, IsReadForClothAndRods) {
  const std::string damping = R"(, "damping": { "kind": "rayleigh", "stiffness": 0.02 } })";
  const Scene thin = parse(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
      { "name": "sheet", "kind": "shell", "shape": { "grid": { "size": [1, 1], "cells": [2, 2] } }, "material":
        { "model": "cloth", "density": 300, "thickness": 1e-3, "young": 1e5, "poisson": 0.3, "bending_young": 1e4)" +
                           damping + R"( },
      { "name": "wire", "kind": "rod", "shape": { "line": { "from": [0, 1, 0], "to": [1, 1, 0], "segments": 3 } }, "material":
        { "model": "rod", "density": 1000, "radius": 1e-3, "young": 1e6, "bending_young": 1e6, "twisting_shear": 1e5)" +
                           damping + " } ] }");
  EXPECT_EQ(std::get<ClothMaterial>(thin.world.elements.materials[0]).rayleigh_damping, 0.02);
  EXPECT_EQ(std::get<RodMaterial>(thin.world.elements.materials[1]).rayleigh_damping, 0.02);
}

TEST(DampingScene, WrongValuesAreAnswered) {
  auto material_error = [](const std::string& damping) {
    return error_of(box_scene(), {"/bodies/0/material=" + rubber + ", \"damping\": " + damping + " }"});
  };
  expect_parts(error_of(box_scene("", R"(, "contact": { "restitution_damping": -1 })")),
               {"/contact/restitution_damping: expected a number >= 0, got -1"});
  expect_parts(error_of(box_scene("", R"(, "contact": { "restitution_damping": "much" })")),
               {"/contact/restitution_damping: expected a number >= 0"});
  expect_parts(error_of(box_scene(R"(, "restitution_damping": -2)")),
               {"/bodies/0/restitution_damping: expected a number >= 0, got -2"});
  expect_parts(material_error("0.1"), {"/bodies/0/material/damping"});
  expect_parts(material_error(R"({ "kind": "rayleigh" })"), {"/bodies/0/material/damping", "\"stiffness\""});
  expect_parts(material_error(R"({ "kind": "rayleigh", "stiffness": -0.1 })"),
               {"/bodies/0/material/damping/stiffness", ">= 0", "-0.1"});
  expect_parts(material_error(R"({ "kind": "viscous", "stiffness": 0.1 })"),
               {"/bodies/0/material/damping/kind", "\"rayleigh\"", "\"kelvin-voigt\"", "\"viscous\""});
  expect_parts(material_error(R"({ "kind": "kelvin-voigt", "shear": 1 })"),
               {"/bodies/0/material/damping", "\"bulk\""});
  expect_parts(material_error(R"({ "kind": "kelvin-voigt", "shear": -1, "bulk": 0 })"),
               {"/bodies/0/material/damping/shear", ">= 0", "-1"});
}

}  // namespace
}  // namespace bulwark

// High-order solids and ANCF bodies in scene files: what is read, and what is refused.
#include <bulwark/scene/load.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace bulwark {
namespace {

using test::error_of;
using test::expect_parts;

std::string flexible_scene(const std::string& body, const std::string& material = "\"rubber\"") {
  return R"({ "bulwark": 1, "time": { "steps": 1 }, "materials": {
    "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 } },
  "bodies": [ { "name": "part", "material": )" +
         material + ", " + body + " } ] }";
}

std::string beam(const std::string& keys, const std::string& more = "") {
  return flexible_scene(R"("kind": "ancf-beam", "shape": { "beam": { "width": 0.1, "height": 0.05, )" + keys +
                        " } }" + more);
}

std::string plate(const std::string& more, const std::string& cells = "[2, 2]",
                  const std::string& material = "\"rubber\"") {
  return flexible_scene(
      R"("kind": "ancf-shell", "shape": { "plate": { "size": [1, 1], "thickness": 0.02, "cells": )" + cells +
          " } }" + more,
      material);
}

/// The message about a body in a scene beside which files may lie.
class BadFlexibleMesh : public ::testing::Test {
 protected:
  BadFlexibleMesh() {
    folder_ = std::filesystem::path(::testing::TempDir()) / "bulwark_flexible_bodies";
    std::filesystem::create_directories(folder_);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string error_beside_files(const std::string& text) const {
    try {
      LoadOptions options;
      options.base_folder = folder_;
      parse_scene(text, "test.json", options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  static std::string carrying(const std::string& mesh) {
    return flexible_scene(
        R"("kind": "deformable", "order": 2, "shape": { "box": [1, 1, 1], "resolution": 1 }, "collision_mesh": ")" +
        mesh + "\"");
  }
  std::filesystem::path folder_;
};

std::string tetrahedron_at(double x) {
  const std::string place = std::to_string(x);
  return "v " + place + " 0 0\nv " + std::to_string(x + 0.1) + " 0 0\nv " + place + " 0.1 0\nv " + place +
         " 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
}

TEST(FlexibleScene, ElementsOfEachKindHaveTheirNodes) {
  const auto controls = [](const std::string& text) { return test::parse(text).world.control_count(); };
  EXPECT_EQ(
      controls(flexible_scene(
          R"("kind": "deformable", "order": 2, "elements": "hexahedra", "shape": { "box": [1, 1, 1], "resolution": 1 })")),
      27);
  EXPECT_EQ(controls(flexible_scene(
                R"("kind": "deformable", "order": 2, "shape": { "box": [3, 1, 2], "resolution": 1 })")),
            99);
  EXPECT_EQ(controls(beam(R"("from": [0, 0, 0], "to": [1, 0, 0], "elements": 5)")), 4 * 6);
  EXPECT_EQ(controls(plate("")), 4 * 9);
}

TEST(FlexibleScene, HingedEndsLeaveTheSlopesFree) {
  const auto held = [](const std::string& hinged) {
    const Scene scene =
        test::parse(beam(R"("from": [0, 0, 0], "to": [1, 0, 0], "elements": 2)",
                         R"(, "fixed": [ { "selection": { "nodes": [0] }, "hinged": )" + hinged + " } ]"));
    return scene.world.scripts.at(0).controls.size();
  };
  EXPECT_EQ(held("false"), 4u);
  EXPECT_EQ(held("true"), 1u);
}

TEST(BadFlexibleScene, HexahedraAreOfBoxesAndOfOrderOneOrTwo) {
  expect_parts(
      error_of(flexible_scene(
          R"("kind": "deformable", "order": 3, "elements": "hexahedra", "shape": { "box": [1, 1, 1] })")),
      {"/bodies/0/order", "hexahedra have order 1 or 2", "tetrahedra"});
  expect_parts(
      error_of(flexible_scene(R"("kind": "deformable", "elements": "hexahedra", "shape": { "sphere": 1 })")),
      {"/bodies/0/shape", "only a `box` can be made of hexahedra", "use tetrahedra"});
  expect_parts(error_of(flexible_scene(R"("kind": "deformable", "order": 5, "shape": { "box": [1, 1, 1] })")),
               {"/bodies/0/order", "4"});
}

TEST(BadFlexibleScene, ManyElementsAreRefusedBeforeTheyAreMade) {
  expect_parts(
      error_of(flexible_scene(
          R"("kind": "deformable", "order": 2, "elements": "hexahedra", "shape": { "box": [1, 1, 1], "resolution": 1e-5 })")),
      {"/bodies/0/shape", "resolution"});
  expect_parts(error_of(flexible_scene(
                   R"("kind": "deformable", "order": 4, "shape": { "box": [1, 1, 1], "resolution": 1e-4 })")),
               {"/bodies/0/shape", "resolution"});
  expect_parts(error_of(plate("", "[10000, 10000]")), {"/bodies/0/shape", "1e+08 nodes", "fewer elements"});
  expect_parts(
      error_of(plate(R"(, "repeat": { "count": [100, 100, 1], "spacing": [2, 2, 2] })", "[100, 100]")),
      {"/bodies/0/shape", "nodes"});
}

TEST(BadFlexibleScene, SaysWhatABeamIs) {
  expect_parts(error_of(beam(R"("from": [0, 0, 0], "to": [1, 0, 0], "across": [2, 0, 0], "elements": 2)")),
               {"/bodies/0/shape", "along"});
  expect_parts(error_of(beam(R"("from": [1, 2, 3], "to": [1, 2, 3], "elements": 2)")),
               {"/bodies/0/shape", "length"});
  expect_parts(
      error_of(flexible_scene(
          R"("kind": "ancf-beam", "shape": { "ring": { "radius": 1, "width": 0.1, "height": 0.1, "elements": 2 } })")),
      {"/bodies/0/shape", "three elements"});
  expect_parts(
      error_of(beam(R"("from": [0, 0, 0], "to": [1, 0, 0], "elements": 2)", R"(, "traction": [0, -1, 0])")),
      {"/bodies/0", "traction"});
  expect_parts(
      error_of(beam(R"("from": [0, 0, 0], "to": [1, 0, 0], "elements": 2)", R"(, "scale": [1, 2, 1])")),
      {"can't be stretched", "scale", "give its size"});
}

TEST(BadFlexibleScene, OnlyNodesWithSlopesAreHinged) {
  expect_parts(error_of(flexible_scene(
                   R"("kind": "deformable", "shape": { "box": [1, 1, 1] },
                      "fixed": [ { "selection": { "nodes": [0] }, "hinged": true } ])")),
               {"/bodies/0/fixed/0", "hinged", "slopes"});
}

TEST(FlexibleScene, PlanesOfSymmetryHoldNodesAcrossThemAlone) {
  const World world =
      test::parse(flexible_scene(R"("kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 1 },
      "fixed": [ { "selection": { "plane": [[-0.499, 0, 0], [-1, 0, 0]] }, "axes": [true, false, false] },
                 { "selection": { "plane": [[0, 0, -0.499], [0, 0, -1]] }, "axes": [false, false, true] } ])"))
          .world;
  for (int k = 0; k < world.control_count(); ++k) {
    const int expected = (world.rest(0, k) < -0.499 ? 1 : 0) + (world.rest(2, k) < -0.499 ? 4 : 0);
    EXPECT_EQ(world.held[k], expected) << k;
    EXPECT_FALSE(world.scripted[k]);
  }
}

TEST(BadFlexibleScene, AxesOfHeldPartsSaySomethingThatCanBe) {
  const auto box = [](const std::string& part) {
    return error_of(flexible_scene(R"("kind": "deformable", "shape": { "box": [1, 1, 1] },
        "fixed": [ { "selection": { "nodes": [0] }, )" +
                                   part + " } ]"));
  };
  expect_parts(box(R"("axes": [false, false, false])"),
               {"/bodies/0/fixed/0/axes", "no axis", "leave the part out"});
  expect_parts(box(R"("axes": [true, false, false], "motion": { "linear": [1, 0, 0] })"),
               {"/bodies/0/fixed/0/motion", "some axes alone", "leave out `axes`"});
  expect_parts(box(R"("axes": [true, false])"), {"/bodies/0/fixed/0/axes"});
  // Stiff bodies are held as a whole, by axes of their own.
  expect_parts(error_of(flexible_scene(R"("kind": "affine", "shape": { "box": [1, 1, 1] },
                   "fixed": [ { "selection": "all", "axes": [true, false, false] } ])",
                                       R"({ "model": "affine", "density": 1000 })")),
               {"/bodies/0/fixed", "true or false", "axes"});
}

TEST(FlexibleScene, MaterialsSayWhetherElementsMayInvert) {
  const auto prevented = [](const std::string& key) {
    const Scene scene = test::parse(
        flexible_scene(R"("kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 1 })",
                       R"({ "model": "svk", "density": 1000, "young": 1e6, "poisson": 0.3)" + key + " }"));
    return std::get<ElasticMaterial>(scene.world.elements.materials.at(0)).prevent_inversion;
  };
  EXPECT_EQ(prevented(""), std::nullopt);
  EXPECT_EQ(prevented(R"(, "prevent_inversion": true)"), true);
  EXPECT_EQ(prevented(R"(, "prevent_inversion": false)"), false);
  expect_parts(
      error_of(flexible_scene(
          R"("kind": "deformable", "shape": { "box": [1, 1, 1] })",
          R"({ "model": "svk", "density": 1000, "young": 1e6, "poisson": 0.3, "prevent_inversion": 1 })")),
      {"/bodies/0/material", "prevent_inversion"});
}

TEST(BadFlexibleScene, OrthotropicMaterialsAreStable) {
  const std::string wild =
      R"({ "model": "orthotropic", "density": 600, "young": [1e6, 1e6, 1e6], "poisson": [0.9, 0.9, 0.9], "shear": [1e5, 1e5, 1e5] })";
  const std::string nearly =
      R"({ "model": "orthotropic", "density": 600, "young": [1e6, 1e6, 1e6], "poisson": [0.6, 0.6, 0.6], "shear": [1e5, 1e5, 1e5] })";
  for (const std::string& material : {wild, nearly}) {
    expect_parts(error_of(plate("", "[2, 2]", material)), {"/bodies/0/material", "not stable", "nu_ij^2"});
    expect_parts(error_of(flexible_scene(R"("kind": "deformable", "shape": { "box": [1, 1, 1] })", material)),
                 {"/bodies/0/material", "not stable"});
  }
}

TEST_F(BadFlexibleMesh, SaysWhatACarriedSurfaceIs) {
  write("near.obj", tetrahedron_at(0));
  write("far.obj", tetrahedron_at(30));
  write("edges.obj", tetrahedron_at(0) + "v 0 1 0\nl 1 5\n");
  EXPECT_EQ(error_beside_files(carrying("near.obj")), "");
  expect_parts(error_beside_files(carrying("far.obj")),
               {"part", "collision_mesh", "farther", "same coordinates"});
  expect_parts(error_beside_files(carrying("nothing.obj")), {"/bodies/0/collision_mesh", "nothing.obj"});
  expect_parts(error_beside_files(carrying("edges.obj")),
               {"/bodies/0/collision_mesh", "triangles alone", "remove its edges"});
  expect_parts(
      error_beside_files(flexible_scene(
          R"("kind": "deformable", "order": 2, "shape": { "box": [1, 1, 1] }, "surface_cuts": 3, "collision_mesh": "near.obj")")),
      {"/bodies/0/surface_cuts", "leave one of them out"});
}

TEST_F(BadFlexibleMesh, ShellsAreMadeOfQuadsOfAFile) {
  // Two quads around a bend, one of them told from another corner.
  write("sheet.obj",
        "v 0 0 0\nv 1 0 0\nv 2 0.1 0\nv 0 0 1\nv 1 0 1\nv 2 0.1 1\nv 9 9 9\nf 1 4 5 2\nf 6 3 2 5\n");
  write("triangles.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 0 0\nf 1 2 4 3\nf 2 5 4\n");
  write("edges.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
  const auto shell = [](const std::string& file) {
    return flexible_scene(R"("kind": "ancf-shell", "shape": { "quads": { "thickness": 0.02, "mesh": ")" +
                          file + "\" } }");
  };
  LoadOptions options;
  options.base_folder = folder_;
  const Scene scene = parse_scene(shell("sheet.obj"), "test.json", options);
  EXPECT_EQ(scene.world.control_count(), 4 * 6);
  EXPECT_EQ(scene.world.elements.count_of(ElementType::ancf_shell), 2);
  EXPECT_EQ(error_beside_files(shell("sheet.obj")), "");
  expect_parts(error_beside_files(shell("triangles.obj")),
               {"triangles.obj, face 2", "3 corners", "quads alone"});
  expect_parts(error_beside_files(shell("edges.obj")), {"edges.obj", "no quads", "middle surface"});
  expect_parts(error_beside_files(shell("nothing.obj")), {"nothing.obj", "no such file"});
}

TEST_F(BadFlexibleMesh, BeamsAreMadeOfLinesOfAFile) {
  write("bow.obj", "v 0 0 0\nv 1 0.1 0\nv 2 0 0\nl 1 2 3\n");
  LoadOptions options;
  options.base_folder = folder_;
  const Scene scene = parse_scene(
      flexible_scene(
          R"("kind": "ancf-beam", "shape": { "wire": { "mesh": "bow.obj", "width": 0.02, "height": 0.01 } })"),
      "test.json", options);
  EXPECT_EQ(scene.world.control_count(), 4 * 3);
  EXPECT_EQ(scene.world.elements.count_of(ElementType::ancf_beam), 2);
}

TEST_F(BadFlexibleMesh, SetsOfARaisedMeshHaveTheNewNodesBetweenTheirs) {
  write(
      "one.inp",
      "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET=all\n1,1,2,3,4\n*NSET, NSET=base\n1,2,3\n");
  LoadOptions options;
  options.base_folder = folder_;
  const Scene scene = parse_scene(
      flexible_scene(R"("kind": "deformable", "order": 2, "mesh": "one.inp", "fixed": { "set": "base" })"),
      "test.json", options);
  EXPECT_EQ(scene.world.control_count(), 10);
  EXPECT_EQ(scene.world.scripts.at(0).controls.size(), 6u);
}

}  // namespace
}  // namespace bulwark

// Meshes of ANCF shells from quads in any order of their corners.
#include <bulwark/base/error.hpp>
#include <bulwark/bodies/ancf_body.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace bulwark {
namespace {

TEST(AncfShellMesh, TurnsQuadsUntilTheirSidesRunAlike) {
  Vectors nodes(3, 12);
  for (int k = 0; k < 12; ++k) nodes.col(k) << k % 4, k / 4, 0;
  std::vector<std::array<int, 4>> quads;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int a = 4 * j + i;
      std::array<int, 4> quad = {a, a + 1, a + 5, a + 4};
      std::rotate(quad.begin(), quad.begin() + (i + 2 * j) % 4, quad.end());
      quads.push_back(quad);
    }
  }
  const AncfMesh mesh = ancf_shell_mesh(nodes, quads, "sheet");
  ASSERT_EQ(mesh.element_count(), 6);
  for (int k = 1; k < 12; ++k) {
    for (int slope = 0; slope < 3; ++slope)
      EXPECT_LT((mesh.slopes.col(3 * k + slope) - mesh.slopes.col(slope)).norm(), 1e-12);
  }
  EXPECT_NEAR(mesh.slopes(2, 2), 1, 1e-12);  // the normal, by the quads' orientation
}

TEST(AncfShellMesh, RefusesThreeQuadsAroundAVertex) {
  // The corner of a cube.
  Vectors nodes(3, 7);
  nodes << 0, 1, 1, 0, 0, 1, 0,  //
      0, 0, 1, 1, 0, 0, 1,       //
      0, 0, 0, 0, 1, 1, 1;
  const std::vector<std::array<int, 4>> quads = {{0, 1, 2, 3}, {0, 3, 6, 4}, {0, 4, 5, 1}};
  EXPECT_THROW(ancf_shell_mesh(nodes, quads, "corner"), InputError);
}

}  // namespace
}  // namespace bulwark

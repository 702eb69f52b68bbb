#include <bulwark/collision/self_crossing.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

SurfaceMesh two_boxes(const Vector3& offset) {
  SurfaceMesh mesh = surface_mesh(BoxShape{}), other = mesh;
  other.vertices.colwise() += offset;
  append_surface(mesh, other);
  return mesh;
}

TEST(SelfCrossing, SoundSurfacesHaveNone) {
  for (const Shape& shape : {Shape(BoxShape{}), Shape(SphereShape{}), Shape(TorusShape{}), Shape(GearShape{}),
                             Shape(BoltShape{}), Shape(NutShape{})}) {
    EXPECT_TRUE(find_self_crossings(surface_mesh(shape)).empty()) << shape_name(shape);
  }
}

TEST(SelfCrossing, PartsThatTouchDoNotCross) {
  for (const Vector3& offset : {Vector3(0, 1, 0), Vector3(0.5, 1, 0), Vector3(1, 1, 0), Vector3(1, 1, 1),
                                Vector3(0.3, 1, 0.4), Vector3(0.5, 1, 0.5)}) {
    EXPECT_TRUE(find_self_crossings(two_boxes(offset)).empty()) << offset.transpose();
  }
}

TEST(SelfCrossing, PartsThatOverlapCrossAlsoInAlignedPlaces) {
  for (const Vector3& offset : {Vector3(0.5, 0.5, 0.5), Vector3(0.3, 0.2, 0.6), Vector3(0.5, 0.25, 0.125),
                                Vector3(0.999, 0.5, 0.25)}) {
    const std::vector<SelfCrossing> found = find_self_crossings(two_boxes(offset));
    ASSERT_FALSE(found.empty()) << offset.transpose();
    for (const SelfCrossing& c : found) {
      EXPECT_LT(c.first, 12);  // one of each box
      EXPECT_GE(c.second, 12);
    }
    EXPECT_LE(found.size(), 5u);
  }
}

TEST(SelfCrossing, ACornerPulledThroughTheOtherSideIsFound) {
  SurfaceMesh ball = surface_mesh(SphereShape{1});
  ball.vertices.col(0) *= -2;
  EXPECT_FALSE(find_self_crossings(ball).empty());
}

}  // namespace
}  // namespace bulwark

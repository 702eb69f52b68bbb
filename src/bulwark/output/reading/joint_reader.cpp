#include <bulwark/output/reading/joint_reader.hpp>
#include <bulwark/output/zero_ended.hpp>

namespace bulwark {
namespace {

std::array<Vector3, 2> vectors_of(const double* numbers) {
  return {Vector3(numbers[0], numbers[1], numbers[2]), Vector3(numbers[3], numbers[4], numbers[5])};
}

}  // namespace

std::vector<FrameJoint> read_joint_fields(const std::function<std::vector<double>(std::string_view)>& field,
                                          std::size_t body_count, const FileCheck& check) {
  const std::vector<std::string> names = texts_of(field("joint_names")),
                                 kinds = texts_of(field("joint_kinds"));
  const std::vector<double> bodies = field("joint_bodies"), points = field("joint_points"),
                            axes = field("joint_axes");
  const std::size_t count = names.size();
  check.size(kinds.size(), count, "kinds of joints");
  check.size(bodies.size(), 2 * count, "bodies of joints");
  check.size(points.size(), 6 * count, "points of joints");
  check.size(axes.size(), 6 * count, "axes of joints");
  check.finite(points, "a point of a joint");
  check.finite(axes, "an axis of a joint");
  const auto body = [&](double number) {
    return static_cast<int>(
        check.whole(number, -1, static_cast<std::int64_t>(body_count) - 1, "the body of a joint"));
  };
  std::vector<FrameJoint> joints;
  for (std::size_t j = 0; j < count; ++j) {
    joints.push_back({names[j],
                      kinds[j],
                      {body(bodies[2 * j]), body(bodies[2 * j + 1])},
                      vectors_of(&points[6 * j]),
                      vectors_of(&axes[6 * j])});
  }
  return joints;
}

}  // namespace bulwark

#include <bulwark/output/frame_joints.hpp>
#include <bulwark/output/zero_ended.hpp>

namespace bulwark {
namespace {

void append(std::vector<double>& numbers, const std::array<Vector3, 2>& vectors) {
  for (const Vector3& v : vectors) numbers.insert(numbers.end(), v.data(), v.data() + 3);
}

std::array<Vector3, 2> vectors_of(const double* numbers) {
  return {Vector3(numbers[0], numbers[1], numbers[2]), Vector3(numbers[3], numbers[4], numbers[5])};
}

}  // namespace

std::string joint_fields(const std::vector<FrameJoint>& joints, VtuArrays& arrays) {
  if (joints.empty()) return "";
  std::vector<std::string> names, kinds;
  std::vector<int> bodies;
  std::vector<double> points, axes;
  for (const FrameJoint& joint : joints) {
    names.push_back(joint.name);
    kinds.push_back(joint.kind);
    bodies.insert(bodies.end(), joint.bodies.begin(), joint.bodies.end());
    append(points, joint.points);
    append(axes, joint.axes);
  }
  return arrays.add("joint_names", zero_ended(names), 1, true) +
         arrays.add("joint_kinds", zero_ended(kinds), 1, true) + arrays.add("joint_bodies", bodies, 2, true) +
         arrays.add("joint_points", points, 6, true) + arrays.add("joint_axes", axes, 6, true);
}

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

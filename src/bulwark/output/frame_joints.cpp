#include <bulwark/base/error.hpp>
#include <bulwark/output/frame_joints.hpp>
#include <bulwark/output/zero_ended.hpp>

#include <cmath>

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
                                          std::size_t body_count, const std::string& file) {
  const std::vector<std::string> names = texts_of(field("joint_names")),
                                 kinds = texts_of(field("joint_kinds"));
  const std::vector<double> bodies = field("joint_bodies"), points = field("joint_points"),
                            axes = field("joint_axes");
  const std::size_t count = names.size();
  const auto fail = [&](const char* problem) {
    throw InputError(file, std::string("this is no frame written by Bulwark, or a damaged one: ") + problem);
  };
  if (kinds.size() != count || bodies.size() != 2 * count || points.size() != 6 * count ||
      axes.size() != 6 * count)
    fail("its joints are not whole");
  const auto is_body = [&](double number) {
    return number >= -1 && number < static_cast<double>(body_count) && number == std::floor(number);
  };
  std::vector<FrameJoint> joints;
  for (std::size_t j = 0; j < count; ++j) {
    if (!is_body(bodies[2 * j]) || !is_body(bodies[2 * j + 1]))
      fail("a joint names a body that is not there");
    joints.push_back({names[j],
                      kinds[j],
                      {static_cast<int>(bodies[2 * j]), static_cast<int>(bodies[2 * j + 1])},
                      vectors_of(&points[6 * j]),
                      vectors_of(&axes[6 * j])});
  }
  return joints;
}

}  // namespace bulwark

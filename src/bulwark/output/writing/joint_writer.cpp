#include <bulwark/output/writing/joint_writer.hpp>
#include <bulwark/output/zero_ended.hpp>

namespace bulwark {
namespace {

void append(std::vector<double>& numbers, const std::array<Vector3, 2>& vectors) {
  for (const Vector3& v : vectors) numbers.insert(numbers.end(), v.data(), v.data() + 3);
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

}  // namespace bulwark

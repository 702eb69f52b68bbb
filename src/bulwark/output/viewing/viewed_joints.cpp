#include <bulwark/output/reading/joint_reader.hpp>
#include <bulwark/output/viewing/viewed_joints.hpp>
#include <bulwark/output/zero_ended.hpp>

namespace bulwark {

std::vector<float> JointsOfRun::list(const FrameArrays& frame) {
  const std::vector<std::string> bodies = texts_of(frame.field_numbers("body_names"));
  const std::vector<FrameJoint> joints = read_joint_fields(
      [&](std::string_view name) { return frame.field_numbers(name); }, bodies.size(), frame.check());
  const auto name_of = [&](int body) { return body < 0 ? std::string("world") : bodies[body]; };
  std::vector<float> numbers;
  for (const FrameJoint& joint : joints) {
    const auto [known, is_new] = number_.emplace(joint.name, static_cast<int>(all_.size()));
    if (is_new) all_.push_back({joint.name, joint.kind, name_of(joint.bodies[0]), name_of(joint.bodies[1])});
    numbers.push_back(static_cast<float>(known->second));
    for (const auto* vectors : {&joint.points, &joint.axes}) {
      for (const Vector3& v : *vectors) {
        for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(v[k]));
      }
    }
  }
  return numbers;
}

}  // namespace bulwark

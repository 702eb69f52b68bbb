#include <bulwark/sim/remove_joint.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// New numbers of the items that stay; -1 for the others.
std::vector<int> new_numbers(const std::vector<char>& gone) {
  std::vector<int> numbers;
  int next = 0;
  for (const char is_gone : gone) numbers.push_back(is_gone ? -1 : next++);
  return numbers;
}

template <class T>
void erase_marked(std::vector<T>& items, const std::vector<char>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!gone[i]) items[kept++] = std::move(items[i]);
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}

void erase_marked(VectorX& items, const std::vector<char>& gone) {
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < items.size(); ++i) {
    if (!gone[i]) items[kept++] = items[i];
  }
  items.conservativeResize(kept);
}

}  // namespace

void remove_joints(World& world, std::vector<char> gone) {
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    const Joint& joint = world.joints[j];
    if (joint.coordinate >= 0 && gone[world.joint_coordinates[joint.coordinate].joint]) gone[j] = 1;
  }
  if (std::none_of(gone.begin(), gone.end(), [](char g) { return g; })) return;
  std::vector<char> rows, coordinates, drives;
  for (const ConstraintRow& row : world.joint_rows) rows.push_back(gone[row.joint]);
  for (const JointCoordinate& coordinate : world.joint_coordinates)
    coordinates.push_back(gone[coordinate.joint]);
  for (const WorldDrive& drive : world.joint_drives) drives.push_back(gone[drive.joint]);
  const std::vector<int> joint_number = new_numbers(gone), row_number = new_numbers(rows),
                         coordinate_number = new_numbers(coordinates), drive_number = new_numbers(drives);

  erase_marked(world.state.joint_coordinates, coordinates);
  erase_marked(world.state.joint_multipliers, coordinates);
  erase_marked(world.joint_rows, rows);
  erase_marked(world.joint_coordinates, coordinates);
  erase_marked(world.joint_drives, drives);
  erase_marked(world.joints, gone);
  for (ConstraintRow& row : world.joint_rows) row.joint = joint_number[row.joint];
  for (JointCoordinate& coordinate : world.joint_coordinates)
    coordinate.joint = joint_number[coordinate.joint];
  for (WorldDrive& drive : world.joint_drives) {
    drive.joint = joint_number[drive.joint];
    drive.drive.coordinate = coordinate_number[drive.drive.coordinate];
  }
  for (Joint& joint : world.joints) {
    if (joint.row_count > 0) joint.first_row = row_number[joint.first_row];
    if (joint.coordinate >= 0) joint.coordinate = coordinate_number[joint.coordinate];
    for (int& coordinate : joint.coordinates) coordinate = coordinate_number[coordinate];
    for (int& drive : joint.held) drive = drive_number[drive];
  }
}

void remove_joints_of(World& world, int body) {
  std::vector<char> gone;
  for (const Joint& joint : world.joints) gone.push_back(joint.body_a == body || joint.body_b == body);
  remove_joints(world, gone);
}

}  // namespace bulwark

#include <bulwark/sim/remove_joint.hpp>
#include <bulwark/sim/remove_marked.hpp>

namespace bulwark {

void remove_joints(World& world, const std::vector<char>& gone) {
  Marks marks(world);
  for (std::size_t j = 0; j < gone.size(); ++j) {
    if (gone[j]) marks.mark(Thing::joint, static_cast<int>(j));
  }
  remove_marked(world, std::move(marks));
}

}  // namespace bulwark

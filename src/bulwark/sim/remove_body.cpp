#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/remove_marked.hpp>

namespace bulwark {

void remove_body(World& world, int body) {
  Marks marks(world);
  marks.mark(Thing::body, body);
  remove_marked(world, std::move(marks));
}

void remove_bodies(World& world, const std::vector<char>& gone) {
  Marks marks(world);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) marks.mark(Thing::body, static_cast<int>(i));
  }
  remove_marked(world, std::move(marks));
}

}  // namespace bulwark

#include "commands.hpp"

#include <bulwark/scene/reference.hpp>
#include <bulwark/scene/schema.hpp>

#include <fmt/format.h>

namespace bulwark::app {

int print_schema(bool markdown) {
  fmt::print("{}", markdown ? scene_reference_markdown() : scene_schema());
  return 0;
}

}  // namespace bulwark::app

#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/scene/reference.hpp>
#include <bulwark/scene/schema.hpp>

#include <fmt/format.h>

namespace bulwark::app {
namespace {

struct SchemaOptions {
  bool markdown = false;
};

int print_schema(const SchemaOptions& options) {
  fmt::print("{}", options.markdown ? scene_reference_markdown() : scene_schema());
  return 0;
}

}  // namespace

void add_schema_command(CommandLine& line) {
  auto [command, options] =
      line.add<SchemaOptions>("schema", "Print the JSON schema of the scene file", print_schema);
  command.add_flag("--markdown", options.markdown, "Print the reference page instead");
  command.footer("Example:\n  bulwark schema > scene.schema.json");
}

}  // namespace bulwark::app

// The extension module bulwark._bulwark: what the package python/bulwark is built on.
#include "bindings.hpp"

#include <bulwark/scene/json_text.hpp>
#include <bulwark/scene/schema.hpp>

#include <nlohmann/json.hpp>

namespace py = pybind11;
using namespace bulwark::python;

PYBIND11_MODULE(_bulwark, module) {
  module.doc() = "The C++ side of the package bulwark.";
  module.attr("version") = BULWARK_VERSION;
  module.attr("source_scenes") = BULWARK_SCENES_DIR;
  module.def("schema", &bulwark::scene_schema, "The text of the scene file's JSON schema.");
  module.def(
      "plain_json",
      [](const std::string& text, const std::string& name) { return bulwark::parse_json(text, name).dump(); },
      py::arg("text"), py::arg("name"), "JSON text without the comments that a scene file may have.");
  bind_errors();
  bind_log();
  bind_report(module);
  bind_simulation(module);
  bind_recording(module);
}

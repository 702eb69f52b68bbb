#include "bindings.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>

namespace bulwark::python {
namespace py = pybind11;
namespace {

void raise(const char* name, const Error& error) {
  const py::object type = py::module_::import("bulwark.errors").attr(name);
  const py::object exception = type(error.what(), error.place(), error.remedy());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

void bind_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      raise("InputError", error);
    } catch (const IntersectionError& error) {
      raise("IntersectionError", error);
    } catch (const SolveError& error) {
      raise("SolveError", error);
    } catch (const OutputError& error) {
      raise("OutputError", error);
    }
  });
}

void bind_log() {
  set_log_sink([](LogLevel level, const std::string& message) {
    const py::gil_scoped_acquire python;
    const py::object logger = py::module_::import("logging").attr("getLogger")("bulwark");
    logger.attr(level == LogLevel::warning ? "warning" : "info")("%s", message);
  });
}

}  // namespace bulwark::python

// bulwark._processor: what the package asks before it loads the module proper, which may not even load where
// instructions are missing. Like processor.cpp it is compiled without them.
#include <bulwark/base/processor.hpp>

#include <Python.h>

namespace {

PyObject* missing_instructions(PyObject*, PyObject*) {
  const char* missing = bulwark::missing_instructions_here();
  if (missing == nullptr) Py_RETURN_NONE;
  return PyUnicode_FromString(missing);
}

PyMethodDef functions[] = {
    {"missing_instructions", missing_instructions, METH_NOARGS,
     "What this processor lacks and what to do about it; None where it lacks nothing."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_processor", nullptr, 0, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() {
  return PyModule_Create(&definition);
}

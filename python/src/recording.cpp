#include "bindings.hpp"
#include "running_scene.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/run_folder.hpp>

namespace bulwark::python {
namespace py = pybind11;
namespace {

/// Results are replaced only on demand.
FolderLock free_folder(const std::string& folder, bool force) {
  FolderLock lock(folder);
  if (!force && has_results(folder)) {
    throw InputError(folder, "this folder has the results of a run",
                     "record to another folder, or replace them with record(folder, force=True)");
  }
  return lock;
}

/// A run folder that a simulation writes to.
class Recording {
 public:
  Recording(std::shared_ptr<RunningScene> scene, const std::string& folder, bool force)
      : scene_(std::move(scene)),
        folder_(RunFolder::start(free_folder(folder, force), scene_->origin(), scene_->simulation())),
        changes_(scene_->changes().size()) {}

  void record(const StepReport& report) {
    notice_changes();
    folder_.record(scene_->simulation(), report);
  }

  void finish(const std::string& state, const std::string& message) {
    const RunState ended = state == "done"          ? RunState::done
                           : state == "interrupted" ? RunState::interrupted
                                                    : RunState::failed;
    notice_changes();
    folder_.finish(scene_->simulation(), ended, message);
  }

 private:
  void notice_changes() {
    if (scene_->changes().size() == changes_) return;
    changes_ = scene_->changes().size();
    folder_.world_changed(scene_->origin(), scene_->simulation());
  }

  std::shared_ptr<RunningScene> scene_;
  RunFolder folder_;
  std::size_t changes_;
};

}  // namespace

void bind_recording(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<Recording>(module, "Recording", "A run folder that a simulation writes to.")
      .def(
          py::init<std::shared_ptr<RunningScene>, const std::string&, bool>(), py::arg("scene"),
          py::arg("folder"), py::arg("force") = false, Release(),
          "Starts a run folder with the present state. Results of an earlier run in it are replaced only with `force`.")
      .def("record", &Recording::record, py::arg("report"), Release(), "Records a finished step.")
      .def("finish", &Recording::finish, py::arg("state"), py::arg("message"), Release(),
           "Records how the run ended: done, interrupted or failed.");
}

}  // namespace bulwark::python

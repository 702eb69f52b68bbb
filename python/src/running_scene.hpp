// A scene that is being simulated from Python: the simulation, the JSON that it came from, what was changed
// since, and the arrays that Python still looks at.
#pragma once

#include "signal_watch.hpp"

#include <bulwark/output/writing/summary.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/sim/simulation.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bulwark::python {

/// Something that came or went between steps, for saving and for the run's summary.
struct Change {
  double time = 0;   ///< of the simulation, when it happened
  std::string kind;  ///< "added", "removed", "removed_joints" or "placed"
  /// JSON: the addition with all defaults; the list of the removed ones' names; by name, the controls of the
  /// bodies that the addition after it joins, as they were then.
  std::string what;
};

/// Keeps the arrays of a world alive after a change replaced them: Python may hold views.
struct KeptArrays {
  Vectors position, velocity, applied;
};

class RunningScene {
 public:
  RunningScene(const std::string& text, const std::string& name, const std::string& base_folder,
               const std::vector<std::string>& overrides, std::optional<int> threads, bool is_file);

  StepReport step();

  /// Adds what the JSON text describes; returns the new bodies' indices.
  std::vector<int> add(const std::string& text);
  void remove(const std::vector<int>& bodies);
  void remove_joints(const std::vector<std::string>& names);
  /// Makes the changes of a saved run again, and continues from its state.
  void replay(const std::vector<Change>& changes, const std::string& checkpoint, const std::string& place);
  std::string checkpoint() const;

  /// Where the run comes from, with the changes so far.
  RunOrigin origin() const;

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  const World& world() const { return simulation_.world(); }
  const std::vector<Change>& changes() const { return changes_; }
  const std::string& resolved() const { return resolved_; }
  const std::string& base_folder() const { return base_folder_; }
  const std::string& name() const { return name_; }
  const std::shared_ptr<KeptArrays>& kept() const { return kept_; }

 private:
  RunningScene(Scene scene, const std::string& name, const std::string& base_folder,
               std::optional<int> threads);
  void edit(const std::function<void(World&)>& edit);

  std::string name_, base_folder_, resolved_;
  std::string context_;  ///< the scene with the materials that were added: what additions build on
  std::shared_ptr<SignalWatch> watch_ = std::make_shared<SignalWatch>();
  Simulation simulation_;
  std::vector<Change> changes_;
  std::shared_ptr<KeptArrays> kept_ = std::make_shared<KeptArrays>();
};

/// The index of the body with this id; -1 when it is gone.
int index_of(const World& world, std::int64_t id);

}  // namespace bulwark::python

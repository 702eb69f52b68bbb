// Checkpoints whose sum is right and whose content is not: each is gone on from, or answered by an InputError
// that names the file.
#include <bulwark/base/error.hpp>
#include <bulwark/base/hash.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>
#include <output/temporary_folder.hpp>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

namespace bulwark {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A soft and a rigid box, an affine arm on a hinge with a motor, and a plane.
Scene mixed_scene() {
  return parse_scene(R"({
    "bulwark": 1, "time": {"step": 0.01, "steps": 10, "integrator": "bdf2"},
    "bodies": [
      {"name": "ground", "kind": "obstacle", "shape": {"plane": {"normal": [0, 1, 0]}}},
      {"name": "soft", "kind": "deformable", "shape": {"box": [0.2, 0.2, 0.2], "resolution": 0.2},
       "position": [0, 0.11, 0],
       "material": {"model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4}},
      {"name": "block", "kind": "rigid", "shape": {"box": [0.2, 0.2, 0.2]}, "mass": 8, "position": [1, 0.2, 0]},
      {"name": "arm", "kind": "affine", "shape": {"box": [0.4, 0.1, 0.1]}, "mass": 4,
       "position": [0, 1, 0]}],
    "joints": [{"name": "axle", "kind": "hinge", "bodies": ["world", "arm"], "point": [-0.2, 1, 0],
                "axis": [0, 0, 1]}]})",
                     "mixed.json");
}

std::string with_sum(std::string bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  const std::uint64_t sum = hash.value();
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

class HostileCheckpoint : public testing::Test {
 protected:
  HostileCheckpoint() : scene(mixed_scene()), simulation(scene.world, scene.settings) {
    set_log_sink({});
    for (int step = 0; step < 2; ++step) simulation.step();
    Checkpoint checkpoint;
    checkpoint.fingerprint = 42;
    checkpoint.state = simulation.world().state;
    checkpoint.file_lengths = {{"steps.csv", 99}};
    const std::string whole = encode_checkpoint(checkpoint);
    bytes = whole.substr(0, whole.size() - sizeof(std::uint64_t));
  }

  /// Reads the checkpoint of these bytes from a run folder, with a right sum. Whatever passes can be gone on
  /// from: it has the sizes of the world, and finite numbers.
  std::string read(const std::string& damaged) {
    write_all(folder / "checkpoint.bwk", with_sum(damaged));
    return error_of([&] {
      const State state = read_checkpoint(folder.path(), 42, simulation.world()).state;
      EXPECT_EQ(state.position.cols(), simulation.world().control_count());
      EXPECT_EQ(state.joint_coordinates.size(), simulation.world().state.joint_coordinates.size());
      EXPECT_TRUE(state.position.allFinite() && state.velocity.allFinite());
    });
  }

  Scene scene;
  Simulation simulation;
  std::string bytes;
  const TemporaryFolder folder;
};

TEST_F(HostileCheckpoint, TheUndamagedOneIsRead) {
  EXPECT_EQ(read(bytes), "");
}

TEST_F(HostileCheckpoint, EverySizeAndNumberMayBeWrong) {
  const auto as_number = [](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  const std::uint64_t odd[] = {0,
                               1,
                               3,
                               1000,
                               std::uint64_t{1} << 31,
                               std::uint64_t{1} << 61,
                               ~std::uint64_t{0},
                               as_number(not_a_number),
                               as_number(infinity),
                               as_number(-1e300)};
  std::size_t refused = 0;
  for (std::size_t place = 12; place + 8 <= bytes.size(); place += 8) {
    for (const std::uint64_t value : odd) {
      std::string damaged = bytes;
      std::memcpy(damaged.data() + place, &value, sizeof value);
      const std::string error = read(damaged);
      if (error.empty()) continue;
      ++refused;
      EXPECT_NE(error.find("checkpoint.bwk"), std::string::npos) << error;
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST_F(HostileCheckpoint, CutsFlipsAndInsertionsWithARightSumAreReadOrRefused) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    std::string damaged = bytes;
    const std::size_t place = random() % bytes.size();
    if (i % 3 == 0) damaged.resize(place);
    if (i % 3 == 1) damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    if (i % 3 == 2) damaged.insert(place, bytes, 0, random() % 40);
    const std::string error = read(damaged);
    EXPECT_TRUE(error.empty() || error.find("checkpoint.bwk") != std::string::npos) << error;
  }
}

TEST_F(HostileCheckpoint, StatesOfOtherSizesAreNotRestored) {
  const State good = simulation.world().state;
  const auto refuses = [&](const std::function<void(State&)>& damage) {
    State state = good;
    damage(state);
    return !error_of([&] { simulation.restore(state); }).empty();
  };
  EXPECT_TRUE(refuses([](State& s) { s.velocity.resize(3, 2); }));
  EXPECT_TRUE(refuses([](State& s) { s.acceleration.resize(3, 0); }));
  EXPECT_TRUE(refuses([](State& s) { s.previous_velocity.resize(3, 0); }));
  EXPECT_TRUE(refuses([](State& s) { s.joint_coordinates.resize(0); }));
  EXPECT_TRUE(refuses([](State& s) { s.joint_multipliers.setZero(99); }));
  EXPECT_TRUE(refuses([](State& s) { s.position(1, 3) = not_a_number; }));
  EXPECT_TRUE(refuses([](State& s) { s.position(1, 3) = 1e40; }));
  EXPECT_TRUE(refuses([](State& s) { s.contact.stiffened = {{0, std::nan("")}}; }));
  EXPECT_TRUE(refuses([](State& s) { s.contact.close = {{0, 1, std::nan("")}}; }));
  EXPECT_TRUE(refuses([](State& s) { s.time = infinity; }));
  EXPECT_TRUE(refuses([&](State& s) {  // an arm turned inside out
    for (const StiffBody& body : scene.world.stiff) s.position.col(body.first_control + 1) *= -1;
  }));
  EXPECT_FALSE(refuses([](State&) {}));
  EXPECT_EQ(simulation.step().step, 3);
}

}  // namespace
}  // namespace bulwark

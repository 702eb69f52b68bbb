#include <bulwark/base/byte_reader.hpp>
#include <bulwark/base/error.hpp>
#include <bulwark/base/hash.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/output/writing/hash_numbers.hpp>
#include <bulwark/sim/state_check.hpp>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

constexpr std::string_view magic = "BULWARKC";
constexpr std::uint32_t version = 7;
constexpr const char* file_name = "checkpoint.bwk";
constexpr const char* previous_name = "checkpoint.prev.bwk";
constexpr const char* start_anew = "run without --resume to start over, or give another folder with -o";

class Writer {
 public:
  template <class T>
  void number(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& value) {
    number<std::uint64_t>(value.size());
    bytes += value;
  }
  void vectors(const Vectors& value) {
    number<std::uint64_t>(value.cols());
    bytes.append(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(double));
  }
  void values(const VectorX& value) {
    number<std::uint64_t>(value.size());
    for (const double x : value) number(x);
  }
  std::string bytes;
};

Vectors read_vectors(ByteReader& in, std::string_view what) {
  const std::size_t columns = in.count(3 * sizeof(double), what);
  const std::vector<double> numbers = in.numbers(3 * columns, what);
  return Eigen::Map<const Vectors>(numbers.data(), 3, static_cast<Eigen::Index>(columns));
}

VectorX read_values(ByteReader& in, std::string_view what) {
  const std::vector<double> numbers = in.numbers(in.count(sizeof(double), what), what);
  return Eigen::Map<const VectorX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::uint64_t checksum(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

void write_totals(Writer& out, const RunTotals& totals) {
  for (const std::int64_t count :
       {totals.steps, totals.iterations, totals.linear_solves, totals.steps_in_parts, totals.most_contacts}) {
    out.number(count);
  }
  out.number(totals.worst_min_distance);
  out.number(totals.worst_rigidity_error);
  out.number(totals.seconds);
  out.number<std::uint64_t>(totals.profile.seconds.size());
  for (const double seconds : totals.profile.seconds) out.number(seconds);
}

void write_contact(Writer& out, const ContactMemory& contact) {
  out.number<std::uint64_t>(contact.stiffened.size());
  for (const ContactMemory::Stiffened& s : contact.stiffened) {
    out.number(s.body);
    out.number(s.factor);
  }
  out.number<std::uint64_t>(contact.close.size());
  for (const ContactMemory::Close& c : contact.close) {
    out.number(c.body_a);
    out.number(c.body_b);
    out.number(c.distance);
  }
}

ContactMemory read_contact(ByteReader& in) {
  ContactMemory contact;
  const std::size_t stiffened = in.count(sizeof(int) + sizeof(double), "stiffened bodies");
  for (std::size_t k = 0; k < stiffened; ++k) {
    const auto body = in.number<int>();
    contact.stiffened.push_back({body, in.finite("the contact stiffness")});
    if (!(contact.stiffened.back().factor >= 1)) in.check().fail("a contact stiffness is below its minimum");
  }
  const std::size_t close = in.count(2 * sizeof(int) + sizeof(double), "close bodies");
  for (std::size_t k = 0; k < close; ++k) {
    const auto a = in.number<int>(), b = in.number<int>();
    contact.close.push_back({a, b, in.finite("the distance of close bodies")});
    if (!(contact.close.back().distance > 0)) in.check().fail("the distance of close bodies is not above 0");
  }
  return contact;
}

void write_history(Writer& out, const std::vector<ContactHistory>& history) {
  out.number<std::uint64_t>(history.size());
  for (const ContactHistory& item : history) {
    out.number(static_cast<std::uint8_t>(item.model));
    out.number(item.body_a);
    out.number(item.body_b);
    out.number<std::uint64_t>(item.values.size());
    for (const double value : item.values) out.number(value);
  }
}

std::vector<ContactHistory> read_history(ByteReader& in) {
  std::vector<ContactHistory> history;
  constexpr std::size_t smallest = sizeof(std::uint8_t) + 2 * sizeof(int) + sizeof(std::uint64_t);
  const std::size_t count = in.count(smallest, "contacts with a history");
  for (std::size_t k = 0; k < count; ++k) {
    ContactHistory item;
    const auto model = in.number<std::uint8_t>();
    if (model >= contact_model_names.size()) in.check().fail("a contact has an unknown model");
    item.model = static_cast<ContactModelKind>(model);
    item.body_a = in.number<int>();
    item.body_b = in.number<int>();
    item.values = in.numbers(in.count(sizeof(double), "numbers of a contact's history"),
                             "a number of a contact's history");
    history.push_back(std::move(item));
  }
  return history;
}

RunTotals read_totals(ByteReader& in) {
  RunTotals totals;
  for (std::int64_t* count : {&totals.steps, &totals.iterations, &totals.linear_solves,
                              &totals.steps_in_parts, &totals.most_contacts}) {
    *count = in.number<std::int64_t>();
    if (*count < 0) in.check().fail("a count of its totals is negative");
  }
  totals.worst_min_distance = in.number<double>();  // infinite before the first contact
  if (!(totals.worst_min_distance >= 0)) in.check().fail("its smallest distance is not a distance");
  totals.worst_rigidity_error = in.number<double>();
  totals.seconds = in.finite("the time that the run took");
  const std::size_t phases = in.count(sizeof(double), "the phases of its steps");
  const std::vector<double> seconds = in.numbers(phases, "the time of a phase");
  std::copy_n(seconds.begin(), std::min(phases, totals.profile.seconds.size()),
              totals.profile.seconds.begin());
  return totals;
}

void write_optional(Writer& out, const std::optional<double>& value) {
  out.number<std::uint8_t>(value.has_value());
  out.number(value.value_or(0));
}

std::optional<double> read_optional(ByteReader& in) {
  const bool given = in.number<std::uint8_t>() != 0;
  const double value = in.finite("a value of a steered joint");
  return given ? std::optional(value) : std::nullopt;
}

/// Stands for no law in the bytes.
constexpr std::uint8_t no_law = 255;

void write_steering(Writer& out, const std::vector<SteeredDrive>& steered) {
  out.number<std::uint64_t>(steered.size());
  for (const SteeredDrive& drive : steered) {
    out.text(drive.joint);
    out.number(drive.law ? static_cast<std::uint8_t>(*drive.law) : no_law);
    out.number(drive.value);
    write_optional(out, drive.stiffness);
    write_optional(out, drive.max_force);
  }
}

std::vector<SteeredDrive> read_steering(ByteReader& in) {
  std::vector<SteeredDrive> steered;
  const std::size_t count = in.count(3 * sizeof(double), "steered joints");
  for (std::size_t k = 0; k < count; ++k) {
    SteeredDrive drive;
    drive.joint = in.text("the name of a steered joint");
    const auto law = in.number<std::uint8_t>();
    if (law != no_law && law > static_cast<std::uint8_t>(DriveLaw::range))
      in.check().fail("it drives a joint in an unknown manner");
    if (law != no_law) drive.law = static_cast<DriveLaw>(law);
    drive.value = in.finite("the value of a steered joint");
    drive.stiffness = read_optional(in);
    drive.max_force = read_optional(in);
    if (!steered.empty() && !(steered.back().joint < drive.joint))
      in.check().fail("its steered joints are not in order");
    steered.push_back(std::move(drive));
  }
  return steered;
}

}  // namespace

std::uint64_t scene_fingerprint(const std::string& resolved_scene, const World& world) {
  Hash hash;
  nlohmann::json scene = nlohmann::json::parse(resolved_scene, nullptr, false, true);
  if (scene.is_object()) {
    scene.erase("output");
    scene.erase("title");
    if (scene.contains("solver") && scene["solver"].is_object()) scene["solver"].erase("threads");
    if (scene.contains("time") && scene["time"].is_object()) {
      scene["time"].erase("steps");
      scene["time"].erase("duration");
    }
    const std::string text = scene.dump();
    hash.add(text.data(), text.size());
  }
  hash.add(world.rest.data(), world.rest.size() * sizeof(double));
  hash_numbers(hash, world);
  return hash.value();
}

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  Writer out;
  out.bytes = magic;
  out.number(version);
  out.number(checkpoint.fingerprint);
  out.number<std::int64_t>(state.step);
  out.number(state.time);
  for (const Vectors* vectors : {&state.position, &state.velocity, &state.acceleration,
                                 &state.previous_position, &state.previous_velocity}) {
    out.vectors(*vectors);
  }
  out.number(state.earlier_energy);
  write_contact(out, state.contact);
  write_history(out, state.contact_history);
  out.values(state.joint_coordinates);
  out.values(state.joint_multipliers);
  write_steering(out, state.steered);
  out.number<std::uint64_t>(checkpoint.file_lengths.size());
  for (const auto& [file, length] : checkpoint.file_lengths) {
    out.text(file);
    out.number(length);
  }
  write_totals(out, checkpoint.totals);
  out.number(checksum(out.bytes));
  return std::move(out.bytes);
}

Checkpoint decode_checkpoint(const std::string& bytes, const std::string& place) {
  if (!std::string_view(bytes).starts_with(magic)) {
    throw InputError(place, "this is not a checkpoint of Bulwark", start_anew);
  }
  const FileCheck check(place, "this checkpoint is damaged", start_anew);
  ByteReader in(bytes, check);
  in.take(magic.size());
  if (const auto found = in.number<std::uint32_t>(); found != version) {
    throw InputError(place,
                     fmt::format("this checkpoint has version {}, and this program reads {}", found, version),
                     "resume with the program that wrote it, or start over without --resume");
  }
  const std::string_view checked = std::string_view(bytes).substr(0, bytes.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  std::memcpy(&stored, bytes.data() + checked.size(), sizeof stored);
  if (stored != checksum(checked)) {
    check.fail("its checksum is wrong");
  }

  Checkpoint checkpoint;
  State& state = checkpoint.state;
  checkpoint.fingerprint = in.number<std::uint64_t>();
  state.step = in.number<std::int64_t>();
  if (state.step < 0 || state.step > largest_whole_double) check.fail("its step number is invalid");
  state.time = in.finite("its time");
  state.position = read_vectors(in, "positions");
  state.velocity = read_vectors(in, "velocities");
  state.acceleration = read_vectors(in, "accelerations");
  state.previous_position = read_vectors(in, "positions one step earlier");
  state.previous_velocity = read_vectors(in, "velocities one step earlier");
  state.earlier_energy = in.finite("the energy one step earlier");
  state.contact = read_contact(in);
  state.contact_history = read_history(in);
  state.joint_coordinates = read_values(in, "coordinates of joints");
  state.joint_multipliers = read_values(in, "multipliers of joints");
  state.steered = read_steering(in);
  const std::size_t files = in.count(2 * sizeof(std::uint64_t), "files of the run");
  for (std::size_t file = 0; file < files; ++file) {
    const std::string name = in.text("the name of a file");
    checkpoint.file_lengths[name] = in.number<std::uint64_t>();
  }
  checkpoint.totals = read_totals(in);
  in.take(sizeof(std::uint64_t));
  if (!in.at_end()) check.fail("extra bytes follow it");
  return checkpoint;
}

void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint) {
  // At every moment one of the two names holds a whole checkpoint.
  std::error_code error;
  std::filesystem::rename(folder / file_name, folder / previous_name, error);
  write_file_atomically(folder / file_name, encode_checkpoint(checkpoint));
  flush_folder(folder);
}

bool has_checkpoint(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / file_name) || std::filesystem::exists(folder / previous_name);
}

Checkpoint read_checkpoint(const std::filesystem::path& folder, std::uint64_t fingerprint,
                           const World& world) {
  const std::filesystem::path newest = folder / file_name, previous = folder / previous_name;
  const auto read = [&](const std::filesystem::path& file) {
    return naming_file(file.string(), [&] {
      Checkpoint checkpoint = decode_checkpoint(read_file(file), file.string());
      if (checkpoint.fingerprint == fingerprint) require_state_fits(checkpoint.state, world, file.string());
      return checkpoint;
    });
  };
  Checkpoint checkpoint;
  bool fell_back = false;
  try {
    checkpoint = read(newest);
  } catch (const InputError& error) {
    if (!std::filesystem::exists(previous)) throw;
    checkpoint = read(previous);
    fell_back = true;
    if (std::filesystem::exists(newest))
      log_warning("{}\n  Continuing from the checkpoint before it.", error.what());
  }
  if (checkpoint.fingerprint != fingerprint) {
    throw InputError(newest.string(),
                     "this checkpoint belongs to another scene, or to this one before a change",
                     "resume with the scene as it was, or run without --resume to start over");
  }
  if (fell_back) {
    // The good one takes the first place, so that the next checkpoint can't push it out before it is whole.
    std::error_code ignored;
    std::filesystem::rename(previous, newest, ignored);
  }
  return checkpoint;
}

}  // namespace bulwark

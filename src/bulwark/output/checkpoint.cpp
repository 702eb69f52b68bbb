#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/atomic_file.hpp>
#include <bulwark/output/checkpoint.hpp>
#include <bulwark/output/hash.hpp>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace bulwark {
namespace {

constexpr std::string_view magic = "BULWARKC";
constexpr std::uint32_t version = 5;
constexpr const char* file_name = "checkpoint.bwk";
constexpr const char* previous_name = "checkpoint.prev.bwk";
constexpr const char* start_anew = "run without --resume to start anew, or give another folder with -o";

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

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& place) : rest_(bytes), place_(place) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw InputError(place_, "this checkpoint is cut short", start_anew);
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(take(size));
  }
  Vectors vectors() {
    const auto columns = number<std::uint64_t>();
    constexpr std::uint64_t column_size = 3 * sizeof(double);
    const std::string_view data =
        take(columns > rest_.size() / column_size ? rest_.size() + 1 : columns * column_size);
    Vectors value(3, static_cast<Eigen::Index>(columns));
    if (columns > 0) std::memcpy(value.data(), data.data(), data.size());
    return value;
  }
  VectorX values() {
    std::vector<double> read;
    const auto count = number<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) read.push_back(number<double>());
    return Eigen::Map<const VectorX>(read.data(), static_cast<Eigen::Index>(read.size()));
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& place_;
};

std::uint64_t checksum(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

void write_totals(Writer& out, const RunTotals& totals) {
  for (const std::int64_t count : {totals.steps, totals.newton_iterations, totals.linear_solves,
                                   totals.steps_in_parts, totals.most_contacts}) {
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

ContactMemory read_contact(Reader& in) {
  ContactMemory contact;
  const auto stiffened = in.number<std::uint64_t>();
  for (std::uint64_t k = 0; k < stiffened; ++k) {
    const auto body = in.number<std::int64_t>();
    contact.stiffened.push_back({body, in.number<double>()});
  }
  const auto close = in.number<std::uint64_t>();
  for (std::uint64_t k = 0; k < close; ++k) {
    const auto a = in.number<std::int64_t>(), b = in.number<std::int64_t>();
    contact.close.push_back({a, b, in.number<double>()});
  }
  return contact;
}

RunTotals read_totals(Reader& in) {
  RunTotals totals;
  for (std::int64_t* count : {&totals.steps, &totals.newton_iterations, &totals.linear_solves,
                              &totals.steps_in_parts, &totals.most_contacts}) {
    *count = in.number<std::int64_t>();
  }
  totals.worst_min_distance = in.number<double>();
  totals.worst_rigidity_error = in.number<double>();
  totals.seconds = in.number<double>();
  const auto phases = in.number<std::uint64_t>();
  for (std::uint64_t phase = 0; phase < phases; ++phase) {
    const double seconds = in.number<double>();
    if (phase < totals.profile.seconds.size()) totals.profile.seconds[phase] = seconds;
  }
  return totals;
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string(), "this checkpoint cannot be opened", start_anew);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
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
  hash.add(world.tetrahedra.data(), world.tetrahedra.size() * sizeof(Tetrahedron));
  for (const RodSegment& segment : world.rod_segments)
    hash.add(segment.vertices.data(), sizeof(segment.vertices));
  hash.add(world.collision.triangles.data(), world.collision.triangles.size() * sizeof(Triangle));
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
  write_contact(out, state.contact);
  out.values(state.joint_coordinates);
  out.values(state.joint_multipliers);
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
    throw InputError(place, "this is no checkpoint of Bulwark", start_anew);
  }
  Reader in(bytes, place);
  in.take(magic.size());
  if (const auto found = in.number<std::uint32_t>(); found != version) {
    throw InputError(place,
                     fmt::format("this checkpoint has version {}, and this program reads {}", found, version),
                     "resume with the program that wrote it, or start anew without --resume");
  }
  if (bytes.size() < sizeof(std::uint64_t))
    throw InputError(place, "this checkpoint is cut short", start_anew);
  const std::string_view checked = std::string_view(bytes).substr(0, bytes.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  std::memcpy(&stored, bytes.data() + checked.size(), sizeof stored);
  if (stored != checksum(checked)) {
    throw InputError(place, "this checkpoint is damaged: its checksum is wrong", start_anew);
  }

  Checkpoint checkpoint;
  State& state = checkpoint.state;
  checkpoint.fingerprint = in.number<std::uint64_t>();
  state.step = in.number<std::int64_t>();
  state.time = in.number<double>();
  for (Vectors* vectors : {&state.position, &state.velocity, &state.acceleration, &state.previous_position,
                           &state.previous_velocity}) {
    *vectors = in.vectors();
  }
  state.contact = read_contact(in);
  state.joint_coordinates = in.values();
  state.joint_multipliers = in.values();
  const auto files = in.number<std::uint64_t>();
  for (std::uint64_t file = 0; file < files; ++file) {
    const std::string name = in.text();
    checkpoint.file_lengths[name] = in.number<std::uint64_t>();
  }
  checkpoint.totals = read_totals(in);
  in.take(sizeof(std::uint64_t));
  if (!in.at_end()) throw InputError(place, "this checkpoint is followed by other bytes", start_anew);
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

Checkpoint read_checkpoint(const std::filesystem::path& folder, std::uint64_t fingerprint) {
  const std::filesystem::path newest = folder / file_name, previous = folder / previous_name;
  Checkpoint checkpoint;
  bool fell_back = false;
  try {
    checkpoint = decode_checkpoint(read_bytes(newest), newest.string());
  } catch (const InputError& error) {
    if (!std::filesystem::exists(previous)) throw;
    checkpoint = decode_checkpoint(read_bytes(previous), previous.string());
    fell_back = true;
    if (std::filesystem::exists(newest))
      log_warning("{}\n  Continuing from the checkpoint before it.", error.what());
  }
  if (checkpoint.fingerprint != fingerprint) {
    throw InputError(newest.string(),
                     "this checkpoint belongs to another scene, or to this one before a change",
                     "resume with the scene as it was, or run without --resume to start anew");
  }
  if (fell_back) {
    // The good one takes the first place, so that the next checkpoint can't push it out before it is whole.
    std::error_code ignored;
    std::filesystem::rename(previous, newest, ignored);
  }
  return checkpoint;
}

}  // namespace bulwark

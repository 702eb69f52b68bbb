#include <bulwark/base/input_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bulwark {
namespace {

/// Where an open file really lies. Asked of the open file, not of its path: links can't change in between.
std::filesystem::path place_of(int descriptor) {
  std::error_code error;
  return std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error);
}

bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(folder, error);
  if (error || file.empty()) return false;
  return std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, const std::filesystem::path& within)
    : name_(path.string()) {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    const int reason = errno;
    throw InputError(name_, reason == ENOENT ? "there is no such file"
                                             : fmt::format("it can't be opened: {}", std::strerror(reason)));
  }
  const auto fail = [&](const std::string& problem) {
    ::close(descriptor_);
    throw InputError(name_, problem);
  };
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail("it can't be read");
  if (S_ISDIR(status.st_mode)) fail("this is a folder, not a file");
  if (!S_ISREG(status.st_mode)) fail("this is not a regular file");
  if (!within.empty() && !lies_in(place_of(descriptor_), within)) {
    fail(fmt::format("a link points outside {} and is not followed", within.string()));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::string InputFile::read(std::uint64_t begin, std::uint64_t end) const {
  end = std::min(end, size_);
  if (begin >= end) return "";
  if (end - begin > machine_memory()) {
    throw InputError(name_, fmt::format("it has {} bytes, more than this machine's memory", end - begin));
  }
  return naming_file(name_, [&] {
    std::string bytes(static_cast<std::size_t>(end - begin), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count =
          ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(begin + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw InputError(name_, fmt::format("it can't be read: {}", std::strerror(errno)));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
  });
}

bool leads_into(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::canonical(path, error);
  return !error && lies_in(place, folder);
}

std::string read_file(const std::filesystem::path& path, const std::filesystem::path& within) {
  const InputFile file(path, within);
  return file.read(0, file.size());
}

void fail_for_memory(const std::string& file) {
  throw InputError(file, "there is not enough memory for this file",
                   "raise the limit (ulimit -v), use a machine with more, or make the file smaller");
}

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return UINT64_MAX;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace bulwark

#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace bulwark {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  std::string reason = std::strerror(error);
  if (error == ENOSPC || error == EDQUOT) reason = "no space is left on the disk";
  if (error == EFBIG) reason = "the file would pass the size limit of this system or shell (ulimit -f)";
  if (error == EACCES || error == EPERM) reason = "permission denied";
  if (error == EROFS) reason = "the disk is read-only";
  throw OutputError(fmt::format("cannot write {}: {}", path.string(), reason));
}

/// A file past the size limit must come back as an error, not as the signal that ends the program.
void ignore_size_signal() {
  static const bool done = [] {
    std::signal(SIGXFSZ, SIG_IGN);
    return true;
  }();
  static_cast<void>(done);
}

void write_all(int descriptor, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync(int descriptor, const std::filesystem::path& path) {
  while (::fsync(descriptor) != 0) {
    // Devices and some network folders can't be flushed; the write itself has succeeded.
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
    if (errno != EINTR) fail(path, errno);
  }
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  ignore_size_signal();
  std::filesystem::path aside = path;
  aside += partial_suffix;
  const int descriptor = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, errno);
  try {
    write_all(descriptor, content, path);
    sync(descriptor, path);
  } catch (...) {
    ::close(descriptor);
    ::unlink(aside.c_str());
    throw;
  }
  if (::close(descriptor) != 0) fail(path, errno);
  if (::rename(aside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(aside.c_str());
    fail(path, error);
  }
}

void flush_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(folder, errno);
  ::fsync(descriptor);
  ::close(descriptor);
}

AppendedFile::AppendedFile(std::filesystem::path path, std::size_t length)
    : path_(std::move(path)), length_(length) {
  ignore_size_signal();
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path_, errno);
  if (::ftruncate(descriptor_, static_cast<off_t>(length)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) == static_cast<off_t>(-1)) {
    const int error = errno;
    ::close(std::exchange(descriptor_, -1));
    fail(path_, error);
  }
}

AppendedFile::~AppendedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      length_(other.length_) {}

AppendedFile& AppendedFile::operator=(AppendedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(length_, other.length_);
  return *this;
}

void AppendedFile::append(std::string_view text) {
  write_all(descriptor_, text, path_);
  length_ += text.size();
}

void AppendedFile::flush() {
  sync(descriptor_, path_);
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail(path, error.value());
}

void remove_path(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) fail(path, error.value());
}

}  // namespace bulwark

#include <bulwark/base/error.hpp>
#include <bulwark/solve/page_buffer.hpp>

#include <sys/mman.h>

#include <cstdlib>

namespace bulwark {

void PageBuffer::Free::operator()(double* data) const {
  std::free(data);
}

void PageBuffer::grow(std::size_t size) {
  if (size <= size_) return;
  constexpr std::size_t large_page = std::size_t{2} << 20, vector = 64;
  // Somewhat more than is asked for: the next pattern is often a little larger.
  std::size_t bytes = (size + size / 4) * sizeof(double);
  const std::size_t alignment = bytes < 2 * large_page ? vector : large_page;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  data_.reset();
  size_ = 0;
  data_.reset(static_cast<double*>(std::aligned_alloc(alignment, bytes)));
  if (!data_) {
    throw SolveError(
        "the linear solver ran out of memory: use \"solver\": {\"linear\": \"cg\"} for a scene this large");
  }
  size_ = bytes / sizeof(double);
  // A wish: where it is not granted, small pages serve.
  if (alignment == large_page) madvise(data_.get(), bytes, MADV_HUGEPAGE);
}

}  // namespace bulwark

// Memory for the numbers of a large factorisation, which grows and is not cleared. Asked for in large pages: small
// ones, of 4 KB, take the system longer to provide than the arithmetic takes to fill them.
#pragma once

#include <cstddef>
#include <memory>

namespace bulwark {

class PageBuffer {
 public:
  /// Room for `size` numbers. What was in it is lost where it grows.
  void grow(std::size_t size);
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(double* data) const;
  };
  std::unique_ptr<double, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace bulwark

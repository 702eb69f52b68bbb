#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd.hpp>

namespace bulwark {

std::unique_ptr<Ccd> make_ccd(const std::string& name) {
  if (name == "additive") return make_additive_ccd();
  if (name == "tight-inclusion") return make_tight_inclusion_ccd();
  throw InputError("ccd", "unknown name \"" + name + "\"", "use \"additive\" or \"tight-inclusion\"");
}

}  // namespace bulwark

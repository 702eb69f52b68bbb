#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd.hpp>

namespace bulwark {

std::unique_ptr<Ccd> make_ccd(const std::string& name) {
  if (name == "additive") return make_additive_ccd();
  throw InputError("ccd", "there is none called \"" + name + "\"", "known is \"additive\"");
}

}  // namespace bulwark

// Prints the random scene of a seed:  random_scene SEED > scene.json
#include <random_scenes/random_scene.hpp>

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  char* end = nullptr;
  const unsigned long long seed = count == 2 ? std::strtoull(arguments[1], &end, 10) : 0;
  if (end == nullptr || end == arguments[1] || *end != '\0') {
    std::fputs("usage: random_scene SEED\n", stderr);
    return 2;
  }
  std::puts(bulwark::test::random_scene_text(seed).c_str());
  return 0;
}

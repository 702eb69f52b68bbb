// Everything that reads files or requests, as functions of any bytes. Each takes the bytes through reading
// and through what is done with the result; it must return, or throw nothing but what it catches itself: an
// InputError is an answer, all else is a find. libFuzzer calls them (fuzz_main.cpp), and the tests replay the
// seeds and finds in NAME_corpus (corpus_test.cpp).
#pragma once

#include <string_view>

namespace bulwark::fuzz {

void feed_mesh(std::string_view bytes);        ///< a digit for the format (see mesh_feed.cpp), then the file
void feed_query(std::string_view bytes);       ///< collision queries, CSV
void feed_scene(std::string_view bytes);       ///< a scene file
void feed_checkpoint(std::string_view bytes);  ///< a checkpoint without its checksum, which is made to fit
void feed_frame(std::string_view bytes);       ///< a frame, .vtu
void feed_table(std::string_view bytes);    ///< solves.csv, steps.csv and bodies.csv, with lines "--" between
void feed_summary(std::string_view bytes);  ///< summary.json
void feed_urdf(std::string_view bytes);     ///< a robot
void feed_system(std::string_view bytes);   ///< a recorded linear system
void feed_request(std::string_view bytes);  ///< what a client sends to the viewer's server

struct Feed {
  const char* name;
  void (*take)(std::string_view bytes);
};
inline constexpr Feed feeds[] = {{"mesh", feed_mesh},       {"query", feed_query},
                                 {"scene", feed_scene},     {"frame", feed_frame},
                                 {"table", feed_table},     {"checkpoint", feed_checkpoint},
                                 {"summary", feed_summary}, {"urdf", feed_urdf},
                                 {"request", feed_request}, {"system", feed_system}};

}  // namespace bulwark::fuzz

// What the viewer's page may ask its server for: the page itself, and the run by pieces.
#pragma once

#include "http_server.hpp"

#include <bulwark/output/viewing/viewed_run.hpp>

namespace bulwark::app {

/// | request                    | answer                                        |
/// | -------------------------- | --------------------------------------------- |
/// | /                          | the page                                      |
/// | /api/run?from=FRAME        | ViewedRun::description, JSON                  |
/// | /api/surface/TOPOLOGY      | pack_surface; TOPOLOGY in 16 hexadecimals     |
/// | /api/frame/STEP            | pack_frame without a field                    |
/// | /api/frame/STEP/FIELD      | pack_frame with a field                       |
/// | /api/scale/FIELD           | where the field's colour scale ends, JSON     |
/// | /api/bodies/STEP           | body_states, floats                           |
/// | /api/contacts/STEP         | contact_list, floats                          |
/// | /api/joints/STEP           | JointsOfRun::list, floats                     |
/// | /api/steps?from=BYTE       | steps.csv from that byte on                   |
HttpResponse answer_viewer(ViewedRun& run, const HttpRequest& request);

}  // namespace bulwark::app

// Ctrl-C and polite ends: the first signal (SIGINT, SIGTERM, SIGHUP, or SIGPIPE when nobody reads what is
// printed) asks the run to stop where it is, and a second one of the first three ends the program.
#pragma once

namespace bulwark::app {

/// A SIGHUP that was ignored when the program began (nohup) stays so.
void catch_interrupts();
bool interrupted();

}  // namespace bulwark::app

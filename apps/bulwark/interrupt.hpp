// Ctrl-C and polite ends: the first signal asks the run to stop after its step, the second ends the program.
#pragma once

namespace bulwark::app {

void catch_interrupts();
bool interrupted();

}  // namespace bulwark::app

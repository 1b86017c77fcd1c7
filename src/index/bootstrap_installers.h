// Installers that a script fetches and runs, as pins: the part of bootstrap.h that follows a download to what runs it.
#pragma once
#include "index/bootstrap.h"

namespace lockstep {

void add_installer_pins(std::vector<BootstrapPin>& pins, FileId file, const std::vector<ShellCommand>& commands);
Cell word_cell(FileId file, const ShellWord& word);

} // namespace lockstep

// Charts and values files on disk, for commands that walk no repository.
#pragma once
#include "helm/chart.h"

namespace lockstep {

std::optional<std::string> file_bytes(const std::string& path); // nothing: it cannot be read, or is too large
// `problem`: what could not be listed or read. A chart without it is another chart. It must outlive the reader.
ChartReader folder_reader(const std::string& folder, std::string& problem);

} // namespace lockstep

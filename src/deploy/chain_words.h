// What a link of a chain is called, for everybody who shows one: `why`, findings, programs.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

std::string_view word_for(ChainLink::By by);
std::string name_of(const Index& index, const Fleet& fleet, const ChainLink& link);
// What the link says of the next one, as written: the path, the entry, the pin.
std::string written_in(const Index& index, const Fleet& fleet, const ChainLink& link);
// `Kustomization flux-system/apps`, `apps/prod/kustomization.yaml`: short enough for several on one line.
std::string short_name_of(const Index& index, const Fleet& fleet, const ChainLink& link);

} // namespace lockstep

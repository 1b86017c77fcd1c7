// `generators`, `transformers` and `validators` of a kustomization: kustomize's own as objects; others are gaps.
#pragma once
#include "kustomize/folder_build.h"

namespace lockstep {

class PluginRunner {
public:
    PluginRunner(FolderBuild& target, Accumulated& into) : target_(target), into_(into) {}
    Failure generate();
    Failure transform();
    Failure validate();

private:
    struct Plugin {
        const Value* config = nullptr;
        Resource resource;
    };
    Failure load(const std::vector<TextEntry>& entries, std::vector<Plugin>& out);
    Failure run(const Plugin& plugin);
    Failure run_as_validator(const Plugin& plugin);
    Failure run_generator(const Plugin& plugin);
    Failure add_values(const Value& config);
    void note_gap(const Plugin& plugin);

    FolderBuild& target_;
    Accumulated& into_;
};

} // namespace lockstep

// Why a manifest that no list names may be left out on purpose; no reason is left where its line was forgotten.
#pragma once
#include "deploy/left_out.h"

namespace lockstep {

// A file or a folder that no list names.
struct Candidate {
    EntityId keeper = no_entity; // the kustomization whose list it ought to be in
    Place place;
    std::string path;
    std::string called;            // in messages, relative to the list: `web.yaml`, `web/ks.yaml`, `web`
    std::string what;              // `Service web`, `the folder apps/web`
    std::vector<EntityId> objects; // that it would bring by itself
    bool entry = false;            // switches a whole app on: a Flux Kustomization, a folder
    bool helm = false;             // in a chart's templates
    bool folder = false, component = false;
    bool near = false; // the list names what is beside it
    std::string below; // of an entry: the folder of the app
};

class LeftOutReasons {
public:
    LeftOutReasons(const Index& index, const Fleet& fleet) : index_(index), fleet_(fleet), left_out_(index, fleet) {}

    void expect(const Candidate& one);  // of all, before the first reason
    void leave_out() { ++candidates_; } // one that ought to be in no list
    void listed(std::string_view path) { ++listed_[std::string(file_name_of(path))]; }
    // Why it need not be an oversight; empty where it is one. `unlisted` and `listed` are those of the list.
    std::string reason(const Candidate& one, std::size_t unlisted, std::size_t listed);
    const LeftOut& left_out() const { return left_out_; }
    bool scripts_make_namespaces = false; // a namespace may be there without its manifest

private:
    bool uses_argo() const;
    bool is_needed(const Candidate& one, const ListReach& reach);
    bool is_declared_elsewhere(const Candidate& one) const;
    const std::set<std::string, std::less<>>& switched_off();
    bool is_superseded(const Object& object, const ListReach& reach) const;
    std::string by_name(const Candidate& one);
    std::string of_entry(const Candidate& one, const ListReach& reach, bool alone);
    std::string of_folder(const Candidate& one) const;
    std::string of_part(const Candidate& one, const ListReach& reach) const;
    std::string of_words(const Candidate& one) const;
    std::string namespace_nobody_makes(const Object& object, const ListReach& reach) const;
    bool is_only_one() const { return candidates_ < 2; }
    std::string of_company(const Candidate& one, const Object& object, const ListReach& reach) const;
    std::string lacking(const Value* tree, const ListReach& reach) const;
    bool is_last_of_group(const Object& object) const;
    std::string of_object(const Object& object, const ListReach& reach) const;
    bool replaces_release(const Candidate& one, const ListReach& reach) const;
    std::vector<EntityId> brought_by(const Candidate& one) const;
    const Value* tree_of(EntityId id) const { return fleet_.declared_tree(id); }

    const Index& index_;
    const Fleet& fleet_;
    LeftOut left_out_;
    std::size_t candidates_ = 0;                                        // that lists which clusters get leave out
    std::map<std::string, std::size_t, std::less<>> listed_, unlisted_; // files by name, in all lists
    std::optional<std::set<std::string, std::less<>>> switched_off_;    // names of what lists have commented out
};

} // namespace lockstep

// Which top keys of its values a chart reads, as far as its templates say so plainly.
#pragma once
#include "index/index.h"
#include "index/text_of_file.h"
#include <map>
#include <set>

namespace lockstep {

struct ValueReads {
    std::set<std::string, std::less<>> keys;
    std::string unsure; // why the keys are not all that is read
};

// Adds what a text that may be rendered reads of `.Values`.
void take_reads(std::string_view text, ValueReads& reads);

// The charts of a tree, each read once. Helpers must be among the files to be seen.
class ChartReads {
public:
    ChartReads(const Index& index, TextOfFile text_of) : index_(index), text_of_(std::move(text_of)) {}
    const ValueReads& of(EntityId chart);

private:
    const Index& index_;
    TextOfFile text_of_;
    std::map<EntityId, ValueReads> charts_;
};

} // namespace lockstep

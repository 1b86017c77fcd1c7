// Reading one listed file: limits, binary files, files that are gone.
#include "scratch.h"
#include "tree/tree.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

File read_one(const Scratch& scratch, std::string_view path, std::uint64_t limit = 16U << 20) {
    Tree tree;
    tree.root = scratch.root();
    tree.max_file_size = limit;
    File file{std::string(path), ""};
    read_file(tree, file);
    return file;
}

} // namespace

TEST_CASE("all bytes are read, whatever they are") {
    Scratch scratch;
    std::string text = "\xFF\r\n\n";
    for (int i = 0; i < 100000; ++i)
        text += static_cast<char>(i % 255 + 1);
    scratch.write("a.txt", text);
    scratch.write("empty.yaml", "");
    File file = read_one(scratch, "a.txt");
    CHECK(file.state == FileState::read);
    CHECK(file.text == text);
    CHECK(file.size == text.size());
    File empty = read_one(scratch, "empty.yaml");
    CHECK(empty.state == FileState::read);
    CHECK(empty.text.empty());
}

TEST_CASE("a file at the limit is read, one byte more is oversize and says so") {
    Scratch scratch;
    scratch.write("at.yaml", std::string(1000, 'x'));
    scratch.write("over.yaml", std::string(1001, 'x'));
    CHECK(read_one(scratch, "at.yaml", 1000).state == FileState::read);
    File over = read_one(scratch, "over.yaml", 1000);
    CHECK(over.state == FileState::oversize);
    CHECK(over.text.empty());
    CHECK(over.size == 1001);
    CHECK(over.why == "has 1001 bytes, more than 1000; `limits: file-size` in .lockstep.yaml raises that");
    CHECK(read_one(scratch, "over.yaml", ~0ULL).state == FileState::read);
}

TEST_CASE("a file whose announced size is wrong is read to its end") {
    // The system's own files say they have no bytes.
    if (!std::filesystem::exists("/proc/self/status")) {
        MESSAGE("no /proc here: not tried");
        return;
    }
    Tree tree;
    tree.root = "/proc/self";
    File file{"status", ""};
    read_file(tree, file);
    CHECK(file.state == FileState::read);
    CHECK(file.text.find("Pid:") != std::string::npos);
    CHECK(file.size == file.text.size());

    tree.max_file_size = 10;
    File limited{"status", ""};
    read_file(tree, limited);
    CHECK(limited.state == FileState::oversize);
}

TEST_CASE("a NUL near the start makes a file binary, unless its name says text") {
    Scratch scratch;
    std::string early = std::string("PNG") + '\0' + "data";
    std::string late = std::string(8000, 'x') + '\0';
    for (const char* name : {"a.png", "noname", "a.yaml.gz"}) {
        scratch.write(name, early);
        File file = read_one(scratch, name);
        CHECK(file.state == FileState::binary);
        CHECK(file.text.empty());
        CHECK(file.size == early.size());
    }
    for (const char* name : {"a.yaml", "a.yml", "a.tftpl", "a.json", "a.tpl"}) {
        scratch.write(name, early);
        File file = read_one(scratch, name);
        CHECK(file.state == FileState::read);
        CHECK(file.text == early);
    }
    scratch.write("late.bin", late);
    CHECK(read_one(scratch, "late.bin").state == FileState::read);
    scratch.write("last.bin", late.substr(1));
    CHECK(read_one(scratch, "last.bin").state == FileState::binary);
}

TEST_CASE("what cannot be read says why") {
    Scratch scratch;
    scratch.folder("folder.yaml");
    File gone = read_one(scratch, "gone.yaml");
    CHECK(gone.state == FileState::unreadable);
    CHECK(gone.why == "No such file or directory");
    File folder = read_one(scratch, "folder.yaml");
    CHECK(folder.state == FileState::unreadable);
    CHECK(folder.why == "is a folder");
}

TEST_CASE("a file that is read already stays as it is") {
    Tree tree = tree_in_memory({{"a.yaml", "text"}});
    read_file(tree, tree.files[0]);
    CHECK(tree.files[0].text == "text");
    CHECK(tree.files[0].state == FileState::read);
}

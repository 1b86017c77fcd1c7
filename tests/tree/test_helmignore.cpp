// Helm's ignore files, where they differ from git's and where they do not.
#include "tree/helmignore.h"
#include <doctest/doctest.h>

using lockstep::HelmIgnore;

TEST_CASE("a name without a slash fits in every folder, a path only from the chart's folder") {
    const HelmIgnore ignore("# a comment\n\n  kustomization.yaml  \r\ntemplates/dev.yaml\n/ci\n");
    CHECK(ignore.ignores("kustomization.yaml"));
    CHECK(ignore.ignores("templates/api/kustomization.yaml"));
    CHECK(ignore.ignores("templates/dev.yaml"));
    CHECK_FALSE(ignore.ignores("templates/api/dev.yaml"));
    CHECK(ignore.ignores("ci/values.yaml"));
    CHECK_FALSE(ignore.ignores("templates/ci"));
    CHECK_FALSE(ignore.ignores("templates/service.yaml"));
}

TEST_CASE("an ignored folder takes what is below it along, a file of that name stays") {
    const HelmIgnore ignore("overlay/\n");
    CHECK(ignore.ignores("templates/overlay/kustomization.yaml"));
    CHECK_FALSE(ignore.ignores("templates/overlay"));
}

TEST_CASE("double stars mean nothing to Helm, and ! ignores all that it does not fit") {
    CHECK_FALSE(HelmIgnore("templates/**/kustomization.yaml\n").ignores("templates/a/kustomization.yaml"));
    const HelmIgnore negated("!*.yaml\n");
    CHECK(negated.ignores("README.md"));
}

TEST_CASE("hidden files of templates are ignored without being asked") {
    CHECK(HelmIgnore().ignores("templates/.hidden.yaml"));
    CHECK_FALSE(HelmIgnore().ignores("templates/kustomization.yaml"));
}

#!/usr/bin/env python3
"""Checks META.json against the PGXN Meta Spec 1.0.0 and against the project.

Usage: check_meta.py FOLDER, the root of the sources.  Prints the version; says on
stderr what is wrong and fails if anything is.
"""

import json
import os
import re
import sys

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
REQUIRED = ["abstract", "license", "maintainer", "meta-spec", "name", "provides", "version"]
OPTIONAL = ["description", "generated_by", "no_index", "prereqs", "release_status", "resources",
            "tags"]


def mistakes(root):
    with open(os.path.join(root, "META.json")) as file:
        meta = json.load(file)
    with open(os.path.join(root, "idtypes.control")) as file:
        control = dict(re.findall(r"^(\w+)\s*=\s*'(.*)'", file.read(), re.M))
    with open(os.path.join(root, "CHANGELOG.md")) as file:
        changelog = file.read()
    with open(os.path.join(root, "debian/changelog")) as file:
        debian = file.readline()

    for key in REQUIRED:
        if not meta.get(key):
            yield "%s is missing" % key
    for key in meta:
        if key not in REQUIRED + OPTIONAL and not key.lower().startswith("x_"):
            yield "%s is not a key of the spec" % key
    if meta["meta-spec"].get("version") != "1.0.0":
        yield "meta-spec is not 1.0.0"
    if not re.match(r"[^\s/\\\x00-\x1f]{2,}$", meta["name"]):
        yield "%s is not a name" % meta["name"]
    if meta.get("release_status", "stable") not in ("stable", "testing", "unstable"):
        yield "release_status is %s" % meta["release_status"]
    for phase, relations in meta.get("prereqs", {}).items():
        if phase not in ("configure", "build", "runtime", "test", "develop"):
            yield "prereqs has no phase %s" % phase
        for relation in relations:
            if relation not in ("requires", "recommends", "suggests", "conflicts"):
                yield "prereqs has no relation %s" % relation
    for name, extension in meta["provides"].items():
        for key in ("file", "docfile"):
            if key in extension and not os.path.isfile(os.path.join(root, extension[key])):
                yield "%s of %s is not there: %s" % (key, name, extension[key])
        if extension.get("version") != meta["version"]:
            yield "%s has another version than the distribution" % name
    if not VERSION.match(meta["version"]):
        yield "%s is not a semantic version" % meta["version"]
    if not meta["version"].startswith(control["default_version"] + "."):
        yield "version is %s, that of idtypes.control %s" % (
            meta["version"], control["default_version"])
    if meta["version"] not in changelog:
        yield "CHANGELOG.md does not mention %s" % meta["version"]
    if "(%s-" % meta["version"] not in debian:
        yield "debian/changelog begins with another version: %s" % debian.strip()
    print(meta["version"])


def main():
    failed = False
    for mistake in mistakes(sys.argv[1]):
        print("META.json: " + mistake, file=sys.stderr)
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

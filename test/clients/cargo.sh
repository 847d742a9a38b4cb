#!/bin/sh
#
# Builds a program in Rust with the crates that Debian packages, and runs it.
#
#     cargo.sh PROGRAM.rs [ARGUMENT...]
#
# Makes a package of it beside it: what the program needs is said by its head, in comments from
# "// [dependencies]" on.  What was compiled is kept for the next program in the folder above.
#
set -eu

program=$1
shift
name=$(basename "$program" .rs)
folder=$(cd "$(dirname "$program")" && pwd)

mkdir -p "$folder/$name/src"
cp "$program" "$folder/$name/src/main.rs"
{
	printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2021"\n\n' "$name"
	sed -n '/^\/\/ \[dependencies\]/,/^$/s,^// *,,p' "$program"
} >"$folder/$name/Cargo.toml"
cargo build --quiet --offline --manifest-path "$folder/$name/Cargo.toml" \
	--target-dir "$folder/../cargo" \
	--config 'source.crates-io.replace-with = "debian"' \
	--config 'source.debian.directory = "/usr/share/cargo/registry"'
exec "$folder/../cargo/debug/$name" "$@"

# module.sh: the core as a module for browsers and JavaScript.
# Part of ./dev, which sources it.

# Builds what "npm pack" makes a package of in the folder $1, from the sources in the working
# folder.  Of the C library only functions of string.h are linked, so neither start-up code nor the
# compiler's run-time library is needed.
build_module()
{
	local folder=$1 copyright=/usr/share/doc/wasi-libc/copyright

	as_worker rm -rf "$folder"
	as_worker mkdir -p "$folder"
	limited clang --target=wasm32-wasi -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes \
		-Werror -Oz -Isrc -isystem /usr/include/stb -nostartfiles -nodefaultlibs -Wl,--no-entry \
		-Wl,--gc-sections -Wl,--strip-all -Wl,--export=__heap_base -o "$folder/idtypes.wasm" \
		js/module.c src/core/*.c -lc || return 1
	as_worker cp js/*.mjs js/*.ts js/package.json js/README.md LICENSE "$folder" &&
		as_worker cp "$copyright" "$folder/LICENSE.wasi-libc" || return 1
	write_base64 "$folder/idtypes.wasm" "// The module, made of src/core." "export default '" "'" |
		as_worker tee "$folder/wasm.mjs" >/dev/null
}

# Prints the lines and words after $1 with the file $1, in base64, before the last.
write_base64()
{
	printf '%s\n%s' "$2" "$3"
	base64 -w 0 "$1"
	printf '%s\n' "$4"
}

# Prints the module in the folder $1 as a script for pages, which sets "idtypes" to its exports and
# its bytes: a page that is read from a disk may load neither a module nor any other file.
classic_script()
{
	local exports

	exports=$(sed -nE 's/^export (class|const) ([A-Za-z]+).*/\2/p' "$1/idtypes.mjs" | paste -sd ,)
	write_base64 "$1/idtypes.wasm" "globalThis.idtypes = (() => {" \
		"$(sed 's/^export //' "$1/idtypes.mjs")
const base64 = '" "'
return { $exports, module: Uint8Array.from(atob(base64), c => c.charCodeAt(0)) }
})()"
}

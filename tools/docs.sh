# docs.sh: the documentation as a site.
# Part of ./dev, which sources it.

# The site is made of the sources as they stand, so that links are the same there and in the
# checkout, to other files too.  One that leads nowhere is an error.
build_site()
{
	local folder=$1 page

	as_worker rm -rf "$folder"
	as_worker mkdir -p "$folder/pages"
	copy_sources "$folder/pages"
	# nobody looks for a type that there is not, nor for what the suite docs runs beside the pages
	as_worker rm -rf "$folder/pages/test/sixth" "$folder/pages/test/docs"
	# what these do, other pages mention more often; Material for MkDocs heeds it from 8.3 on
	for page in inspect:4 comparison:1.5; do
		as_worker sed -i "1i ---\nsearch:\n  boost: ${page#*:}\n---\n" \
			"$folder/pages/doc/${page%:*}.md"
	done
	build_module "$folder/module" || return 1
	classic_script "$folder/module" | as_worker tee "$folder/pages/doc/idtypes.js" >/dev/null
	as_worker cp mkdocs.yml "$folder"
	as_worker mkdocs --quiet build --strict --config-file "$folder/mkdocs.yml" \
		--site-dir "$folder/site"
}

verb_docs()
{
	prepare_with "${DOCS_PACKAGES[@]}"
	build_site "$STATE/build/docs" >"$LOGS/docs-site.log" 2>&1 ||
		{ tail -n 30 "$LOGS/docs-site.log" >&2; die "the site could not be built"; }
	say "the site is in $STATE/build/docs/site; to read it, with its search, on port 8000:" \
		"python3 -m http.server -b 127.0.0.1 -d $STATE/build/docs/site"
}

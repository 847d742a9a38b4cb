-- idtypes: what PostgreSQL 18 and later have beyond the install script.
-- Made by "make" from extension/pg18.sql: a paragraph that names the parameter T, for each type.

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION idtypes UPDATE" to load this file. \quit

-- B-tree: skip scans
ALTER OPERATOR FAMILY @T@_ops USING btree ADD FUNCTION 6 (@T@, @T@) @T@_skipsupport(internal);

-- GiST: WITHOUT OVERLAPS and temporal foreign keys
ALTER OPERATOR FAMILY @T@_gist_ops USING gist
	ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);

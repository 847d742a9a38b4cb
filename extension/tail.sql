
-- ---------------------------------------------------------------------
-- What only some server versions have.  Update scripts repeat this block, so that a cluster brought
-- to a newer major by pg_upgrade gains it with ALTER EXTENSION UPDATE.
-- ---------------------------------------------------------------------

DO $$
DECLARE
	t text;
BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		FOREACH t IN ARRAY string_to_array('@TYPES@', ' ') LOOP
			EXECUTE format('ALTER OPERATOR FAMILY %1$I USING btree ADD FUNCTION 6 (%2$I, %2$I) '
						   '%3$I(internal)', t || '_ops', t, t || '_skipsupport');
			EXECUTE format('ALTER OPERATOR FAMILY %I USING gist ADD FUNCTION 12 ("any", "any") '
						   'gist_translate_cmptype_common(int)', t || '_gist_ops');
		END LOOP;
	END IF;
END
$$;

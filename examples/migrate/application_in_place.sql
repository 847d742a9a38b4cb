-- The same as in application.sql, for invoice.id from bigint to tid64 in place.  The numbers of new
-- ids have 16 digits or more, and a tid64 may have 13, if it has no dashes.

CREATE FUNCTION public.invoice_id(link text) RETURNS bigint STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^([0-9]{1,12}|[0-9]{14,19})$' THEN link::bigint
        ELSE tid64_try(link)::bigint END
$$;

PREPARE read_invoice AS
    SELECT id::text, total FROM invoice WHERE id = invoice_id($1);
PREPARE add_invoice AS
    INSERT INTO invoice (total) VALUES ($1) RETURNING id::text;

CALL migrate.also('invoice', 'in place', $also$
DROP FUNCTION public.invoice_id;
CREATE FUNCTION public.invoice_id(link text) RETURNS tid64 STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^([0-9]{1,12}|[0-9]{14,19})$' THEN link::bigint::tid64
        ELSE tid64_try(link) END
$$;$also$);

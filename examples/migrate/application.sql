-- What an application deploys before post.id moves from bigint to uid11, so that no request fails.
-- doc/migrate-application.md explains it; test/moves/application.py runs it under load.

-- The number of a post, of the text that a client sends.
CREATE FUNCTION public.post_id(link text) RETURNS bigint STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^[0-9]{1,10}$' THEN link::bigint END
$$;

-- The statements of the release, which run unchanged in all steps, and on the way back.
PREPARE read_post AS
    SELECT id::text, title FROM post WHERE id = post_id($1);
PREPARE read_posts AS
    SELECT id::text, title FROM post
    WHERE id = ANY (ARRAY(SELECT post_id(link) FROM unnest($1::text[]) AS link));
PREPARE next_page AS
    SELECT id::text, title FROM post WHERE id > post_id($1) ORDER BY id LIMIT 20;
PREPARE add_post AS
    INSERT INTO post (title) VALUES ($1) RETURNING id::text;
PREPARE add_comment AS
    INSERT INTO comment (post_id, body) VALUES (post_id($1), $2) RETURNING post_id::text;
PREPARE read_comments AS
    SELECT body FROM comment WHERE post_id = post_id($1);

-- After migrate.prepare(): the function changes in the transaction that changes the column.
CALL migrate.also('post', 'swap', $also$
DROP FUNCTION public.post_id;
CREATE FUNCTION public.post_id(link text) RETURNS uid11 STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^[0-9]{1,10}$' THEN (SELECT id FROM post WHERE old_id = link::bigint)
        ELSE uid11_try(link) END
$$;$also$);

CALL migrate.also('post', 'back', $also$
DROP FUNCTION public.post_id;
CREATE FUNCTION public.post_id(link text) RETURNS bigint STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^[0-9]{1,10}$' THEN link::bigint
        ELSE (SELECT id FROM post WHERE new_id = uid11_try(link)) END
$$;$also$);

CALL migrate.also('post', 'finish', $also$
CREATE OR REPLACE FUNCTION public.post_id(link text) RETURNS uid11 STABLE STRICT LANGUAGE sql AS $$
    SELECT CASE WHEN link ~ '^[0-9]{1,10}$'
        THEN (SELECT new_id FROM post_key AS k WHERE k.id = link::bigint)
        ELSE uid11_try(link) END
$$;$also$);

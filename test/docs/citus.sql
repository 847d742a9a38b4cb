-- What doc/several-servers.md calls of Citus, with its names and arguments, and a cluster of a
-- coordinator and three workers.
CREATE TABLE pg_dist_node (nodeid int PRIMARY KEY, groupid int NOT NULL, nodename text NOT NULL,
    nodeport int NOT NULL);
INSERT INTO pg_dist_node
SELECT n, n - 1, 'node' || n || '.example.org', 5432 FROM generate_series(1, 4) AS n;
CREATE FUNCTION master_run_on_worker(worker_name text[], port integer[], command text[],
    parallel boolean, OUT node_name text, OUT node_port integer, OUT success boolean,
    OUT result text) RETURNS SETOF record LANGUAGE sql STABLE STRICT AS $$
    SELECT name, number, true, command FROM unnest(worker_name, port, command)
        AS w (name, number, command)
$$;
CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text)
RETURNS void LANGUAGE sql AS '';

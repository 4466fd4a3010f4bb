import type pg from "pg";
import { singleRow } from "#lib/db/pool.ts";
import { withClient } from "#scripts/database/client.ts";
import type { TopologyRun } from "./topology-run.ts";

type Row = Record<string, string>;

/**
 * Reads how many clients share how many connections, whether prepared statements work, and whether the
 * replica is used. @returns a description, and a problem for each feature without any use
 */
export async function connectionStatistics({
  topology,
  pools,
}: TopologyRun): Promise<{ words: string; problems: string[] }> {
  const url = new URL(topology.poolerUrl);
  url.pathname = "/pgbouncer";
  return withClient(url.href, async (client) => {
    const { rows: open } = await client.query<Row>("show pools");
    const { rows: totals } = await client.query<Row>("show stats_totals");
    const clients = sum(open, "cl_active", "cl_waiting");
    const servers = sum(open, "sv_active", "sv_idle", "sv_used", "sv_tested", "sv_login");
    const how = topology.tools.byTransaction ? "transaction" : "session";
    const statements = sum(totals, "bind_count");
    const listening = await listeners(pools.dashboard);
    const [atReplica, atPrimary] = [await scans(pools.replica), await scans(pools.dashboard)];
    const needed = {
      "programs at PgBouncer": clients,
      "connections of PgBouncer": servers,
      // Older versions of PgBouncer do not count statements.
      "queries through PgBouncer": sum(totals, "query_count"),
      "connections that listen": listening,
      "searches at the replica": atReplica,
    };
    return {
      words: `PgBouncer by ${how}: ${clients} connections of programs over ${servers} of PostgreSQL; ${statements} statements with values, prepared ${sum(totals, "client_parse_count")} times by programs and ${sum(totals, "server_parse_count")} times at PostgreSQL
${listening} connections of the dashboards and their workers listen, past PgBouncer
searches of the copied subscriptions since the start: ${atReplica} at the replica, ${atPrimary} at the primary`,
      problems: Object.entries(needed)
        .filter(([, count]) => count === 0)
        .map(([what]) => `there are no ${what}`),
    };
  });
}

const sum = (rows: Row[], ...names: string[]) =>
  rows
    .filter(({ database }) => database !== "pgbouncer")
    .flatMap((row) => names.map((name) => Number(row[name] ?? 0)))
    .reduce((all, one) => all + one, 0);

/** Counts the connections that listen, of the current role: PostgreSQL hides other roles' statements. */
async function listeners(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where query ilike 'listen %' or application_name = 'duebook live'`,
  );
  return singleRow(rows).count;
}

async function scans(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ scans: number }>(
    `select (seq_scan + coalesce(idx_scan, 0))::integer as scans
       from pg_stat_user_tables where relname = 'mirror_subscription'`,
  );
  return singleRow(rows).scans;
}

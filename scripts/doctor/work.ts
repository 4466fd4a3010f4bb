import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import nodemailer from "nodemailer";
import type pg from "pg";
import { errorCode } from "#contract/process/log.ts";
import type { Env } from "#lib/env.ts";
import { selectBacklog } from "../../service/deliveries/store.ts";
import {
  countWithNoun,
  failure,
  presentFindings,
  type Finding,
  type CheckedInstallation,
  note,
  ok,
  servicesOf,
  warning,
} from "./finding.ts";

const MINUTE = 60;
const DAY_MS = 86_400_000;

/** Checks that workers update the search indexes, apply due dates and send deliveries. */
export async function checkJobs({
  env,
  dashboard,
  service,
}: CheckedInstallation): Promise<Finding[]> {
  return [
    ...(dashboard ? await checkIndexes(dashboard, env) : []),
    ...(service ? await checkServiceWork(service) : []),
  ];
}

interface Indexes {
  indexes: number;
  filling: number;
  failing: number;
  overdue: number;
  oldest: number | null;
}

async function checkIndexes(pool: pg.Pool, env: Env): Promise<Finding[]> {
  const { rows } = await pool.query<Indexes>(
    `select count(*)::int as indexes,
            count(*) filter (where filled_at is null)::int as filling,
            count(*) filter (where error is not null)::int as failing,
            count(*) filter (where coalesce(wait_until, '-infinity') < now() - interval '2 minutes'
              and coalesce(claimed_until, due_at) < now() - interval '2 minutes')::int as overdue,
            extract(epoch from now() - min(read_at) filter (where error is null))::float8 as oldest
       from search_index where mode = any($1)`,
    [servicesOf(env).map(({ mode }) => mode)],
  );
  const { indexes, filling, failing, overdue, oldest } = rows[0] as Indexes;
  if (indexes === 0) return [note("There is no search index yet.")];
  return presentFindings(
    overdue > 0
      ? failure(
          `No worker updates the search indexes: ${countWithNoun(overdue, "index", "indexes")} overdue by more than two minutes.`,
          env.MIRROR_WORKER === "elsewhere"
            ? "MIRROR_WORKER is elsewhere: start npm run worker."
            : "Start Duebook; if it runs, its log says why the worker stopped.",
        )
      : ok(
          `${countWithNoun(indexes, "search index", "search indexes")}, ${filling} of them filling; the oldest was read ${Math.round(oldest ?? 0)} seconds ago.`,
        ),
    failing > 0 &&
      warning(
        `${countWithNoun(failing, "search index", "search indexes")} cannot be updated: the API refuses or does not answer.`,
        "See the results of the API and of the keys; each seller's connection page has the reason.",
      ),
  );
}

async function checkServiceWork(pool: pg.Pool): Promise<Finding[]> {
  const { oldest_due, due, failing, paused } = await selectBacklog(pool, new Date());
  return presentFindings(
    await checkSweep(pool),
    oldest_due > 5 * MINUTE &&
      failure(
        `${countWithNoun(due, "delivery", "deliveries")} overdue, the oldest by ${Math.round(oldest_due / MINUTE)} minutes.`,
        "Start a worker (npm run service:worker), or one more of them.",
      ),
    failing > 0 &&
      warning(
        `${countWithNoun(failing, "webhook endpoint")}: every delivery fails.`,
        "Each is switched off after five days of failures; its owner sees the reasons in the settings.",
      ),
    paused > 0 && note(`${countWithNoun(paused, "webhook endpoint")} paused.`),
  );
}

async function checkSweep(pool: pg.Pool): Promise<Finding> {
  const none = failure(
    "No worker of the billing service is running: due dates and deliveries wait.",
    "Start Duebook; if SERVICE_WORKER is elsewhere, start npm run service:worker.",
  );
  const { rows } = await pool
    .query<{ age: number | null; since: number | null }>(
      `select (select extract(epoch from now() - max(completed_on))::float8 from pgboss.job
                where name = 'lifecycle-sweep') as age,
              (select extract(epoch from now() - min(created_on))::float8 from pgboss.schedule
                where name = 'lifecycle-sweep') as since`,
    )
    .catch(() => ({ rows: [] }));
  const [row] = rows;
  if (!row || row.since === null) return none;
  if (row.age === null && row.since < 3 * MINUTE)
    return note("The worker of the billing service was started a moment ago.");
  if (row.age === null || row.age > 5 * MINUTE) return none;
  return ok(`The billing service's worker ran ${Math.round(row.age)} seconds ago.`);
}

export async function checkMail({ SMTP_URL: url }: Env): Promise<Finding[]> {
  if (url === undefined)
    return [
      note(
        "No mail is sent: invitation links are shown for copying.",
        "SMTP_URL and MAIL_FROM set it up.",
      ),
    ];
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 5_000,
  });
  try {
    await transport.verify();
    return [ok("The mail server accepts the account.")];
  } catch (error) {
    // The error message can contain the address and the account.
    const code = errorCode(error) || "no code";
    return [
      failure(
        `The mail server of SMTP_URL does not accept the account (${code}).`,
        "Check its host, port, user and password, and whether it is smtp:// or smtps://.",
      ),
    ];
  } finally {
    transport.close();
  }
}

/** What pgBackRest keeps beside its backups. */
const NO_BACKUP = /^(?:backup\.(?:history|info(?:\.copy)?)|latest)$/;

/** Checks how old the newest backup in a folder is. */
export async function checkBackups(folder: string, now: Date): Promise<Finding[]> {
  const all = await readdir(folder).catch(() => []);
  const names = all.filter((name) => !NO_BACKUP.test(name));
  const times = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name))).mtimeMs),
  );
  const remedy =
    "Run: npm run backup (each day, by cron), and keep the folder on another machine.";
  if (times.length === 0)
    return [note("There are no backups here. Those elsewhere cannot be checked.", remedy)];
  const days = (now.getTime() - Math.max(...times)) / DAY_MS;
  const words = `The newest of ${countWithNoun(times.length, "backup")} is ${days < 1 ? "less than a day" : countWithNoun(Math.floor(days), "day")} old.`;
  return [days > 7 ? warning(words, remedy) : ok(words)];
}

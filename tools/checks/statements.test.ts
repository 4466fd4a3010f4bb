import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";

interface Program {
  code: string;
  migrations: string;
  /** Tables whose rows are looked up by a person, a token or a key, to find a seller. */
  leading: string[];
  /** Ends of the statements that serve every seller at once, or find a row by an unguessable id. */
  ofAllSellers: string[];
  /** The fewest statements that must be found, so that a broken search is noticed. */
  least: number;
}

const PROGRAMS: Record<string, Program> = {
  dashboard: {
    code: "lib/**/*.ts",
    migrations: "lib/db/migrations/*.sql",
    leading: ["invitation", "membership", "session"],
    ofAllSellers: [
      "from mirror group by 1",
      "update mirror set ${LEASE.release}, due_at = now() where claim = any($1)",
      "select claim from mirror where claim = any ($1) and due_at <= now()",
      "from mirror where is_on and mode = any($1)",
      "from notice_setting s join seller l on l.id = s.seller_id where s.id = $1",
    ],
    least: 200,
  },
  service: {
    code: "service/**/*.ts",
    migrations: "service/db/migrations/*.sql",
    leading: ["seller", "api_key", "directory", "payment_account"],
    ofAllSellers: [
      // Work that a stopped process left, expired rows, and what is due.
      "where state = 'sending' and leased_until <= $1",
      "where state = 'queued' and next_at <= $1 group by kind",
      "and next_at <= $1 and leased_until <= $1",
      "delete from message_report where received_at < $1",
      "from stepped s join webhook w on w.id = s.webhook_id )",
      "from period_move where spread_after is not null order by move_id",
      // Metrics.
      "from webhook ) endpoints",
      // Parts of statements, whose conditions are added where they are used.
      "b.code, b.facts from bill b",
      "created_at, expires_at from buyer_sign_in",
      "r.most_a_week, r.version from reminder_schedule r",
      // Anybody may see an image whose digest they know.
      "select content from image where digest = $1 limit 1",
    ],
    least: 300,
  },
};

const TEXT = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/;
const CONSTANT = new RegExp(`(export )?const (\\w+)(?:: \\w+)? =\\s*(?:${TEXT.source})`, "g");
/** A condition, a join or an insertion by the seller; merely selecting the column does not count. */
const BY_SELLER =
  /\bseller_id (?:=|in\b)|using \(seller_id\b|\(seller_id\)|\(seller_id, [\w, ]+\) (?:in|=)|insert into \w+(?: as \w+)?\s+\([^)]*\bseller_id\b/;

const pathsOf = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The tables with a column for the seller. */
function tablesOfSellers(program: Program): Set<string> {
  const migrations = pathsOf(program.migrations).map(read).join("\n");
  const created = Array.from(
    migrations.matchAll(/create table (?:if not exists )?(\w+) \(([\s\S]*?)\n\);/g),
    ([, table = "", columns = ""]) => (/\bseller_id\b/.test(columns) ? table : null),
  );
  const added = Array.from(
    migrations.matchAll(/alter table (\w+)[^;]*\badd column seller_id\b/g),
    ([, table = ""]) => table,
  );
  return new Set([...created, ...added].filter((table) => table !== null));
}

/** The statements, each with whether it names the seller, itself or by a constant in it. */
function findStatements(program: Program) {
  const files = pathsOf(program.code)
    .filter((path) => !/\.test\.ts$|^service\/(seed|testing)\//.test(path))
    .map((path) => ({ path, text: read(path), naming: new Set<string>() }));
  const exported = new Set<string>();
  const isBySeller = (sql: string, naming: Set<string>, form = BY_SELLER) =>
    form.test(sql) ||
    Array.from(sql.matchAll(/\$\{(\w+)/g), ([, name = ""]) => name).some(
      (name) => naming.has(name) || exported.has(name),
    );
  // Repeated, because constants can contain other constants.
  for (let round = 0; round < 3; round += 1)
    for (const { text, naming } of files)
      for (const [, isExported, name = "", long, short] of text.matchAll(CONSTANT))
        if (isBySeller(long ?? short ?? "", naming, /\bseller_id(?: =| in\b|\)|,)/))
          (isExported ? exported : naming).add(name);
  return files.flatMap(({ path, text, naming }) =>
    Array.from(text.matchAll(new RegExp(TEXT, "g")), ([, long, short]) => long ?? short ?? "")
      .filter((sql) => /^\s*(with|select|insert|update|delete)\b/.test(sql))
      .map((sql) => ({
        path,
        sql: sql.replace(/\s+/g, " ").trim(),
        isBySeller: isBySeller(sql, naming),
      })),
  );
}

test.each(Object.entries(PROGRAMS))(
  "every SQL statement of the %s on a table with sellers' rows names the seller, except the listed statements",
  (_, program) => {
    const { leading, ofAllSellers, least } = program;
    const tables = tablesOfSellers(program);
    for (const table of leading) expect(tables.delete(table)).toBe(true);
    const asked = findStatements(program).filter(({ sql }) =>
      Array.from(sql.matchAll(/\b(?:from|join|into|update) (\w+)/g), ([, table]) => table).some(
        (table) => table !== undefined && tables.has(table),
      ),
    );
    expect(asked.length).toBeGreaterThan(least);
    const without = asked.filter(({ isBySeller }) => !isBySeller);
    const allowed = without.filter(({ sql }) => ofAllSellers.some((end) => sql.endsWith(end)));
    expect(without.filter((one) => !allowed.includes(one))).toEqual([]);
    expect(allowed).toHaveLength(ofAllSellers.length);
  },
);

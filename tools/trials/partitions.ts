import { spawnSync } from "node:child_process";
import { createReadStream, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";
import { withClient } from "#scripts/database/client.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { ROOT } from "#scripts/process/settings.ts";

const HELP = `npm run trial partitions -- [--partitions N] [test files]
The service's database tests over tables divided among N (4) partitions by seller. PostgreSQL writes the
plan of every statement, also of those in functions; fails if a test fails, or if a statement
that is not for all sellers reads more than one seller's partition.`;

const { values, positionals } = readOptions({
  options: {
    partitions: { type: "string", default: "4" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** Parts of statements that work for all sellers at once. */
const OF_ALL_SELLERS = [
  // What workers look for, take and put back.
  "message where state = 'queued'",
  "update message set state_at = $1",
  "update message set state = 'expired'",
  "update message_channel c set lease = $1",
  "from reminder_step where seller_id = any",
  "with usual as",
  "with recursive stepped (webhook_id)",
  "from delivery_endpoint e cross join lateral",
  "with outcome as",
  "update delivery d set state = 'skipped' from webhook",
  "update delivery d set next_at",
  "update delivery_endpoint e",
  "update webhook w set failing_since",
  "with taken as ( delete from bill_to_send",
  "from payment_account a where (a.rests_until",
  "select min(d.next_at) as next_at",
  "update charge set state = 'unseen'",
  "a.state = 'pending' and a.account_id is not null and a.created_at <= $1",
  "a.state in ('pending', 'returning') and a.account_id is null",
  "select seller_id, time_zone, since from",
  // Retention, another key for secrets, metrics.
  "delete from message where (seller_id, message_id)",
  "delete from message_report where received_at",
  "delete from payment_notice",
  "delete from record_change",
  "delete from idempotency_key where (seller_id, key)",
  "delete from image where used_at < $1",
  "delete from buyer_sign_in",
  "with ended as ( select order_id",
  "with batch as ( select seller_id, delivery_id",
  "as sealed from",
  "set sealed_se",
  "set previous_sealed_secret",
  "select deliveries.*, endpoints.*",
  // Anybody may see an image whose digest they know.
  "select content from image where digest = $1",
  // Of tests, which compare all rows.
  ") except (",
];

interface Plan {
  "Relation Name"?: string;
  "Actual Loops": number;
  Plans?: Plan[];
}

interface Logged {
  "Query Text": string;
  Plan: Plan;
}

/** The partitions that a plan really read; a pruned one never begins. */
function partitionsIn({ Plans = [], ...plan }: Plan): string[] {
  const { "Relation Name": name = "", "Actual Loops": loops } = plan;
  return [...(name.includes("__p") && loops > 0 ? [name] : []), ...Plans.flatMap(partitionsIn)];
}

/** The tables of which a plan read partitions with different numbers. */
function crossedIn(plan: Plan): string[] {
  const read = partitionsIn(plan).map((name) => name.split("__p"));
  const [[, first] = []] = read;
  const others = read.filter(([, number]) => number !== first).map(([table = ""]) => table);
  return [...new Set(others)];
}

/** The plans in a log of PostgreSQL, whose lines after the first begin with a tab. */
async function* plansIn(log: string): AsyncGenerator<Logged> {
  let text: string[] | null = null;
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (text && line.startsWith("\t")) text.push(line);
    else {
      if (text) yield JSON.parse(text.join("\n")) as Logged;
      text = line.endsWith("plan:") ? [] : null;
    }
  }
}

const TEXT = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;
const INSERTED = /\$\{(?:[^{}]|\{[^{}]*\})*\}/;
const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The statements in these files, each as an expression that matches it as PostgreSQL logs it. */
function statementsIn(files: string[]): RegExp[] {
  const texts = files.flatMap((path) =>
    Array.from(readFileSync(join(ROOT, path), "utf8").matchAll(TEXT), ([, long, short]) =>
      inOneLine(long ?? short ?? ""),
    ),
  );
  // A verb followed only by an inserted expression would match every statement.
  return [...new Set(texts)]
    .filter((text) => /^(with|select|insert|update|delete) (?!\$\{[^}]*\}$)/.test(text))
    .map((text) => {
      const fixed = text
        .split(INSERTED)
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return new RegExp(`^${fixed.join(".*")}$`);
    });
}

const isOfTests = (path: string) =>
  /\.test\.ts$|^service\/(testing|seed)\//.test(path) || !path.startsWith("service/");

/** @returns a function that says whether a statement is one of the tests and not of the program */
function testStatements(): (statement: string) => boolean {
  const files = globSync("{service,tools}/**/*.ts", { cwd: ROOT });
  const ofProgram = statementsIn(files.filter((path) => !isOfTests(path)));
  const ofTests = statementsIn(files.filter(isOfTests));
  const isIn = (known: RegExp[], statement: string) =>
    known.some((expression) => expression.test(statement));
  return (statement) => isIn(ofTests, statement) && !isIn(ofProgram, statement);
}

async function readPlans(log: string) {
  const seen = new Map<string, string[]>();
  const isTest = testStatements();
  const skipped = new Set<string>();
  for await (const { "Query Text": text, Plan } of plansIn(log)) {
    const statement = inOneLine(text);
    if (skipped.has(statement)) continue;
    if (!seen.has(statement) && isTest(statement)) {
      skipped.add(statement);
      continue;
    }
    seen.set(statement, [...new Set([...(seen.get(statement) ?? []), ...crossedIn(Plan)])]);
  }
  return seen;
}

async function logPlans(url: string) {
  await withClient(url, async (client) => {
    await client.query("load 'auto_explain'");
    for (const setting of [
      "session_preload_libraries = 'auto_explain'",
      "auto_explain.log_min_duration = 0",
      "auto_explain.log_analyze = on",
      "auto_explain.log_timing = off",
      "auto_explain.log_nested_statements = on",
      "auto_explain.log_format = json",
    ])
      await client.query(`alter system set ${setting}`);
    await client.query("select pg_reload_conf()");
  });
}

async function tryPartitions() {
  const partitions = positiveOption("partitions", values.partitions);
  const directory = await mkdtemp(join(tmpdir(), "duebook-partitions-"));
  const postgres = await startPostgres(directory, { durable: false });
  try {
    await logPlans(postgres.url("postgres"));
    const files = positionals.length > 0 ? positionals : ["service/"];
    const { status } = spawnSync("vitest", ["run", "--project", "database", ...files], {
      cwd: ROOT,
      stdio: "inherit",
      env: {
        ...process.env,
        TEST_POSTGRES_URL: postgres.url("postgres"),
        TEST_PARTITIONS: String(partitions),
      },
    });
    const seen = await readPlans(join(directory, "postgres", "postgres.log"));
    const crossing = [...seen].filter(([, tables]) => tables.length > 0);
    const wrong = crossing.filter(
      ([statement]) => !OF_ALL_SELLERS.some((part) => statement.includes(part)),
    );
    console.log(
      `${seen.size} statements; several sellers are read by ${crossing.length - wrong.length} for all sellers and ${wrong.length} others`,
    );
    for (const [statement, tables] of wrong) console.log(`${tables.join(", ")}: ${statement}`);
    if (wrong.length > 0)
      throw new CommandFailure("a statement of one seller read others' partitions.");
    if (status !== 0) throw new CommandFailure("a test failed over partitioned tables.");
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  await tryPartitions();
});

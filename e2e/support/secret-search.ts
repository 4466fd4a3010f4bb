import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "#scripts/database/client.ts";
import { openDatabases } from "#scripts/process/settings.ts";
import { productOfWorker } from "./product.ts";

const listPath = (folder: string) => join(folder, "..", "made-secrets");

/** Records a secret that must not be in any database or log; checked when the run ends. */
export function recordSecret(...secrets: string[]): void {
  const { dataDirectory } = productOfWorker();
  // A product elsewhere is not searched.
  if (!existsSync(dataDirectory)) return;
  const path = listPath(dataDirectory);
  appendFileSync(path, secrets.map((one) => `${one}\n`).join(""));
}

// Secrets that the programs generate.
const PATTERNS = {
  "an API key": /\bdb[ka]_(?:test|live)_[\w-]{24,}/,
  "a webhook's secret": /\bwhsec_[\w+/=-]{16,}/,
  "a session's cookie": /\beyJ[\w-]{10,}\.\.?[\w-]+\./,
  // Matches a JSON text of exactly six digits; a number has no quotes.
  "a one-time code": /: "\d{6}"/,
  "a key of the server": /-----BEGIN [A-Z ]*PRIVATE KEY/,
};
// The minimum length of a secret to search for; a shorter text could appear by chance.
const SHORTEST = 8;

/** Finds secrets stored in clear text. @returns where each is and its kind, without its value */
export async function findSecrets(folder: string, log: string): Promise<string[]> {
  const places = [
    { place: "the programs' output", text: log },
    {
      place: "the database's log",
      text: await readFile(join(folder, "postgres/postgres.log"), "utf8"),
    },
    ...(await dumpDatabases(folder)),
  ];
  const serverSecrets = JSON.parse(
    await readFile(join(folder, "secrets.json"), "utf8"),
  ) as Record<string, string>;
  const made = existsSync(listPath(folder)) ? readFileSync(listPath(folder), "utf8") : "";
  const exact = [...made.split("\n"), ...Object.values(serverSecrets)].filter(
    (secret) => secret.length >= SHORTEST,
  );
  return places.flatMap(({ place, text }) => [
    ...Object.entries(PATTERNS)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => `${place}: ${what}`),
    ...exact
      .flatMap(spellingsOf)
      .filter((secret) => text.includes(secret))
      .map((secret) => `${place}: a secret of ${secret.length} characters`),
  ]);
}

/** A secret as text, and in the encodings in which bytes are stored. */
const spellingsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
];

/** Every row of every table as text, table by table. */
async function dumpDatabases(folder: string) {
  const { urls, server } = await openDatabases(folder);
  const places: { place: string; text: string }[] = [];
  for (const [name, url] of Object.entries(urls))
    await withClient(url, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname not in ('pg_catalog', 'information_schema')`,
      );
      for (const { name: table } of tables) {
        const { rows } = await client.query<{ row: string }>(
          `select to_jsonb(t)::text as row from ${table} t`,
        );
        const text = rows.map(({ row }) => row).join("\n");
        places.push({ place: `${name}, ${table}`, text });
      }
    });
  await server?.close();
  return places;
}

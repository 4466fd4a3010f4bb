import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword } from "#lib/auth/password.ts";
import { signIn } from "#lib/auth/sign-in.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool } from "#lib/db/pool.ts";
import { startPostgres } from "../scripts/postgres.ts";
import { medianOf } from "./report.ts";

const TRIES = 200;
const NAMES = ["known", "unknown"] as const;
const KNOWN = "known@example.com";

/**
 * Whether the time of a refusal tells that an account exists: wrong passwords for a known and an
 * unknown email, by turns, and the ratio of their medians.
 */
const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
const server = await startPostgres(directory);
await server.ensureDatabase("dashboard");
const url = server.url("dashboard");
Object.assign(process.env, {
  DATABASE_URL: url,
  NEXTAUTH_SECRET: "0123456789abcdef",
  NEXTAUTH_URL: "http://localhost:3000",
  API_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
});
await migrateDashboard(url);
const pool = createPool(url);
await pool.query("insert into app_user (email, name, password_hash) values ($1, '', $2)", [
  KNOWN,
  await hashPassword("the right password"),
]);

const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
for (let at = 0; at < TRIES; at += 1) {
  for (const who of at % 2 === 0 ? NAMES : NAMES.toReversed()) {
    const input = {
      email: who === "known" ? KNOWN : `nobody-${at}@example.com`,
      password: "no",
    };
    const visit = {
      address: "203.0.113.7",
      user_agent: null,
      device: null,
      challenge: null,
      session: null,
    };
    // An hour between tries: what is measured is the refusal, not the wait.
    const now = new Date(Date.UTC(2026, 0, 1, at * 2));
    const begun = performance.now();
    const outcome = await signIn(pool, input, visit, now);
    times[who].push(performance.now() - begun);
    if (outcome.kind !== "refused") throw new Error(`not refused but ${outcome.kind}`);
  }
}
const [known, unknown] = [medianOf(times.known), medianOf(times.unknown)];
console.log(`refusing a known email    ${known.toFixed(1)} ms (median of ${TRIES})`);
console.log(`refusing an unknown email ${unknown.toFixed(1)} ms`);
console.log(`ratio                     ${(known / unknown).toFixed(3)}`);

await pool.end();
await server.close();
await rm(directory, { recursive: true, force: true });

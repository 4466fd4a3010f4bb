import pg from "pg";

const ABOUT_PAYMENTS = /\b(charge|refund|payment|checkout_attempt)\b|^(begin|commit)$/i;
const at = Number(new URL(import.meta.url).searchParams.get("at"));
let left = Infinity;

// Loaded before a program: from SIGUSR2 on it counts its statements about payments, and is killed
// before the one whose number is in the address by which this file is imported.
process.on("SIGUSR2", () => {
  left = at;
  process.stdout.write("armed\n");
});
const client = pg.Client.prototype;
const query = Reflect.get(client, "query") as (...given: unknown[]) => unknown;
Reflect.set(client, "query", function (this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  const text = typeof first === "string" ? first : (first as { text?: string } | null)?.text;
  if (ABOUT_PAYMENTS.test(text ?? "") && (left -= 1) === 0)
    process.kill(process.pid, "SIGKILL");
  return query.apply(this, given);
});

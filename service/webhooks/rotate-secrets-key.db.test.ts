import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decryptSecrets } from "../deliveries/lane.ts";
import { useTestService } from "../testing/use-service.ts";
import { newSecret, decryptWithAnyKey, encryptSecret } from "./secret.ts";

const service = useTestService();
const ROWS = 600;
const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

function startRotation(old: Buffer[] = [before]) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "../admin.ts"), "rotate-secrets-key"],
    {
      env: {
        NODE_ENV: "production",
        SERVICE_DATABASE_URL: String(service.pool.options.connectionString),
        SERVICE_SECRETS_KEY: next.toString("base64"),
        SERVICE_SECRETS_KEY_OLD: old.map((key) => key.toString("base64")).join(","),
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number, output }));
  return { child, ended };
}

async function register(sellerId: number) {
  const secrets = Array.from({ length: ROWS }, newSecret);
  const sealed = secrets.map((secret) => encryptSecret(before, sellerId, secret));
  await service.pool.query(
    `insert into webhook (seller_id, event, endpoint_url, sealed_secret, previous_sealed_secret, created_at)
     select $1, 'checkout.succeeded', 'https://phewa.example/' || at, sealed, sealed, now()
       from unnest($2::bytea[]) with ordinality as t (sealed, at)`,
    [sellerId, sealed],
  );
  return secrets;
}

interface Row {
  id: number;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer;
}

async function setUpAccounts(sellerId: number) {
  await service.pool.query(
    `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute, created_at)
     values ($1, 'sms', 'sparrow', $2, 60, now())`,
    [sellerId, encryptSecret(before, sellerId, "settings")],
  );
  await service.pool.query(
    `insert into payment_account (seller_id, mode, provider, sealed_settings, position, created_at, removed_at)
     values ($1, 'test', 'khalti', $2, 1, now(), null), ($1, 'test', 'esewa', null, 2, now(), now())`,
    [sellerId, encryptSecret(before, sellerId, "account")],
  );
}

async function stored(): Promise<Row[]> {
  const { rows } = await service.pool.query<Row>(
    "select id, sealed_secret, previous_sealed_secret from webhook order by id",
  );
  return rows;
}

test("a killed rotation of SERVICE_SECRETS_KEY is finished by the next run, and secrets stay readable meanwhile", async () => {
  const { seller_id } = await service.createSeller();
  const secrets = await register(seller_id);
  await setUpAccounts(seller_id);
  const isNew = ({ sealed_secret }: Row) =>
    decryptWithAnyKey([next], seller_id, sealed_secret) !== null;
  const countNew = async () => (await stored()).filter(isNew).length;

  // A lock on a row in the middle stops the rotation there.
  const holder = await service.pool.connect();
  await holder.query("begin");
  const middle = (await stored())[ROWS / 2]?.id;
  await holder.query("select 1 from webhook where id = $1 for update", [middle]);
  const killed = startRotation();
  await expect.poll(countNew, { timeout: 30_000 }).toBe(200);
  killed.child.kill("SIGKILL");
  await killed.ended;
  await holder.query("rollback");
  holder.release();
  expect(await countNew()).toBe(200);
  const opened = (await stored()).map((row) =>
    decryptSecrets([next, before], { ...row, seller_id }),
  );
  expect(opened).toEqual(secrets.map((secret) => [secret, secret]));

  expect(await startRotation().ended).toEqual({
    code: 0,
    output: `Encrypted again: ${ROWS * 2 - 200 + 2}. All others used the new key already.\n`,
  });
  const rows = await stored();
  expect(rows.map((row) => decryptSecrets([next], { ...row, seller_id }))).toEqual(
    secrets.map((secret) => [secret, secret]),
  );
  const { rows: channels } = await service.pool.query<{ sealed_settings: Buffer }>(
    `select sealed_settings from message_channel
     union all select sealed_settings from payment_account where removed_at is null`,
  );
  expect(
    channels.map(
      ({ sealed_settings }) => decryptWithAnyKey([next], seller_id, sealed_settings)?.secret,
    ),
  ).toEqual(["settings", "account"]);
});

test("a key rotation keeps and counts secrets that no given key decrypts, and exits with an error", async () => {
  const { seller_id } = await service.createSeller();
  await service.pool.query("delete from webhook");
  await register(seller_id);
  const { code, output } = await startRotation([Buffer.alloc(32, 3)]).ended;
  expect(code).toBe(1);
  expect(output).toContain(`${ROWS * 2} were encrypted with a key that is neither`);
  const [first] = await stored();
  expect(
    decryptWithAnyKey([before], seller_id, first?.sealed_secret ?? Buffer.alloc(0)),
  ).not.toBeNull();
});

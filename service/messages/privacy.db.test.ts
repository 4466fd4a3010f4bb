import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "#scripts/database/free-port.ts";
import { MailSimulator } from "#tools/simulators/smtp-simulator.ts";
import { createTestDatabase } from "#tools/testing/database.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { openPool } from "../db/database.ts";
import { migrateService } from "../db/migrate.ts";
import { requestCode } from "../testing/checkout-forms.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { ServiceProgram } from "../testing/processes.ts";
import { openClient, type RemoteService } from "../testing/remote.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { waitUntilNoRow } from "../testing/until-none.ts";

const PHONE = "9811122233";
const BUYER = {
  phone: PHONE,
  email: "asmita.unmentioned@buyers.example",
  full_name: "Asmita Unmentioned",
  address: "Mangal Bazaar 9",
};
const LOGIN = { user: "desk", password: "mail-password-unmentioned" };
const SECRET = "gateway-secret-unmentioned";
const STEP = {
  kind: "on_day",
  time: "00:00",
  texts: [{ language: "en", subject: "A subject", text: "Wording {amount} {link} {stop}" }],
};
const JSON_TYPE = { "content-type": "application/json" };

/** A service with its worker that logs everything; `said` collects the lines. */
async function start() {
  const database = await createTestDatabase("service");
  onTestFinished(() => database.drop());
  await migrateService(database.url);
  const pool = openPool(database.url);
  onTestFinished(() => pool.end());
  const said: string[] = [];
  const metricsPort = await freePort();
  const environment = { SERVICE_LOG_LEVEL: "debug", SERVICE_METRICS_PORT: String(metricsPort) };
  const program = new ServiceProgram("service and worker", database.url, environment, (line) =>
    said.push(line),
  );
  onTestFinished(async () => void (await program.end()));
  await program.ready;
  const fleet = { urls: async () => [program.url], complaints: "" };
  const service = openClient(fleet, pool);
  return { service, pool, said, metricsPort };
}

async function openSeller(service: RemoteService, channel: string, setup: object) {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const ask = async (method: "POST" | "PATCH", path: string, payload: object) => {
    const url = `/account/v1/${path}`;
    const answer = await service.call(owner, { method, url, payload, headers: JSON_TYPE });
    assert.ok(answer.statusCode < 300, answer.body);
  };
  await ask("POST", `channels/${channel}/`, { version: null, per_minute: 6_000, ...setup });
  const schedule = { version: null, is_on: true, quiet_hours: null, most_a_week: null };
  await ask("PATCH", "reminders/schedule/", { ...schedule, steps: [STEP] });
  /** Has a reminder sent, by moving the sandbox's clock to the next billing date. */
  const remind = async () => {
    await service.pool.query(
      `update subscription set status = 'active', current_period_start = now(),
         next_billing_cycle = now() + interval '1 day',
         anchor_day = extract(day from now() + interval '1 day') where seller_id = $1`,
      [api.seller.seller_id],
    );
    const moved = await api.post("/sandbox/clock/advance/", { by: "P1D" });
    assert.equal(moved.statusCode, 200, moved.body);
  };
  return { api, ask, remind };
}

const post = (service: RemoteService, url: string, payload: string) =>
  service.call(null, {
    method: "POST",
    url,
    payload,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

it("logs and metrics contain no message text, phone number, mail address, code or secret", async () => {
  const { service, pool, said, metricsPort } = await start();
  const settle = () =>
    waitUntilNoRow(
      pool,
      "select 1 from message where state in ('queued', 'sending')",
      "messages have no end",
      () => delay(100),
    );
  const gateway = await Endpoint.listen();
  onTestFinished(() => gateway.close());
  const mail = await MailSimulator.listen(LOGIN);
  onTestFinished(() => mail.close());

  const settings = { url: gateway.url, auth: "bearer", secret: SECRET, successText: "" };
  const sms = await openSeller(service, "sms", { provider: "http_sms", settings });
  // A gateway that quotes what it refuses.
  const statuses = [429, 400, 200, 200];
  gateway.answer = (response) => {
    const { body = "" } = gateway.arrivals.at(-1) ?? {};
    response.writeHead(statuses.shift() ?? 200).end(`refused: ${body} ${SECRET}`);
  };
  const { subscription_id: id } = await sms.api.create(sms.api.periods.monthly, BUYER);
  const attempt = await requestCode(service, id);
  expect(attempt).not.toBe("");
  await settle();
  await sms.ask("POST", "channels/sms/test/", { to: PHONE });
  await settle();
  await sms.remind();
  await settle();
  const texts = gateway.arrivals.map(({ body }) => new URLSearchParams(body).get("text") ?? "");
  expect(texts.some((text) => text.startsWith("Wording"))).toBe(true);
  await post(service, "/message-reports/0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11", `to=${PHONE}`);

  const byMail = await openSeller(service, "email", {
    provider: "smtp",
    settings: {
      host: "127.0.0.1",
      port: String(mail.port),
      security: "none",
      from: "desk@phewa.example",
      ...LOGIN,
    },
  });
  mail.next("unknown_recipient");
  await byMail.ask("POST", "channels/email/test/", { to: BUYER.email });
  await settle();
  await byMail.api.create(byMail.api.periods.monthly, BUYER);
  await byMail.remind();
  await settle();
  const [{ raw } = { raw: "" }] = mail.taken;
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  const [, unsubscribe = ""] =
    /^List-Unsubscribe: <([^>]+)>\r?$/m.exec(raw.replace(/\r\n[ \t]/g, "")) ?? [];
  const page = new URL(unsubscribe).pathname;
  const optOuts = () =>
    pool.query("select from reminder_recipient where opted_out_at is not null");
  expect((await optOuts()).rowCount).toBe(0);
  // What a mail program sends for one click.
  expect((await post(service, page, "List-Unsubscribe=One-Click")).statusCode).toBe(200);
  expect((await optOuts()).rowCount).toBe(1);

  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('kind="reminder"');
  const all = `${said.join("\n")}\n${metrics}`;
  expect(all).toContain("/stop/:key");
  const hidden = [
    /98[\s-]?111[\s-]?222[\s-]?33/,
    "unmentioned",
    "Mangal",
    "Wording",
    "is your code",
    testCodeOf(attempt),
    page,
  ];
  for (const one of hidden) expect(all).not.toMatch(one);
}, 120_000);

import assert from "node:assert/strict";
import { onTestFinished } from "vitest";
import { ReminderSchedule } from "#contract/reminders.ts";
import { createMessageWorker } from "../messages/worker.ts";
import { planReminders } from "../reminders/planner.ts";
import { reminderWriter } from "../reminders/write.ts";
import { answerWith, Endpoint } from "./endpoint.ts";
import { SellerApi } from "./seller-api.ts";
import {
  TEST_SECRETS_KEY,
  withAccountToken,
  type TestRequest,
  type TestSeller,
  type TestService,
} from "./service.ts";

export const REMINDERS_URL = "/account/v1/reminders";

export const reminderText = (text: string, language = "en") => ({
  language,
  subject: "Payment for {product}",
  text,
});
export const reminderStep = (kind: string, changes: object = {}) => ({
  kind,
  time: "12:00",
  texts: [reminderText(`${kind}: {amount} {days} {link}`)],
  ...changes,
});

/** A seller with a gateway for SMS and a schedule that is on. */
export async function openReminders(
  service: TestService,
  steps: object[],
  changes: object = {},
) {
  const gateway = await Endpoint.listen();
  onTestFinished(() => gateway.close());
  gateway.answer = answerWith(200);
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const settings = { url: gateway.url, auth: "bearer", secret: "secret", successText: "" };
  const channel = { provider: "http_sms", settings, version: null, per_minute: 6_000 };
  const set = await askAccount(service, owner, "POST", "/account/v1/channels/sms/", channel);
  assert.equal(set.statusCode, 200, set.body);
  const saved = await askAccount(service, owner, "PATCH", `${REMINDERS_URL}/schedule/`, {
    version: null,
    is_on: true,
    steps,
    ...changes,
  });
  assert.equal(saved.statusCode, 200, saved.body);
  const schedule = ReminderSchedule.parse(saved.json());
  return { gateway, api, owner, schedule, stepId: schedule.steps[0]?.id ?? 0 };
}

export const askAccount = (
  service: TestService,
  owner: TestSeller,
  method: TestRequest["method"],
  url: string,
  payload?: object,
) => service.call(owner, { method: method ?? "GET", url, ...(payload && { payload }) });

/** What the workers do at a moment. @returns what reached the gateway, without codes */
export async function runReminderWork(
  service: TestService,
  gateway: Endpoint,
  moment?: string,
) {
  if (moment) service.clock.set(moment);
  // A channel rests for a moment after each message.
  else service.clock.advance(1_000);
  const before = gateway.arrivals.length;
  await planReminders(service.context);
  const worker = createMessageWorker({
    ...service.context,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 2_000,
    write: reminderWriter(service.context),
    onError: (error) => {
      throw error;
    },
  });
  await worker.sweep();
  await worker.sendDue();
  await worker.close();
  return gateway.arrivals
    .slice(before)
    .map(({ body }) => new URLSearchParams(body).get("text") ?? "")
    .filter((text) => !text.includes("is your code"));
}

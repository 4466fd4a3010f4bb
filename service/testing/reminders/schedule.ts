import assert from "node:assert/strict";
import { ReminderSchedule } from "#contract/reminders.ts";
import { createMessageWorker } from "../../messages/worker.ts";
import { planReminders } from "../../reminders/planner.ts";
import { reminderWriter } from "../../reminders/write.ts";
import type { NewSeller } from "../../sellers/store.ts";
import { answerWith, Endpoint } from "../endpoint.ts";
import { SellerApi } from "../seller-api.ts";
import {
  TEST_SECRETS_KEY,
  withAccountToken,
  type TestRequest,
  type TestSeller,
  type TestService,
} from "../service.ts";

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

/** A seller with a schedule that is on and a gateway for SMS, which the caller closes. */
export async function setUpReminders(
  service: TestService,
  steps: object[],
  changes: object = {},
  seller: Partial<NewSeller> = {},
) {
  const gateway = await Endpoint.listen();
  gateway.answer = answerWith(200);
  const api = await SellerApi.open(service, seller);
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

/**
 * Runs the workers at a moment.
 * @param between is done after the reminders are planned and before they are sent
 * @param context of the workers, default that of the service
 * @returns what reached the gateway, without codes
 */
export async function runReminderWork(
  service: TestService,
  gateway: Endpoint,
  moment?: string,
  {
    between = async () => {},
    context = service.context,
    onError = (error: unknown) => {
      throw error;
    },
  }: {
    between?: () => Promise<void>;
    context?: TestService["context"];
    onError?: (error: unknown) => void;
  } = {},
) {
  if (moment !== undefined) service.clock.set(moment);
  // A channel pauses for a moment after each message.
  else service.clock.advance(1_000);
  const before = gateway.arrivals.length;
  await planReminders(context).catch(onError);
  await between();
  const worker = createMessageWorker({
    ...context,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 15_000,
    write: reminderWriter(context),
    onError,
  });
  await worker.sweep().catch(onError);
  await worker.sendDue();
  await worker.close();
  return gateway.arrivals
    .slice(before)
    .map(({ body }) => new URLSearchParams(body).get("text") ?? "")
    .filter((text) => !text.includes("is your code"));
}

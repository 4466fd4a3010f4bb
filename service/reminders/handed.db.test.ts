import { expect, it } from "vitest";
import type { HandedMessage, HandOverMessage } from "#contract/messages.ts";
import type { OptOut, OptOutPage } from "#contract/reminders.ts";
import { fetchCheckoutPage, postForm } from "../testing/checkout-forms.ts";
import { askAccount, reminderStep, runReminderWork } from "../testing/reminders/schedule.ts";
import { openReminders } from "../testing/reminders/open.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

/** A schedule that is on, and what another program hands over at 09:45 in Kathmandu. */
async function open(changes: object = {}) {
  const opened = await openReminders(service, [reminderStep("on_day")], changes);
  service.clock.set("2026-04-10T04:00:00Z");
  const { gateway, owner } = opened;
  const ask = (method: "GET" | "POST", path: string, payload?: object) =>
    askAccount(service, owner, method, `/account/v1/${path}`, payload);
  const hand = async (message: Partial<HandOverMessage> = {}) => {
    const answer = await ask("POST", "messages/", {
      kind: "reminder",
      cause: "1:sub-1:2026-04-10",
      phone: "9800000001",
      language: "en",
      subject: "Renewal",
      text: "Pay NPR 500 here",
      expires_at: "2026-04-10T06:00:00Z",
      ...message,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<HandedMessage>();
  };
  const work = (moment?: string) => runReminderWork(service, gateway, moment);
  return { ...opened, ask, hand, work };
}

it("a reminder handed over by another program is sent once per cause, with a URL to stop reminders", async () => {
  const { hand, work } = await open();
  expect(await hand()).toMatchObject({ outcome: "queued", waiting: 1 });
  expect(await hand({ text: "again" })).toMatchObject({ outcome: "known", waiting: 1 });
  expect(await work()).toEqual([
    expect.stringMatching(/^Pay NPR 500 here\nNo more reminders: http.*\/stop\/\S{22}$/),
  ]);
  expect(await hand()).toMatchObject({ outcome: "known", message: { state: "accepted" } });
  expect(await work()).toEqual([]);
  await hand({ cause: "2", sms: "{stop} ends it" });
  expect(await work()).toEqual([expect.stringMatching(/\/stop\/\S{22} ends it$/)]);
});

it("a handed-over reminder that expired unsent can be handed over again with a new text", async () => {
  const { hand, work } = await open();
  await hand();
  expect(await work("2026-04-10T06:00:00Z")).toEqual([]);
  expect(await hand({ text: "later", expires_at: "2026-04-10T07:00:00Z" })).toMatchObject({
    outcome: "queued",
  });
  expect(await work()).toEqual([expect.stringMatching(/^later/)]);
});

it("a handed-over reminder that expired unsent stays listed if no channel reaches the buyer any more", async () => {
  const { hand, work, ask } = await open();
  await hand();
  expect(await work("2026-04-10T06:00:00Z")).toEqual([]);
  expect((await ask("POST", "channels/sms/remove/")).statusCode).toBe(200);
  expect(await hand({ expires_at: "2026-04-10T07:00:00Z" })).toMatchObject({
    outcome: "unreachable",
  });
  expect((await ask("GET", "messages/")).json()).toMatchObject({
    results: [{ subject: "Renewal", state: "expired" }],
  });
});

it("a handed-over reminder is not queued if reminders are off, at the weekly limit or without a channel", async () => {
  const { hand, owner, schedule } = await open({ most_a_week: 1 });
  expect(await hand({ phone: "", email: "a@buyers.example" })).toMatchObject({
    outcome: "unreachable",
  });
  expect(await hand()).toMatchObject({ outcome: "queued" });
  expect(await hand({ cause: "2", phone: "+977 980-0000001" })).toMatchObject({
    outcome: "limit",
    message: null,
  });
  expect(await hand({ cause: "2", phone: "9800000002" })).toMatchObject({ outcome: "queued" });
  const { version } = schedule;
  const off = { version, is_on: false };
  await askAccount(service, owner, "PATCH", "/account/v1/reminders/schedule/", off);
  expect(await hand({ cause: "3", phone: "9800000003" })).toMatchObject({ outcome: "off" });
});

it("an opt-out noted by a member stops queued and new reminders until the opt-out is removed", async () => {
  const { hand, ask, work } = await open();
  await hand();
  const phone = "+977 980-0000001";
  const noted = (
    await ask("POST", "reminders/opt-outs/", { phone, reason: "On the phone" })
  ).json<OptOut>();
  expect(noted).toMatchObject({ how: "member", reason: "On the phone" });
  expect(await work()).toEqual([]);
  expect(await hand({ cause: "2" })).toMatchObject({ outcome: "opted_out" });
  const find = async (...words: string[]) =>
    (await ask("POST", "reminders/opt-outs/find/", { words }))
      .json<OptOutPage>()
      .results.map(({ id }) => id);
  expect(await find("00977 9800000001")).toEqual([noted.id]);
  expect(await find("0000001")).toEqual([noted.id]);
  expect(await find("9800000002", "asha@buyers.example")).toEqual([]);
  await ask("POST", `reminders/opt-outs/${noted.id}/remove/`);
  expect(await find("9800000001")).toEqual([]);
  expect(await hand({ cause: "3" })).toMatchObject({ outcome: "queued" });
});

it("removing an opt-out also removes opt-outs with the same phone number or email address, but no unrelated opt-outs", async () => {
  const { hand, ask } = await open();
  const note = async (buyer: object) =>
    (await ask("POST", "reminders/opt-outs/", { ...buyer, reason: "Said so" })).json<OptOut>();
  const email = "asha@buyers.example";
  const byPhone = await note({ phone: "9800000001" });
  const byBoth = await note({ phone: "9800000001", email });
  const byMail = await note({ phone: "9800000002", email });
  const list = async () =>
    (await ask("GET", "reminders/opt-outs/")).json<OptOutPage>().results.map(({ id }) => id);
  const removed = await ask("POST", `reminders/opt-outs/${byPhone.id}/remove/`);
  expect(removed.json()).toEqual(byPhone);
  expect(await hand()).toMatchObject({ outcome: "queued" });
  expect(await list()).toEqual([byMail.id]);
  await note({ phone: "9800000001", email });
  await ask("POST", `reminders/opt-outs/${byBoth.id}/remove/`);
  expect(await list()).toEqual([]);
});

it("a buyer known only by email address can resume reminders without undoing another buyer's opt-out", async () => {
  const { ask } = await open();
  const opt = async (email: string) =>
    (await ask("POST", "reminders/opt-outs/", { email, reason: "By mail" })).json<OptOut>().id;
  const asha = await opt("asha@buyers.example");
  const binod = await opt("binod@buyers.example");
  const { rows } = await service.pool.query<{ key: string }>(
    "select key from reminder_recipient where recipient_id = any ($1) order by recipient_id",
    [[asha, binod]],
  );
  const [ofAsha = "", ofBinod = ""] = rows.map(({ key }) => `/stop/${key}`);
  const resumed = await postForm(service, ofAsha, { choice: "resume" });
  expect(resumed.status).toBe(200);
  expect((await fetchCheckoutPage(service, ofAsha)).body).toContain('value="stop"');
  expect((await fetchCheckoutPage(service, ofBinod)).body).toContain('value="resume"');
});

it("a handed-over reminder waits during quiet hours, and is sent when the quiet hours end", async () => {
  const { hand, work } = await open();
  await hand({ expires_at: "2026-04-11T12:00:00Z" });
  expect(await work("2026-04-10T16:00:00Z")).toEqual([]);
  expect(await work("2026-04-11T03:00:00Z")).toHaveLength(1);
});

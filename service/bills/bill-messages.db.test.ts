import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SentMessage, type MessagePage } from "#contract/messages.ts";
import { AccountBillPage, BillSettings } from "#contract/payments.ts";
import { DocumentContent } from "#contract/verification.ts";
import { MailSimulator } from "#tools/simulators/smtp-simulator.ts";
import { createMessageWorker } from "../messages/worker.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { billAttachment, queueBills } from "./send.ts";

const service = useTestService();
const LOGIN = { user: "desk", password: "mail-password" };
const BILLS = "/account/v1/bills/";
const EMAIL = "asha@buyers.example";

let api: SellerApi;
let owner: TestSeller;
beforeEach(async () => {
  api = await SellerApi.open(service);
  owner = await withAccountToken(service, api.seller);
});

const post = (url: string, payload: object = {}, by = owner) =>
  service.call(by, { method: "POST", url, payload });

/** A mail server to which the seller's messages go. */
async function mailing() {
  const mail = await MailSimulator.listen(LOGIN);
  onTestFinished(() => mail.close());
  const settings = {
    host: "127.0.0.1",
    port: String(mail.port),
    security: "none",
    from: "desk@phewa.example",
    ...LOGIN,
  };
  const saved = await post("/account/v1/channels/email/", {
    provider: "smtp",
    settings,
    version: null,
    per_minute: 6_000,
  });
  expect(saved.statusCode, saved.body).toBe(200);
  return mail;
}

async function listBills(by = owner) {
  const answer = await service.call(by, { url: BILLS });
  return AccountBillPage.parse(answer.json()).results;
}

async function pdfOf(id: string) {
  const answer = await service.call(owner, { url: `${BILLS}${id}/pdf/` });
  return DocumentContent.parse(answer.json());
}

async function sendDue({ most, pool = service.pool }: { most?: number; pool?: pg.Pool } = {}) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const worker = createMessageWorker({
    ...service.context,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 2_000,
    write: async () => null,
    attach: billAttachment({ ...service.context, pool, onError }, most),
    onError,
  });
  await worker.sendDue();
  await worker.close();
  return errors;
}

/** The PDFs in a mail, by name, in base64. */
const attachedTo = (raw: string) =>
  [
    ...raw.matchAll(/filename="?([^"\r\n]+\.pdf)"?(?:\r\n[^\r\n]+)*\r\n\r\n([\w+/=\r\n]+)/g),
  ].map(([, name, content = ""]) => ({ name, content: content.replaceAll(/\s/g, "") }));

const receipts = async () => {
  const answer = await service.call(owner, { url: "/account/v1/messages/?kind=receipt" });
  return answer.json<MessagePage>().results;
};

describe("a bill by mail", () => {
  it("has the account API's PDF of the bill as attachment, and a link to the bill in the text", async () => {
    const mail = await mailing();
    const settings = BillSettings.parse(
      (await service.call(owner, { url: `${BILLS}settings/` })).json(),
    );
    await service.call(owner, {
      method: "PATCH",
      url: `${BILLS}settings/`,
      payload: { version: settings.version, sends_bills: true },
    });
    const id = await api.createActive(api.periods.monthly, { email: EMAIL });
    while ((await queueBills(service.context)) > 0);
    expect(await sendDue()).toEqual([]);
    const [bill] = await listBills();
    const raw = mail.taken.map((each) => each.raw).find((text) => text.includes(".pdf"));
    const { name, content } = await pdfOf(bill?.id ?? "");
    const [attached, ...others] = attachedTo(raw ?? "");
    expect([attached?.name, attached?.content === content, others]).toEqual([name, true, []]);
    expect(raw?.replaceAll("=\r\n", "")).toContain(`/pay/${id}/bill/${bill?.id}`);
  });

  it("is sent with only a link if the PDF is too large or cannot be made", async () => {
    const mail = await mailing();
    await api.createActive(api.periods.monthly, { email: EMAIL });
    const [bill] = await listBills();
    await post(`${BILLS}${bill?.id}/send/`);
    expect(await sendDue({ most: 100 })).toEqual([]);
    const closed = new pg.Pool();
    await closed.end();
    await post(`${BILLS}${bill?.id}/send/`);
    service.clock.advance(5_000);
    expect(await sendDue({ pool: closed })).toHaveLength(1);
    const mails = mail.taken.filter(({ raw }) => raw.includes("/bill/"));
    expect(mails.map(({ raw }) => attachedTo(raw))).toEqual([[], []]);
    expect((await receipts()).map(({ state }) => state)).toEqual(["accepted", "accepted"]);
  });
});

describe("a bill sent by hand", () => {
  it("is sent again for each request, but only once for requests with the same Idempotency-Key", async () => {
    await mailing();
    const paid = await api.createActive(api.periods.monthly, { email: EMAIL });
    const [bill] = await listBills();
    const send = () => post(`${BILLS}${bill?.id}/send/`);
    const first = SentMessage.parse((await send()).json());
    expect(first).toMatchObject({
      kind: "receipt",
      channel: "email",
      to: EMAIL,
      subscription_id: paid,
      state: "queued",
    });
    const key = { "idempotency-key": "one-press" };
    const keyed = () =>
      service.call(owner, {
        method: "POST",
        url: `${BILLS}${bill?.id}/send/`,
        headers: key,
      });
    expect([(await keyed()).statusCode, (await keyed()).statusCode]).toEqual([201, 201]);
    expect(await receipts()).toHaveLength(2);
  });

  it("is refused if no channel reaches the buyer or if the bill is another seller's", async () => {
    await api.createActive();
    const [bill] = await listBills();
    const refused = await post(`${BILLS}${bill?.id}/send/`);
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { detail: "No channel reaches this buyer." },
    ]);
    const other = await SellerApi.open(service);
    const stranger = await withAccountToken(service, other.seller);
    for (const id of [bill?.id, "1", "d6061684-2f0e-4b3a-9c57-81e4a7d09b26"])
      expect((await post(`${BILLS}${id}/send/`, {}, stranger)).statusCode).toBe(404);
    expect(await receipts()).toEqual([]);
  });
});

import { expect, it, onTestFinished } from "vitest";
import { ChannelSetup, type MessagePage } from "#contract/messages.ts";
import { MailSimulator } from "#tools/simulators/smtp-simulator.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { createMessageWorker } from "./worker.ts";

const service = useTestService();
const LOGIN = { user: "desk", password: "mail-password" };

/** A seller who sends mail by the server, and `post`, which hands in a mail that came back. */
async function openMailing(mail: MailSimulator, bounceSecret: string) {
  const owner = await withAccountToken(service, (await SellerApi.open(service)).seller);
  const settings = {
    host: "127.0.0.1",
    port: String(mail.port),
    security: "none",
    from: "desk@phewa.example",
    bounceSecret,
    ...LOGIN,
  };
  const payload = { provider: "smtp", settings, version: null };
  const url = "/account/v1/channels/email/";
  const saved = await service.call(owner, { method: "POST", url, payload });
  const { report_url } = ChannelSetup.parse(saved.json());
  const post = async (id: string, action: string, secret = bounceSecret) => {
    const answer = await service.call(owner, {
      method: "POST",
      url: new URL(report_url).pathname,
      headers: { "content-type": "message/rfc822", authorization: `Bearer ${secret}` },
      payload: `Content-Type: multipart/report; boundary=cut

--cut
Content-Type: message/delivery-status

Original-Envelope-Id: ${id}

Final-Recipient: rfc822;asha@buyers.example
Action: ${action}
Status: 5.1.1

--cut--
`,
    });
    return answer.statusCode;
  };
  return { owner, post };
}

const listed = async (owner: TestSeller) => {
  const answer = await service.call(owner, { url: "/account/v1/messages/" });
  return answer.json<MessagePage>().results[0];
};

it("a bounced mail marks its message as failed only if it comes with the bounce secret of the message's channel", async () => {
  const mail = await MailSimulator.listen(LOGIN);
  onTestFinished(() => mail.close());
  const { owner, post } = await openMailing(mail, "bounce-secret-of-ours");
  const other = await openMailing(mail, "bounce-secret-of-others");
  const url = "/account/v1/channels/email/test/";
  const to = { to: "asha@buyers.example" };
  await service.call(owner, { method: "POST", url, payload: to });
  const worker = createMessageWorker({
    ...service.context,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 2_000,
    write: async () => null,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => worker.close());
  await worker.sendDue();
  const id = mail.taken[0]?.dsn.envid ?? "";
  expect(await listed(owner)).toMatchObject({ id, state: "accepted" });

  expect(await post(id, "failed", "bounce-secret-of-others")).toBe(404);
  expect(await other.post(id, "failed")).toBe(204);
  expect(await post(id, "delayed")).toBe(204);
  expect(await listed(owner)).toMatchObject({ state: "accepted", error_code: null });
  expect(await post(id, "failed")).toBe(204);
  expect(await listed(owner)).toMatchObject({ state: "failed", error_code: "5.1.1" });
});

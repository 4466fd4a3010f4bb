import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  MAIL_FAULTS,
  MailSimulator,
  type MailFault,
} from "#tools/simulators/smtp-simulator.ts";
import { createSelfSignedCertificate } from "../../testing/self-signed.ts";
import type { ChannelIo, OutgoingMessage, SendResult } from "./channel.ts";
import { smtp } from "./smtp.ts";

const ACCOUNT = { user: "desk", password: "mail-password-61f0" };
const MESSAGE: OutgoingMessage = {
  id: "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11",
  to: "asha@buyers.example",
  text: "Asha, your code is 482913.",
  subject: "Your code",
  kind: "reminder",
  template: null,
  unsubscribeUrl: null,
  reportUrl: null,
  validSeconds: null,
};

let server: MailSimulator;
beforeEach(async () => {
  server = await MailSimulator.listen(ACCOUNT);
});
afterEach(() => server.close());

const settings = (changed: Record<string, unknown> = {}) => ({
  host: "127.0.0.1",
  port: server.port,
  security: "none",
  ...ACCOUNT,
  from: "desk@phewa.example",
  fromName: "Phewa Yoga",
  ...changed,
});
const io = (changed: Partial<ChannelIo> = {}): ChannelIo => ({
  signal: new AbortController().signal,
  allowPrivate: true,
  ...changed,
});
const send = (message: Partial<OutgoingMessage> = {}, changed = {}, given = io()) =>
  smtp.send({ ...MESSAGE, ...message }, settings(changed), given);

const PRIVATE = ["asha", "Asha", "482913", "mail-password", "phewa.example"];
const expectClean = (said: unknown) => {
  for (const part of PRIVATE) expect(JSON.stringify(said)).not.toContain(part);
};

describe("a mail", () => {
  it("has the same Message-ID each time it is sent, and requests notices of failures and delays", async () => {
    const messageId = "<0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11@phewa.example>";
    expect(await send()).toEqual({ state: "accepted", reference: messageId });
    expect(await send()).toEqual({ state: "accepted", reference: messageId });
    expect(server.taken).toHaveLength(2);
    const [{ to, from, raw, dsn }] = server.taken as [(typeof server.taken)[0]];
    expect([to, from]).toEqual(["asha@buyers.example", "desk@phewa.example"]);
    expect(raw).toContain(`Message-ID: ${messageId}`);
    expect(raw).toContain("From: Phewa Yoga <desk@phewa.example>");
    expect(raw).toContain("Auto-Submitted: auto-generated");
    expect(raw).not.toContain("List-Unsubscribe");
    expect(dsn).toMatchObject({ ret: "HDRS", envid: MESSAGE.id });
    expect(String(dsn.notify)).toBe("FAILURE,DELAY");
  });

  it("has headers for one-click unsubscribing and replies, and the configured address for bounces", async () => {
    await send(
      { unsubscribeUrl: "https://pay.example/stop/k1" },
      { replyTo: "help@phewa.example", returnPath: "bounces@phewa.example" },
    );
    const [{ raw, from }] = server.taken as [(typeof server.taken)[0]];
    expect(raw).toContain("List-Unsubscribe: <https://pay.example/stop/k1>");
    expect(raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(raw).toContain("Reply-To: help@phewa.example");
    expect(from).toBe("bounces@phewa.example");
  });

  it("gets no additional header from line breaks in its subject, text or sender's name", async () => {
    const line = "x\r\nBcc: eve@evil.example\r\n\r\nhello";
    expect(await send({ subject: line, text: line, id: `1${line}` })).toMatchObject({
      state: "accepted",
    });
    const [{ raw, to }] = server.taken as [(typeof server.taken)[0]];
    expect(to).toBe("asha@buyers.example");
    expect(raw.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m);
    expect(await send({}, { fromName: line })).toMatchObject({ state: "failed" });
  });

  it.each([
    "asha@buyers.example, eve@evil.example",
    "asha@buyers.example\r\nRCPT TO:<eve@evil.example>",
    "<asha@buyers.example> SIZE=1",
    "Asha <asha@buyers.example>",
    "asha",
    "+9779812345678",
    "",
  ])("is not sent to the invalid address %j", async (to) => {
    expect(await send({ to })).toMatchObject({ state: "failed", about: "recipient" });
    expect(server.taken).toEqual([]);
  });

  it("has the service's message id in its reference even if it is sent to the sender's own domain", async () => {
    const result = await send({ to: "accounts@phewa.example" });
    expect(result).toMatchObject({ reference: expect.stringContaining(MESSAGE.id) });
  });

  it("can be sent to an address with a non-ASCII domain", async () => {
    expect(await send({ to: "asha@नेपाल.example" })).toMatchObject({ state: "accepted" });
    expect(server.taken[0]?.raw).toContain("To: asha@xn--l2bey1c2b.example");
  });
});

const EXPECTED: Record<MailFault, Partial<SendResult> & { about?: string }> = {
  closing: { state: "retry", afterSeconds: 300 },
  greylisted: { state: "retry", afterSeconds: 300, code: "451" },
  unknown_recipient: { state: "failed", about: "recipient", code: "550 5.1.1" },
  sender_refused: { state: "failed", about: "credentials" },
  login_refused: { state: "failed", about: "credentials" },
  login_needed: { state: "failed", about: "credentials", code: "530 5.7.0" },
  login_later: { state: "retry", code: "454" },
  content_refused: { state: "failed", about: "message" },
  data_later: { state: "retry", afterSeconds: 300 },
  hang_before: { state: "retry" },
  hang_after: { state: "unknown" },
  close_after: { state: "unknown" },
};

describe("a mail server", () => {
  it.each(Object.keys(MAIL_FAULTS) as MailFault[])(
    "with the fault %s gets the mail again only if it certainly has not accepted the mail",
    async (fault) => {
      server.next(fault);
      const stop = new AbortController();
      if (fault.startsWith("hang")) void server.arrival().then(() => stop.abort());
      const result = await send({}, {}, io({ signal: stop.signal }));
      expect(result).toMatchObject(EXPECTED[fault]);
      expect(server.taken).toHaveLength(MAIL_FAULTS[fault].takes ? 1 : 0);
      expectClean(result);
    },
  );

  it("that cannot be reached, or is not contacted before the program stops, gets the mail later", async () => {
    expect(await send({}, { port: 1 })).toMatchObject({ state: "retry", code: "not_reached" });
    const stopped = await send({}, {}, io({ signal: AbortSignal.abort() }));
    expect(stopped).toMatchObject({ state: "retry" });
    expect(server.taken).toEqual([]);
  });

  it("gets no unencrypted mail in live mode or if the settings require TLS", async () => {
    for (const security of ["starttls", "tls"]) {
      const result = await send({}, { security });
      expect(result.state).not.toBe("accepted");
      expectClean(result);
    }
    const live = io({ allowPrivate: false });
    const plain = await send({}, { port: 587, security: "none" }, live);
    expect(plain).toMatchObject({ text: expect.stringContaining("encrypted") });
    const odd = await send({}, { port: 8025, security: "tls" }, live);
    expect(odd).toMatchObject({ text: expect.stringContaining("ports") });
    expect(server.taken).toEqual([]);
  });

  it("with an untrusted certificate gets no mail", async () => {
    const { key, cert } = createSelfSignedCertificate("mail.example");
    const secured = await MailSimulator.listen({ ...ACCOUNT, certificate: { key, cert } });
    const result = await send({}, { port: secured.port, security: "starttls" });
    expect(result).toMatchObject({ state: "retry" });
    expect(secured.taken).toEqual([]);
    await secured.close();
  });

  it("in a private network gets no connection in live mode, by IP address or host name", async () => {
    const live = io({
      allowPrivate: false,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    for (const host of ["127.0.0.1", "169.254.169.254", "mail.example", "::1"])
      expect(await send({}, { host, port: 587, security: "starttls" }, live)).toEqual({
        state: "failed",
        code: "address_refused",
        text: "The name leads to a private address: not connected.",
        about: "credentials",
      });
  });

  it("is checked without sending a mail", async () => {
    expect(await smtp.check(settings(), io())).toMatchObject({ ok: true });
    const wrong = await smtp.check(settings({ password: "wrong-password" }), io());
    expect(wrong).toMatchObject({ ok: false, text: expect.stringContaining("535") });
    expect(JSON.stringify(wrong)).not.toContain("wrong-password");
    expect(server.taken).toEqual([]);
  });
});

/**
 * A mail server that answers with the given lines, and closes after the last one or after a line
 * that is no SMTP reply.
 */
function startScripted(replies: string[]): Promise<{ port: number; server: Server }> {
  const scripted = createServer((socket: Socket) => {
    const rest = [...replies];
    const answer = () => {
      const next = rest.shift();
      if (next === undefined) socket.destroy();
      else if (/^\d{3} /.test(next)) socket.write(`${next}\r\n`);
      else socket.end(`${next}\r\n`);
    };
    let isData = false;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const text = chunk.toString();
      if (isData && !text.endsWith("\r\n.\r\n")) return;
      isData = text.startsWith("DATA");
      answer();
    });
    answer();
  });
  return new Promise((done) =>
    scripted.listen(0, "127.0.0.1", () =>
      done({ port: (scripted.address() as AddressInfo).port, server: scripted }),
    ),
  );
}

it("a mail that the server refuses at any step of the SMTP dialogue does not count as accepted", async () => {
  const GOOD = ["220 hello", "250 mail.example", "250 ok", "250 ok", "354 go on", "250 taken"];
  const code = fc.integer({ min: 200, max: 599 }).map(String);
  const reply = fc.oneof(
    fc.tuple(code, fc.string({ maxLength: 60 })).map(([digits, text]) => `${digits} ${text}`),
    fc.string({ maxLength: 60 }),
    code.map((digits) => `${digits}-and more`),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(GOOD.length - 1), reply, async (place, odd) => {
      const replies = GOOD.toSpliced(place, 1, odd.replaceAll(/[\r\n]/g, ""));
      const { port, server: scripted } = await startScripted(replies);
      const result = await send({}, { port, user: undefined, password: undefined });
      if (place === GOOD.length - 1 && result.state === "accepted") expect(odd).toMatch(/^2/);
      if (/^[45]\d\d /.test(odd)) expect(["retry", "failed"]).toContain(result.state);
      if (result.state !== "accepted") expectClean(result);
      scripted.close();
    }),
    { numRuns: 150 },
  );
}, 60_000);

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smtp } from "./smtp.ts";

const ID = "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11";
const SECRET = "bounce-secret-7d20";
const SETTINGS = { host: "mail.example", from: "desk@phewa.example", bounceSecret: SECRET };

const read = (
  mail: string,
  { authorization = `Bearer ${SECRET}`, settings = SETTINGS as Record<string, unknown> } = {},
) =>
  smtp.readReports?.(
    {
      method: "POST",
      url: "https://pay.example/message-reports/k1",
      headers: { authorization, "content-type": "message/rfc822" },
      rawBody: Buffer.from(mail),
    },
    settings,
  );

interface Notification {
  type?: string;
  about?: string;
  recipient?: string;
  returned?: string;
}

/** A notification as mail servers write it; RFC 3464 has such an example. */
const notification = ({
  type = `multipart/report; report-type=delivery-status;\r\n\tboundary="RAA14128.773615765/mail.example"`,
  about = `Original-Envelope-Id: ${ID}`,
  recipient = "Action: failed\r\nStatus: 5.1.1 (no such mailbox)",
  returned = `Message-ID: <${ID}@phewa.example>\r\nTo: asha@buyers.example`,
}: Notification = {}) =>
  `Return-Path: <>
From: Mail Delivery Subsystem <MAILER-DAEMON@mail.example>
Message-Id: <199407072116.RAA14128@mail.example>
MIME-Version: 1.0
Content-Type: ${type}

--RAA14128.773615765/mail.example
Content-Type: text/plain

The original message was received at Sat, 2 Jul 1994 17:10:28 -0400

--RAA14128.773615765/mail.example
content-type: message/delivery-status

Reporting-MTA: dns; mail.example
${about}

Original-Recipient: rfc822;asha@buyers.example
Final-Recipient: rfc822;asha@buyers.example
${recipient}
Diagnostic-Code: smtp; 550 5.1.1 <asha@buyers.example>... User unknown

--RAA14128.773615765/mail.example
Content-Type: text/rfc822-headers

${returned}

--RAA14128.773615765/mail.example--
`.replaceAll(/\r?\n/g, "\r\n");

const FAILED = {
  reference: `<${ID}@phewa.example>`,
  messageId: ID,
  state: "failed",
  code: "5.1.1",
  at: null,
};

describe("a bounced mail", () => {
  it.each<[string, Notification]>([
    ["by the ids of its envelope and of the mail", {}],
    ["by the mail's id alone", { about: "Arrival-Date: Sat, 2 Jul 1994 17:10:28 -0400" }],
    [
      "for one of several recipients",
      { recipient: "Action: relayed\n\nAction: Failed\nStatus: 5.1.1" },
    ],
  ])("marks its message as failed: %s", (_, changed) => {
    expect(read(notification(changed))).toEqual({ reports: [FAILED] });
  });

  it("marks its message as failed with the envelope's id only and without a status code", () => {
    expect(read(notification({ returned: "", recipient: "Action: failed" }))).toEqual({
      reports: [{ ...FAILED, reference: `<${ID}>`, code: null }],
    });
  });

  it.each<[string, string]>([
    ["a notice of a delay", notification({ recipient: "Action: delayed\nStatus: 4.4.1" })],
    ["a notice of a delivery", notification({ recipient: "Action: delivered\nStatus: 2.0.0" })],
    [
      "a notice about another sender's mail",
      notification({
        about: "Original-Envelope-Id: QQ314159",
        returned: "Message-ID: <a@b.example>",
      }),
    ],
    ["a notice without an id", notification({ about: "X-A: b", returned: "" })],
    ["an ordinary mail", "From: asha@buyers.example\r\n\r\nIs my milk coming?"],
    [
      "an ordinary mail that quotes a notice",
      notification({ type: `multipart/mixed; boundary="RAA14128.773615765/mail.example"` }),
    ],
    ["a report without parts", notification({ type: "multipart/report" })],
    ["empty", ""],
  ])("marks no message as failed if the mail is %s", (_, mail) => {
    expect(read(mail)).toEqual({ reports: [] });
  });

  it.each(["", "Bearer ", "Bearer other", `Basic ${SECRET}`, SECRET])(
    "is refused with the credentials %j",
    (authorization) => {
      expect(read(notification(), { authorization })).toBeNull();
    },
  );

  it("is refused while the channel has no bounce secret", () => {
    const settings = { ...SETTINGS, bounceSecret: undefined };
    for (const authorization of ["", "Bearer ", "Bearer undefined", `Bearer ${SECRET}`])
      expect(read(notification(), { authorization, settings })).toBeNull();
  });

  it("with random changes is still read, and only ids and a status code are taken from the mail", () => {
    const mail = notification();
    fc.assert(
      fc.property(
        fc.nat(mail.length),
        fc.nat(200),
        fc.string({ unit: "binary-ascii", maxLength: 60 }),
        (at, length, put) => {
          const result = read(mail.slice(0, at) + put + mail.slice(at + length));
          for (const { reference, messageId, code } of result?.reports ?? []) {
            expect(reference).toMatch(/^<[\da-f-]{36}(@[^\s<>]+)?>$/);
            expect(messageId).toMatch(/^[\da-f-]{36}$/);
            expect(code ?? "5.0.0").toMatch(/^[45]\.\d{1,3}\.\d{1,3}$/);
          }
          expect(result?.reports).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

import { createHmac, randomBytes } from "node:crypto";
import { formIn, type GatewayProtocol, type SimulatedAnswer } from "./gateway-simulator.ts";

interface TwilioAccount {
  accountSid: string;
  authToken: string;
}

/** Numbers that Twilio's own test credentials refuse. */
const MAGIC: Record<string, [number, string]> = {
  "+15005550001": [21211, "is not a valid phone number"],
  "+15005550002": [21612, "cannot be routed to"],
  "+15005550003": [21408, "is in a region without permission"],
  "+15005550004": [21610, "has unsubscribed"],
  "+15005550009": [21614, "is not a mobile number"],
};

const error = (code: number, message: string, status = 400): SimulatedAnswer => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

/** Twilio Messages, as https://www.twilio.com/docs/messaging/api/message-resource describes it. */
export function twilioProtocol({ accountSid, authToken }: TwilioAccount): GatewayProtocol {
  const account = `/2010-04-01/Accounts/${accountSid}`;
  const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  return {
    answer: (request) => {
      const { method, path, headers } = request;
      if (headers.authorization !== basic) return error(20003, "Authenticate", 401);
      if (method === "GET" && path === `${account}/Balance.json`)
        return {
          status: 200,
          body: { account_sid: accountSid, balance: "12.30", currency: "USD" },
        };
      if (path !== `${account}/Messages.json`)
        return error(20404, "The requested resource was not found", 404);
      const fields = method === "POST" ? formIn(request) : null;
      if (!fields) return error(20004, "Method not allowed", 405);
      const [to, body, callback] = ["To", "Body", "StatusCallback"].map(
        (name) => fields.get(name) ?? "",
      ) as [string, string, string];
      if (to === "") return error(21604, "A 'To' phone number is required.");
      if (!/^\+[1-9]\d{6,14}$/.test(to))
        return error(21211, `The 'To' number ${to} is not a valid phone number.`);
      if (!fields.get("From") && !fields.get("MessagingServiceSid"))
        return error(21603, "A 'From' phone number is required.");
      if (body === "") return error(21602, "Message body is required.");
      if (body.length > 1_600) return error(21617, "The message body exceeds 1600 characters.");
      if (callback !== "" && !URL.canParse(callback))
        return error(21609, "The 'StatusCallback' URL is not valid.");
      const [code, why] = MAGIC[to] ?? [];
      if (code) return error(code, `The 'To' number ${to} ${why}: ${body}`);
      const sid = `SM${randomBytes(16).toString("hex")}`;
      return {
        status: 201,
        body: { sid, status: "queued", to, body, error_code: null, error_message: null },
        taken: [
          {
            to,
            text: body,
            reference: sid,
            reportUrl: callback === "" ? null : callback,
            fields: Object.fromEntries(fields),
          },
        ],
      };
    },
    refusal: () => error(20003, "Authenticate", 401),
    errorIn200: (request) => ({
      status: 201,
      body: {
        sid: `SM${randomBytes(16).toString("hex")}`,
        status: "failed",
        error_code: 30005,
        error_message: `Unknown destination handset: ${request.body}`,
      },
    }),
    report: ({ reference, to, reportUrl }, state, code) => {
      const fields = {
        AccountSid: accountSid,
        ApiVersion: "2010-04-01",
        MessageSid: reference ?? "",
        MessageStatus: state,
        SmsSid: reference ?? "",
        SmsStatus: state,
        To: to,
        ...(code && { ErrorCode: code }),
      };
      const url = reportUrl ?? "";
      const signed = Object.entries(fields)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => name + value)
        .join("");
      const signature = createHmac("sha1", authToken)
        .update(url + signed)
        .digest("base64");
      return {
        url,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-twilio-signature": signature,
        },
        body: new URLSearchParams(fields).toString(),
      };
    },
  };
}

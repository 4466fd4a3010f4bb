import * as z from "zod";
import { secretText } from "../../outgoing/settings.ts";

const name = z.string().regex(/^[\w.[\]-]{1,80}$/);
const path = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/)
  .max(120);
const words = z.array(z.string().min(1).max(60)).max(60).default([]);

/** The settings of a gateway that the service does not know: how it is asked and understood. */
export const HttpSmsSettings = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .describe("The address that takes a message."),
    method: z.enum(["POST", "GET"]).default("POST").describe("The HTTP method of the request."),
    body: z
      .enum(["form", "json", "query"])
      .default("form")
      .describe("Where the fields go: a form, JSON, or the query of the address."),
    auth: z
      .enum(["none", "basic", "bearer", "header", "field"])
      .default("none")
      .describe("Where the request has the secret."),
    authName: z
      .string()
      .regex(/^[\w.-]{1,80}$/)
      .optional()
      .describe("The header or field that has the secret; with basic, the user."),
    secret: secretText().optional().describe("The gateway's key, token or password."),
    toField: name
      .default("to")
      .describe("The field for the phone number; dots separate nested JSON fields."),
    textField: name.default("text").describe("The field for the text."),
    senderField: name.optional().describe("The field for the sender."),
    sender: z.string().min(1).max(40).optional().describe("The sender."),
    constants: z
      .record(name, z.string().max(200))
      .default({})
      .describe("Further fields, the same in every message."),
    reportUrlField: name
      .optional()
      .describe("The field for the address to which the gateway sends delivery reports."),
    numberForm: z
      .enum(["e164", "digits", "national"])
      .default("e164")
      .describe("+9779812345678, 9779812345678, or the number without its country code."),
    countryCode: z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .default("977")
      .describe(
        "The country code of numbers that have none; such numbers reach no other country.",
      ),
    successStatus: z
      .array(z.int().min(200).max(299))
      .min(1)
      .max(20)
      .default([200, 201, 202])
      .describe("The HTTP statuses of an answer that may accept a message."),
    successPath: path
      .optional()
      .describe("Where the answer's JSON says that the message was accepted."),
    successValues: words.describe("The values there that mean: accepted. Empty for any value."),
    successText: z
      .string()
      .min(1)
      .max(80)
      .optional()
      .describe("How an answer that is not JSON begins if the message was accepted."),
    referencePath: path.optional().describe("Where the answer's JSON has the message's id."),
    errorCodePath: path.optional().describe("Where the answer's JSON has the error's code."),
    errorTextPath: path.optional().describe("Where the answer's JSON explains the error."),
    recipientCodes: words.describe("Error codes: this recipient cannot be reached."),
    messageCodes: words.describe("Error codes: the message is refused for good."),
    accountCodes: words.describe(
      "Error codes: the account, its credit or its key is the problem.",
    ),
    laterCodes: words.describe(
      "Error codes: the message was not sent, and is tried again later.",
    ),
    timeoutSeconds: z.int().min(1).max(60).default(20).describe("How long an answer may take."),
    balanceUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .describe("The address that returns the remaining credit; used only by “Check”."),
    balancePath: path.optional().describe("Where that address's JSON answer has the credit."),
    reportReferenceField: path.optional().describe("Where a delivery report has the id."),
    reportStateField: path.optional().describe("Where a delivery report has the state."),
    reportCodeField: path.optional().describe("Where a delivery report has the error's code."),
    deliveredWords: words.describe("States that mean: delivered."),
    failedWords: words.describe("States that mean: not delivered, and never will be."),
    reportProof: z
      .enum(["token", "hmac_sha256"])
      .default("token")
      .describe(
        "Reports are proved by a token in their address, or by a signature over their body.",
      ),
    reportSignatureHeader: z
      .string()
      .regex(/^[\w-]{1,80}$/)
      .optional()
      .describe("The header that has the signature, in hexadecimal or base64."),
    reportSecret: secretText()
      .optional()
      .describe("The token, or the key of the signature; without it every report is refused."),
  })
  .refine(({ auth, secret }) => auth === "none" || secret !== undefined, {
    error: "The secret is missing.",
    path: ["secret"],
  })
  .refine(({ auth, authName }) => ["none", "bearer"].includes(auth) || authName !== undefined, {
    error: "Name the header, the field or the user.",
    path: ["authName"],
  })
  .refine(({ method, body }) => method === "POST" || body === "query", {
    error: "GET has its fields in the query.",
    path: ["body"],
  })
  .refine(({ successPath, successValues }) => successPath || successValues.length === 0, {
    error: "Say where the values are found.",
    path: ["successPath"],
  });
export type HttpSmsSettings = z.infer<typeof HttpSmsSettings>;

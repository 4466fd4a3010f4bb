import { createHmac } from "node:crypto";
import * as z from "zod";
import { readAmount } from "#contract/amount.ts";
import { secretText } from "../outgoing/settings.ts";
import {
  timeLimits,
  environmentSetting,
  faultOf,
  idOf,
  paidInRupees,
  wordOf,
  type ProviderAnswer,
} from "./define-provider.ts";
import { ProviderFault, type InquiryAnswer, type ProviderCharge } from "./provider.ts";
import { isOver, shortReference } from "./reference.ts";

/** The settings of every Fonepay account, for both ways to pay. */
export const fonepayAccount = {
  ...environmentSetting,
  merchantCode: z
    .string()
    .regex(/^[\w-]{3,20}$/)
    .describe("The merchant code (PID) from the acquiring bank."),
  secretKey: secretText().describe("The secret key that signs each request."),
  username: secretText(100).describe("The user name for requests about payments."),
  password: secretText(200).describe("The password for requests about payments."),
  sessionMinutes: z
    .int()
    .min(5)
    .max(1_440)
    .default(30)
    .describe("Minutes before which “failed” is not taken as final."),
  bookedAmount: z
    .enum(["total", "requested"])
    .default("total")
    .describe("The amount that counts if the buyer paid a different one than was asked."),
  portal: z
    .string()
    .max(100)
    .default("the bank that acquires for Fonepay")
    .describe("Where refunds are made by hand."),
  ...timeLimits,
};
type FonepayAccount = z.infer<z.ZodObject<typeof fonepayAccount>>;

/** Fonepay's signature: HMAC-SHA512 in hex over the values, joined by commas. */
export const fonepaySignature = (secretKey: string, values: readonly string[]): string =>
  createHmac("sha512", secretKey).update(values.join(",")).digest("hex");

export const fonepayReference = (charge_id: string) => shortReference(charge_id, 25);

/** Throws if the answer finds fault with the account rather than with the payment. */
export function refuseCredentials({ body }: ProviderAnswer): void {
  const isAboutAccount = /merchant|user ?name|password|credential|data ?validation/i;
  if (body.errorCode !== undefined && isAboutAccount.test(String(body.message)))
    throw new ProviderFault("credentials", "Fonepay does not accept the account.");
}

/** Reads an answer about a payment; its fields are the same for the page and the QR code. */
export function readFonepay(
  said: ProviderAnswer,
  charge: ProviderCharge,
  settings: FonepayAccount,
): InquiryAnswer {
  const { body, answer } = said;
  refuseCredentials(said);
  const isOpen = !isOver(charge.begun_at, settings.sessionMinutes);
  if (isUnseen(said)) return { state: isOpen ? "pending" : "left" };
  const isAbout =
    body.prn === fonepayReference(charge.charge_id) &&
    (body.merchantCode === undefined || body.merchantCode === settings.merchantCode);
  if (typeof body.paymentStatus !== "string" || !isAbout) throw faultOf(answer);
  switch (body.paymentStatus.toLowerCase()) {
    case "success":
      return paidInRupees(
        "success",
        amountOf(body, charge, settings),
        idOf(body.fonepayTraceId),
      );
    case "pending":
    case "timeout":
      return { state: "pending" };
    // Fonepay's own example of a payment that is under way says failed.
    case "failed":
      return isOpen ? { state: "pending" } : { state: "failed", reason: "declined" };
    default:
      return { state: "held", word: wordOf(body.paymentStatus) };
  }
}

/** Whether Fonepay does not know the payment, for example because the buyer has not opened it yet. */
export const isUnseen = ({ answer, body }: ProviderAnswer): boolean =>
  (answer.kind === "answered" && answer.status === 404 && body.message !== undefined) ||
  (typeof body.message === "string" && /not found/i.test(body.message));

/** The answer of the QR code names no amount in version 1.1: then it is what the code asked for. */
function amountOf(
  { requestedAmount, totalTransactionAmount }: Record<string, unknown>,
  charge: ProviderCharge,
  { bookedAmount }: FonepayAccount,
): string | null {
  const total = totalTransactionAmount ?? requestedAmount;
  const written = bookedAmount === "total" ? total : (requestedAmount ?? total);
  return written === undefined || written === null ? charge.amount : readAmount(written);
}

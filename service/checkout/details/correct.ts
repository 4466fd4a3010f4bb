import { randomUUID } from "node:crypto";
import { FIELD_MESSAGES, type FieldProblem } from "#contract/field-messages.ts";
import type { DetailChange } from "#contract/customers.ts";
import { CORRECTED_FIELDS, type CorrectedField } from "#contract/names.ts";
import { CreateSubscription } from "#contract/subscriptions.ts";
import { transaction } from "../../db/database.ts";
import type { SubscriptionRow } from "../../subscriptions/store.ts";
import {
  afterWrongCode,
  codeIdOf,
  isCodeOf,
  isCodeOpen,
  isJustSent,
  sendCode,
} from "../codes.ts";
import { isCorrectable, lockCheckout } from "../open.ts";
import type { PaymentContext } from "../provider.ts";
import type { PageReader } from "../reader.ts";
import {
  causeOf,
  countWrongCode,
  insertCorrection,
  lockBuyerOf,
  selectCorrection,
  wasSentByMail,
  writeCorrection,
} from "./store.ts";

type Started = { id: string } | { problem: "settled" | "no_channel" | "too_many" | "too_soon" };

/** Sends a code with which the details can be corrected. */
export async function startCorrection(
  { pool, now, mode }: PaymentContext,
  subscriptionId: string,
  { page, reader }: { page: string | undefined; reader: PageReader },
): Promise<Started> {
  return transaction(pool, async (database) => {
    const checkout = await lockCheckout(database, subscriptionId, now());
    if (!isCorrectable(checkout)) return { problem: "settled" };
    const moment = now();
    const own = page === undefined ? null : codeIdOf(subscriptionId, page);
    const before = own && (await selectCorrection(database, subscriptionId, own));
    if (before && isCodeOpen(before, moment) && isJustSent(before, moment))
      return { id: before.correction_id };
    const id = own && !before ? own : randomUUID();
    const { texts, digits, language } = reader;
    const sent = await sendCode(database, mode, checkout, {
      id,
      cause: causeOf(id),
      moment,
      language,
      write: (code) => ({
        subject: texts.codeSubject(checkout.seller.name),
        body: texts.correct.codeMessage(digits(code), checkout.seller.name),
      }),
    });
    if ("problem" in sent) return sent;
    await insertCorrection(database, checkout.subscription, {
      correction_id: id,
      created_at: moment,
      ...sent,
    });
    return { id };
  });
}

/** The buyer's input; empty fields stay as they are. */
export type TypedDetails = Record<CorrectedField, string>;
type TypedProblem = FieldProblem | "too_long";
export type DetailProblems = Partial<Record<CorrectedField, TypedProblem | "proves">>;

const FIELDS = CreateSubscription.shape.client.shape;

/** What is wrong with the fields, by field; null if all are right. */
export function detailProblemsOf<Field extends CorrectedField | "phone">(
  fields: readonly Field[],
  typed: Record<Field, string>,
): Partial<Record<Field, TypedProblem>> | null {
  const problems: Partial<Record<Field, TypedProblem>> = {};
  for (const field of fields) {
    const problem = problemOf(field, typed[field]);
    if (problem !== null) problems[field] = problem;
  }
  return Object.keys(problems).length > 0 ? problems : null;
}

function problemOf(field: CorrectedField | "phone", text: string): TypedProblem | null {
  const parsed = FIELDS[field].safeParse(text);
  if (parsed.success) return null;
  const message = parsed.error.issues[0]?.message;
  const known = Object.entries(FIELD_MESSAGES).find(([, each]) => each === message);
  return known ? (known[0] as FieldProblem) : "too_long";
}

export type CorrectOutcome =
  | { outcome: "corrected" | "settled" | "expired" | "nothing" | "wrong_code" }
  | { outcome: "problems"; problems: DetailProblems };

/**
 * Corrects the details if the code is right. Fields are checked first, so that a mistake in one
 * costs no try of the code.
 */
export async function submitCorrection(
  { pool, now }: PaymentContext,
  subscriptionId: string,
  { id, code, typed }: { id: string; code: string; typed: TypedDetails },
): Promise<CorrectOutcome> {
  const given = CORRECTED_FIELDS.filter((field) => typed[field] !== "");
  if (given.length === 0) return { outcome: "nothing" };
  const problems = detailProblemsOf(given, typed);
  if (problems) return { outcome: "problems", problems };
  return transaction(pool, async (database): Promise<CorrectOutcome> => {
    await lockBuyerOf(database, subscriptionId);
    const checkout = await lockCheckout(database, subscriptionId, now());
    const { subscription } = checkout;
    if (!isCorrectable(checkout)) return { outcome: "settled" };
    const correction = await selectCorrection(database, subscriptionId, id);
    // The form was sent twice.
    if (correction?.state === "done") return { outcome: "corrected" };
    if (!correction || !isCodeOpen(correction, now())) return { outcome: "expired" };
    if (!isCodeOf(id, correction, code)) {
      const changes = afterWrongCode(correction);
      await countWrongCode(database, correction, changes);
      return { outcome: changes.state === "open" ? "wrong_code" : "expired" };
    }
    // ADR 0060: a code that was sent by mail cannot change the mail address.
    if (typed.email !== "" && (await wasSentByMail(database, subscription, correction)))
      return { outcome: "problems", problems: { email: "proves" } };
    const changes = changesOf(subscription, given, typed);
    await writeCorrection(database, subscription, correction, { changes, at: checkout.now });
    return { outcome: "corrected" };
  });
}

const changesOf = (
  subscription: SubscriptionRow,
  given: readonly CorrectedField[],
  typed: TypedDetails,
): DetailChange[] =>
  given
    .map((field) => ({
      field,
      before: subscription[field],
      after: FIELDS[field].parse(typed[field]),
    }))
    .filter(({ before, after }) => before !== after);

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../seed/random.ts";
import { BrokenConnection } from "../remote.ts";
import type { TestResponse } from "../service.ts";
import type { Ledger } from "./ledger.ts";

type Send = (headers: Record<string, string>) => Promise<TestResponse>;

/**
 * Sends a write once, or with an Idempotency-Key until it is answered; null if the result is unknown.
 */
export async function writeRepeatedly(
  ledger: Ledger,
  random: Random,
  send: Send,
): Promise<TestResponse | null> {
  const answer = random.chance(0.5)
    ? await sendKeyed(ledger, random, send)
    : await sendOnce(send);
  if (answer === null) ledger.unknown += 1;
  else if (answer.statusCode < 300) ledger.acknowledged += 1;
  return answer;
}

async function sendOnce(send: Send): Promise<TestResponse | null> {
  try {
    return await send({});
  } catch (error) {
    if (error instanceof BrokenConnection) return null;
    throw error;
  }
}

async function sendKeyed(ledger: Ledger, random: Random, send: Send): Promise<TestResponse> {
  const key = { "idempotency-key": randomUUID() };
  const answer = await untilAnswered(ledger, () => send(key));
  if (!random.chance(0.3)) return answer;
  const again = await untilAnswered(ledger, () => send(key));
  assert.equal(
    again.headers["idempotent-replayed"],
    "true",
    `a key was worked off twice: ${told(answer)}, then ${told(again)}`,
  );
  assert.equal(again.body, answer.body, "the same key got another answer");
  return answer;
}

const told = ({ statusCode, body }: TestResponse) => `${statusCode} ${body}`;

const MOST_TRIES = 1_000;

async function untilAnswered(
  ledger: Ledger,
  send: () => Promise<TestResponse>,
): Promise<TestResponse> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await sendOnce(send);
    if (answer === null) ledger.repeated += 1;
    // The database has not yet noticed that the process that held the key is gone; or an error
    // rolled the work back, so the key is still unused.
    else if (answer.statusCode === 409 || answer.statusCode >= 500) await delay(20);
    else return answer;
  }
  throw new Error("an Idempotency-Key is still answered with 409 or 5xx after all tries");
}

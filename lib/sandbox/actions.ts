"use server";

import * as z from "zod";
import { CHECKOUT_METHODS, PAYMENT_OUTCOMES } from "#contract/names.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { checkEndpoints } from "#lib/billing/receiver-endpoints.ts";
import { database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { summarizeChanges } from "./rules.ts";
import { SandboxClient } from "#lib/billing/sandbox-client.ts";

const Nothing = z.object({});

/** The client of the sandbox; live mode has none. */
function sandboxOf({ billing, scope }: SignedIn) {
  if (scope.mode !== "test") throw new AppError({ kind: "not_found" });
  return new SandboxClient(billing);
}

/**
 * Moves the clock to an absolute time, so that a repeated call is harmless. With null, makes what is
 * overdue happen, or moves to the next change.
 */
export const moveClockAction = sellerAction({
  name: "sandbox.move-clock",
  permission: "sandbox:write",
  input: z.object({ to: z.iso.datetime(message("sandbox.chooseMoment")).nullable() }),
  run: async (signedIn, { to }, note) => {
    const sandbox = sandboxOf(signedIn);
    note.detail = { to };
    const span = await (to === null ? sandbox.jumpToNext() : sandbox.advanceClock({ to }));
    note.detail = { to: span.to, changes: span.count };
    return { ...summarizeChanges(span), undo: span.undo };
  },
});

export const setClockRightAction = sellerAction({
  name: "sandbox.set-clock-right",
  permission: "sandbox:write",
  input: Nothing,
  run: async (signedIn) => {
    const { undo, ...clock } = await sandboxOf(signedIn).setClockRight();
    return { clock, undo };
  },
});

export const startScenarioAction = sellerAction({
  name: "sandbox.start-scenario",
  permission: "sandbox:write",
  // Not limited to the contract's list: another service may have other scenarios.
  input: z.object({
    name: z.string().regex(/^[\w-]{1,100}$/, message("sandbox.chooseScenario")),
  }),
  run: async (signedIn, { name }, note) => {
    note.detail = { scenario: name };
    return sandboxOf(signedIn).startScenario(name);
  },
});

export const resetSandboxAction = sellerAction({
  name: "sandbox.reset",
  permission: "sandbox:write",
  input: Nothing,
  run: async (signedIn) => sandboxOf(signedIn).reset(),
});

export const saveStateAction = sellerAction({
  name: "sandbox.save-state",
  permission: "sandbox:write",
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1, message("sandbox.nameState"))
      .max(80, message("sandbox.nameState")),
  }),
  run: async (signedIn, { name }, note) => {
    note.detail = { name };
    return sandboxOf(signedIn).saveState(name);
  },
});

const StateId = z.object({ id: z.int().positive() });

export const restoreStateAction = sellerAction({
  name: "sandbox.restore-state",
  permission: "sandbox:write",
  input: StateId,
  run: async (signedIn, { id }, note) => {
    note.detail = { state: id };
    const restored = await sandboxOf(signedIn).restoreState(id);
    // An older state may lack Duebook's endpoint.
    const has_receiver = await checkEndpoints(database(), signedIn.owner, signedIn.billing);
    return { ...restored, has_receiver };
  },
});

export const deleteStateAction = sellerAction({
  name: "sandbox.delete-state",
  permission: "sandbox:write",
  input: StateId,
  run: async (signedIn, { id }, note) => {
    note.detail = { state: id };
    return sandboxOf(signedIn).deleteState(id);
  },
});

export const simulatePaymentAction = sellerAction({
  name: "sandbox.pay",
  permission: "sandbox:pay",
  input: z.object({
    subscription_id: z.string().max(100),
    outcome: z.enum(PAYMENT_OUTCOMES, message("sandbox.chooseOutcome")),
    method: z.enum(CHECKOUT_METHODS).default("wallet"),
  }),
  run: async (signedIn, { subscription_id, ...payment }, note) => {
    const sandbox = sandboxOf(signedIn);
    note.subscription_id = subscription_id;
    note.detail = { outcome: payment.outcome };
    const ended = await sandbox.simulatePayment(subscription_id, payment);
    note.detail = { outcome: payment.outcome, result: ended.result };
    return ended;
  },
});

"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { requireAccount } from "./data.ts";

const text = z.string().trim().max(1_000);
const given = text.transform((value) => (value === "" ? undefined : value));

/** Saves the given fields; an empty one is left out. */
export const changeVerificationAction = sellerAction({
  name: "verification.change",
  permission: "connection:write",
  input: z.object({
    version: z.uuid(),
    legal_name: given,
    pan: given,
    contact_name: given,
    contact_phone: given,
    contact_email: given,
    address: given,
  }),
  run: async ({ owner }, input) => (await requireAccount(owner)).changeVerification(input),
});

export const removeDocumentAction = sellerAction({
  name: "verification.remove-document",
  permission: "connection:write",
  input: z.object({ id: z.uuid() }),
  run: async ({ owner }, { id }) => (await requireAccount(owner)).removeDocument(id),
});

export const submitVerificationAction = sellerAction({
  name: "verification.submit",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner }) => (await requireAccount(owner)).submitVerification(),
});

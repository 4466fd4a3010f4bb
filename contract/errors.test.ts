import { expect, it } from "vitest";
import { readErrorMessages } from "./errors.ts";

it.each([
  ["a general error", { detail: "Not found." }, { detail: "Not found.", fields: {} }],
  ["an array", { pbp_id: ["Unknown."] }, { detail: null, fields: { pbp_id: ["Unknown."] } }],
  [
    "a string",
    { subscription_id: "Unknown." },
    { detail: null, fields: { subscription_id: ["Unknown."] } },
  ],
  [
    "nested objects",
    { client: { phone: ["Bad."], billing: { billing_email: ["Worse."] } } },
    {
      detail: null,
      fields: { "client.phone": ["Bad."], "client.billing.billing_email": ["Worse."] },
    },
  ],
  [
    "paths as text",
    { client: ["phone: Bad.", "billing.billing_email: Worse."] },
    {
      detail: null,
      fields: { "client.phone": ["Bad."], "client.billing.billing_email": ["Worse."] },
    },
  ],
  ["no field at all", { non_field_errors: ["A", "B"] }, { detail: "A B", fields: {} }],
  ["HTML", "<html>", { detail: null, fields: {} }],
  ["nothing", null, { detail: null, fields: {} }],
  ["a list", ["A", ["B"]], { detail: "A B", fields: {} }],
  ["an envelope", { error: { code: 7, message: "A" } }, { detail: "A", fields: {} }],
  [
    "fields in an envelope",
    { errors: { pbp_id: ["Unknown."] } },
    { detail: null, fields: { pbp_id: ["Unknown."] } },
  ],
  [
    "objects with places",
    { detail: [{ loc: ["body", "pbp_id"], msg: "Missing." }] },
    { detail: "Missing.", fields: {} },
  ],
  [
    "numbered values",
    { client: { address: { 0: "Too far." } } },
    { detail: null, fields: { "client.address": ["Too far."] } },
  ],
  ["numbers and nulls", { pbp_id: [7, null], detail: null }, { detail: null, fields: {} }],
])("error messages are read from an answer that contains %s", (_name, body, expected) => {
  expect(readErrorMessages(body)).toEqual(expected);
});

it("error messages that are nested too deeply are ignored", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(9_000)}"A"${"]".repeat(9_000)}`);
  expect(readErrorMessages({ pbp_id: deep })).toEqual({ detail: null, fields: {} });
});

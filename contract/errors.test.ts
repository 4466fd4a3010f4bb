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
  ["a list", [["a"]], { detail: null, fields: {} }],
])("reads %s", (_name, body, expected) => {
  expect(readErrorMessages(body)).toEqual(expected);
});

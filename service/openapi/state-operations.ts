import {
  IDEMPOTENCY_KEY,
  NOT_FOUND,
  NUMBER_ID,
  ok,
  VERIFIED,
  WRITES,
} from "./api-operations.ts";
import { json, jsonBody, type Operation } from "./operation.ts";

const tag = "Sandbox";

export const BUSY = {
  409: json(
    "Deliveries, or a request with this Idempotency-Key, are under way",
    "GeneralError",
    ["x-api-version"],
  ),
};

export const STATE_OPERATIONS: Operation[] = [
  {
    method: "get",
    path: "/sandbox/states/",
    tag,
    summary: "List saved states",
    description:
      "Newest first: those that were saved by hand, and those kept by themselves before the clock was moved, a scenario began, or another state was restored.",
    parameters: [],
    responses: { ...ok("StateList"), ...VERIFIED },
  },
  {
    method: "post",
    path: "/sandbox/states/",
    tag,
    summary: "Save the account's state",
    description:
      "Everything that belongs to it, and what its clock shows. Keys and the account's settings are no part of it.",
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("SaveState"),
    responses: { 201: json("Saved", "SavedState", ["x-api-version"]), ...WRITES },
  },
  {
    method: "post",
    path: "/sandbox/states/{id}/restore/",
    tag,
    summary: "Go back to a saved state",
    description:
      "At once and as a whole. What was delivered since is not taken back and stays in the list of deliveries; what was still to be delivered is not. Registrations keep their newest secret.",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    responses: { ...ok("Restored"), ...WRITES, ...NOT_FOUND, ...BUSY },
  },
  {
    method: "post",
    path: "/sandbox/states/{id}/delete/",
    tag,
    summary: "Delete a saved state",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    responses: { ...ok("Message"), ...WRITES, ...NOT_FOUND },
  },
];

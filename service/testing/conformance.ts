import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { ISSUED_KEY_HEADER } from "#contract/account.ts";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import type { Description } from "../openapi/document.ts";
import type { Operation } from "../openapi/operation.ts";

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Statuses that an unknown address may answer, described in the document's "info". */
const UNMATCHED = new Set([301, 400, 401, 403, 404, 405, 413, 415, 429]);

/** Returns a function that describes how an answer violates the document, or returns null. */
export function createConformanceChecker({ components }: Description) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "https://description.example/", components });
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://description.example/#/');
    const known = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
    validators.set(text, known);
    return known;
  };
  const generalError = validatorOf({ $ref: "#/components/schemas/GeneralError" });

  const complaintOf = (operation: Operation | null, answer: Answer): string | null => {
    if (!operation) {
      if (!UNMATCHED.has(answer.status)) return `status ${answer.status} of no operation`;
      return answer.body === "" || isValid(generalError, answer.body)
        ? null
        : "the refusal is no general error";
    }
    const expected = operation.responses[String(answer.status)];
    if (!expected) return `status ${answer.status} is not described`;
    const missing = Object.keys(expected.headers).find(
      (name) => !(name in answer.headers) && !isLeftOut(name, answer),
    );
    if (missing) return `status ${answer.status} lacks the header ${missing}`;
    const [type, content] = Object.entries(expected.content ?? {})[0] ?? [];
    if (!type || !content) return answer.body === "" ? null : "a body where none is described";
    if (!String(answer.headers["content-type"]).startsWith(type))
      return `status ${answer.status} is ${String(answer.headers["content-type"])}, not ${type}`;
    if (type !== "application/json") return null;
    const validate = validatorOf(content.schema);
    return isValid(validate, answer.body)
      ? null
      : `status ${answer.status}: ${ajv.errorsText(validate.errors)}`;
  };
  return Object.assign(complaintOf, { validatorOf });
}

/** Whether a secret is missing because this is a repeated answer: it is shown only once. */
const isLeftOut = (name: string, { headers }: Answer) =>
  [WEBHOOK_SECRET_HEADER, ISSUED_KEY_HEADER].includes(name) && "idempotent-replayed" in headers;

function isValid(validate: ValidateFunction, body: string): boolean {
  try {
    return validate(JSON.parse(body));
  } catch {
    return false;
  }
}

/** Returns a function that finds the operation that a request calls, or null. */
export function operationFinder(operations: Operation[]) {
  const patterns = operations.map((operation) => ({
    operation,
    // Fixed paths come before parameters, as in the router.
    isFixed: !operation.path.includes("{"),
    pattern: new RegExp(
      `^${operation.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]*")}$`,
    ),
  }));
  return (method: string, url: string): Operation | null => {
    const [path = ""] = url.split("?", 1);
    if (!isDecodable(path)) return null;
    const wanted = method === "HEAD" ? "get" : method.toLowerCase();
    const matching = patterns.filter(({ pattern }) => pattern.test(path));
    const fixed = matching.filter(({ isFixed }) => isFixed);
    const candidates = fixed.length > 0 ? fixed : matching;
    return candidates.find(({ operation }) => operation.method === wanted)?.operation ?? null;
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

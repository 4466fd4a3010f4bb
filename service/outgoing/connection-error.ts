import { errorCode } from "#contract/process/log.ts";
import { PrivateTarget } from "./guarded-lookup.ts";

export class TimedOut extends Error {}

const MESSAGES: Record<string, string> = {
  ECONNREFUSED: "Nothing listens at the address: the connection was refused.",
  ECONNRESET: "The endpoint cut the connection before it answered.",
  EPIPE: "The endpoint cut the connection before it answered.",
  ENOTFOUND: "The name of the endpoint is not known (DNS).",
  EAI_AGAIN: "The name of the endpoint could not be looked up (DNS).",
  ETIMEDOUT: "The endpoint could not be reached in time.",
  EHOSTUNREACH: "The network has no way to the endpoint.",
  ENETUNREACH: "The network has no way to the endpoint.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The endpoint's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The endpoint's certificate is self-signed.",
  CERT_HAS_EXPIRED: "The endpoint's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The endpoint's certificate is for another name.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The endpoint's certificate has no known issuer.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The endpoint's certificate has no known issuer.",
};

/** Describes a connection's error in a sentence that names no address. */
export function describeConnectionError(error: unknown): string {
  if (error instanceof PrivateTarget)
    return "The name leads to a private address: not connected.";
  if (error instanceof TimedOut) return "The endpoint did not answer in time.";
  // A host with several addresses fails with one error for each of them.
  const code = errorCode(error instanceof AggregateError ? error.errors[0] : error);
  if (MESSAGES[code]) return MESSAGES[code];
  if (code.startsWith("HPE_")) return "What came back is not an HTTP answer.";
  if (code.startsWith("ERR_SSL") || code === "EPROTO")
    return "No secure connection: the endpoint does not speak TLS as expected.";
  return `The endpoint could not be reached (${code || "unknown reason"}).`;
}

import "server-only";
import { ReceivedAccountDirectory } from "#contract/account.ts";
import { AppError } from "#lib/failure.ts";
import { meansUnsupported } from "./client.ts";
import type { Transport } from "./transport.ts";

/** The path of the account API and of its public list of what it offers. */
export const ACCOUNT_ROOT = "account/v1";
export const DISCOVERY_TIMEOUT = { readTimeout: 2_000 };
/** How long no new request is sent after an answer that may be temporary. */
const DOUBT_MINUTES = 5;

/**
 * Whether this service lists an address of the account API as readable by an API key. The answer is
 * remembered with the connection.
 * @param path below the account API, without slashes at its ends
 */
export async function isOffered(account: Transport, path: string): Promise<boolean> {
  return (await account.isKnownOffered()) ?? (await askDirectory(account, path));
}

async function askDirectory(account: Transport, wanted: string): Promise<boolean> {
  try {
    const { operations } = await account.read({
      path: ACCOUNT_ROOT,
      answer: ReceivedAccountDirectory,
    });
    const isListed = operations.some(
      ({ method, path, scope }) =>
        method === "GET" && path === `/${ACCOUNT_ROOT}/${wanted}/` && scope !== null,
    );
    await (isListed ? account.rememberOffered() : account.rememberUnsupported());
    return isListed;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isCertain = meansUnsupported(error.failure.kind);
    await account.rememberUnsupported(isCertain ? undefined : DOUBT_MINUTES);
    return false;
  }
}

import { BillingClient } from "#lib/billing/client.ts";
import { checkKey } from "#lib/billing/check-key.ts";
import type { KeyCheck } from "#lib/billing/key-check-result.ts";
import { encryptionKeysOf } from "#lib/env.ts";
import {
  countWithNoun,
  failure,
  presentFindings,
  type Finding,
  isPrivateHost,
  type CheckedInstallation,
  note,
  ok,
  servicesOf,
  warning,
} from "./finding.ts";
import { checkCertificate } from "./api.ts";
import { openKeys, type DecryptedKey } from "./keys.ts";

/**
 * The most keys that are tried: each costs up to three calls, and services limit wrong keys per minute.
 */
const MOST = 100;
const AT_ONCE = 4;
const ONE_PAGE = { page: 1, page_size: 100 };

type RegisteredEndpoints = "there" | "none" | "unknown";

interface Seen {
  key: KeyCheck["kind"];
  endpoints: RegisteredEndpoints;
}

/** Tries the connected API keys and reports counts, never names. */
export async function checkConnections({
  env,
  dashboard,
}: CheckedInstallation): Promise<Finding[]> {
  if (!dashboard) return [];
  const { open } = await openKeys(dashboard, encryptionKeysOf(env));
  if (open.length === 0)
    return [note("No seller has connected an API key yet.", "It is done in the settings.")];
  const addresses = new Map(servicesOf(env).map(({ mode, url }) => [mode, url]));
  const receiver = `${new URL(env.NEXTAUTH_URL).origin}/api/received/`;
  const queue = open.slice(0, MOST);
  const seen: Seen[] = [];
  const lane = async () => {
    for (let key = queue.shift(); key; key = queue.shift())
      seen.push(await lookAt(key, addresses.get(key.mode), receiver));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const rest = open.length - seen.length;
  return [
    ...judgeKeys(seen.map(({ key }) => key)),
    ...judgeEndpoints(seen.map(({ endpoints }) => endpoints)),
    ...(rest > 0
      ? [
          note(
            `${countWithNoun(rest, "further key was", "further keys were")} not tried, to spare the API.`,
          ),
        ]
      : []),
  ];
}

async function lookAt(
  key: DecryptedKey,
  baseUrl: string | undefined,
  receiver: string,
): Promise<Seen> {
  if (!baseUrl) return { key: "no_answer", endpoints: "unknown" };
  const { kind } = await checkKey(key.apiKey, { own: baseUrl, other: null });
  if (kind !== "good") return { key: kind, endpoints: "unknown" };
  const client = new BillingClient({ baseUrl, connect: async () => ({ apiKey: key.apiKey }) });
  const endpoints = await client.listWebhooks(ONE_PAGE).then(
    ({ results }) =>
      results.some((one) => one.is_active && one.endpoint_url.startsWith(receiver))
        ? ("there" as const)
        : ("none" as const),
    () => "unknown" as const,
  );
  return { key: kind, endpoints };
}

const BAD: Record<Exclude<KeyCheck["kind"], "good">, [words: string, remedy: string]> = {
  refused: ["refused by the API", "Those sellers connect a new key in the settings."],
  other_mode: [
    "keys of the other mode",
    "Those sellers connect the right key in the settings.",
  ],
  unverified: ["of accounts that the API has not verified", "The sellers finish it there."],
  no_reading: [
    "without the scope to read",
    "Those sellers connect a key with it in the settings.",
  ],
  no_answer: ["without an answer", "See the result of the API above."],
  rate_limited: ["over the API's rate limit", "Try again later."],
  troubled: ["answered by an error of the API", "Read the service's own log."],
  not_this_api: [
    "answered by something other than the billing API",
    "Correct the API's address.",
  ],
};

function judgeKeys(kinds: KeyCheck["kind"][]): Finding[] {
  const count = (kind: KeyCheck["kind"]) => kinds.filter((one) => one === kind).length;
  const bad = (Object.keys(BAD) as (keyof typeof BAD)[]).flatMap((kind) => {
    const [words, remedy] = BAD[kind];
    const many = count(kind);
    return many > 0
      ? [warning(`${countWithNoun(many, "connected key")}: ${words}.`, remedy)]
      : [];
  });
  const good = count("good");
  return good > 0
    ? [ok(`${countWithNoun(good, "connected key")}: accepted by the API.`), ...bad]
    : bad;
}

function judgeEndpoints(seen: RegisteredEndpoints[]): Finding[] {
  const there = seen.filter((one) => one === "there").length;
  const none = seen.filter((one) => one === "none").length;
  return presentFindings(
    there > 0 &&
      ok(`${countWithNoun(there, "connection")} with webhooks to this installation.`),
    none > 0 &&
      note(
        `${countWithNoun(none, "connection")} without webhooks to this installation: changes are seen at the next sync.`,
        "Those sellers register them in the settings, under the connection.",
      ),
  );
}

/**
 * Checks that the dashboard answers at its public address, that a remote service could reach this
 * address, and the certificates of the public addresses.
 */
export async function checkReceiver({
  env,
  variables: { SERVICE_PUBLIC_URL },
}: CheckedInstallation): Promise<Finding[]> {
  const { hostname, origin } = new URL(env.NEXTAUTH_URL);
  const answer = await fetch(`${origin}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null);
  await answer?.body?.cancel();
  const certificates = [origin, SERVICE_PUBLIC_URL]
    .filter((url) => url?.startsWith("https:"))
    .map((url = "") => checkCertificate(`The public address ${url}`, url));
  const isRemote = servicesOf(env).some(({ url }) => !isPrivateHost(new URL(url).hostname));
  return presentFindings(
    answer?.status === 200
      ? ok(`The dashboard answers at its public address ${origin}.`)
      : failure(
          `The dashboard does not answer at its public address ${origin}: links in mails and webhooks do not work.`,
          "Start Duebook, or set NEXTAUTH_URL to the address that people open.",
        ),
    isRemote &&
      isPrivateHost(hostname) &&
      warning(
        "A service elsewhere cannot deliver webhooks here: NEXTAUTH_URL names this machine or its own network.",
        "Set NEXTAUTH_URL to an address that the service can reach.",
      ),
    ...(await Promise.all(certificates)),
  );
}

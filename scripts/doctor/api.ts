import tls from "node:tls";
import type pg from "pg";
import { errorCode } from "#contract/process/log.ts";
import type { Env } from "#lib/env.ts";
import { checkIssuer, metadataAddress } from "#lib/auth/sign-in/oidc-issuer.ts";
import {
  failure,
  type Finding,
  type CheckedInstallation,
  note,
  ok,
  servicesOf,
  warning,
} from "./finding.ts";

const TIMEOUT_MS = 5_000;
const TRIES = 5;
const SLOW = 1_000;
const DAY = 86_400_000;
const RETRY_SOON = 21;

const productsOf = (url: string) => `${url.replace(/\/+$/, "")}/api/v1/products/?page_size=1`;

/** Sends one request without a key. @returns the status and date of its answer, and how long it took */
async function askApi(url: string) {
  const began = Date.now();
  const response = await fetch(productsOf(url), {
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const ended = Date.now();
  await response.body?.cancel();
  return {
    status: response.status,
    milliseconds: ended - began,
    date: response.headers.get("date"),
    middle: (began + ended) / 2,
  };
}

/** Node's error code of a failed request, or a text that says why it failed. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof Error && error.name === "TimeoutError") return "ETIMEDOUT";
  if (!(cause instanceof Error)) return "no answer";
  return errorCode(cause) || cause.message;
}

/** Checks the API of each configured mode. */
export async function checkApis(env: Env): Promise<Finding[]> {
  const findings = await Promise.all(servicesOf(env).map((one) => checkApi(one)));
  return findings.flat();
}

async function checkApi({ mode, url }: { mode: string; url: string }): Promise<Finding[]> {
  const name = `The billing API of ${mode} mode`;
  const times: number[] = [];
  let status = 0;
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answer = await askApi(url);
      ({ status } = answer);
      times.push(answer.milliseconds);
    }
  } catch (error) {
    return [silent(name, url, codeOf(error))];
  }
  const middle = times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)] ?? 0;
  const certificate = url.startsWith("https:") ? [await checkCertificate(name, url)] : [];
  return [judgeAnswer(name, url, status, middle), ...certificate];
}

function silent(name: string, url: string, code: string): Finding {
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code))
    return failure(
      `${name} has a certificate that is not trusted (${code}).`,
      `Renew the certificate of ${new URL(url).host}, or name its authority in NODE_EXTRA_CA_CERTS.`,
    );
  const words: Record<string, string> = {
    ECONNREFUSED: "nothing listens there",
    ENOTFOUND: "there is no host of that name",
    EAI_AGAIN: "the name service does not answer",
    ETIMEDOUT: `no answer came within ${TIMEOUT_MS / 1_000} seconds`,
    UND_ERR_CONNECT_TIMEOUT: "no answer came in time",
  };
  return failure(
    `${name} cannot be reached at ${url}: ${words[code] ?? code}.`,
    "Start it (npm run up starts the embedded one), or correct its address.",
  );
}

export function judgeAnswer(name: string, url: string, status: number, ms: number): Finding {
  const correct = `Check the address ${url}: below it /api/v1/products/ must answer 401 without a key.`;
  if (status === 401) {
    const words = `${name} answers in ${Math.round(ms)} ms (median of ${TRIES}).`;
    return ms < SLOW
      ? ok(words)
      : warning(words, "Every page waits for it: run the dashboard nearer to the service.");
  }
  if (status === 429)
    return warning(
      `${name} limits our requests (429).`,
      "Wait a minute, then run the doctor again.",
    );
  if (status >= 500)
    return failure(
      `${name} reports an error (status ${status}).`,
      "Read the service's own log.",
    );
  if (status >= 300 && status < 400)
    return failure(
      `${name} redirects (status ${status}), and redirects are not followed.`,
      correct,
    );
  if (status < 300) return failure(`${name} answers without asking for a key.`, correct);
  return failure(`${name} is no billing API (status ${status}).`, correct);
}

export async function checkCertificate(name: string, url: string): Promise<Finding> {
  const { hostname, port } = new URL(url);
  const until = await new Promise<number | Error>((resolve) => {
    const socket = tls.connect(
      { host: hostname, port: Number(port || 443), servername: hostname, timeout: TIMEOUT_MS },
      () => {
        resolve(Date.parse(socket.getPeerCertificate().valid_to));
        socket.destroy();
      },
    );
    socket.once("error", resolve);
    socket.once("timeout", () => socket.destroy(new Error("no answer")));
  });
  return until instanceof Error
    ? failure(
        `${name}: its certificate cannot be used (${errorCode(until) || until.message}).`,
        "Renew it, or name its authority in NODE_EXTRA_CA_CERTS.",
      )
    : judgeCertificate(name, (until - Date.now()) / DAY);
}

export function judgeCertificate(name: string, days: number): Finding {
  const words = `${name}: its certificate is valid for ${Math.floor(days)} more days.`;
  if (days < 0)
    return failure(`${name}: its certificate has expired.`, "Renew it where it is served.");
  return days < RETRY_SOON ? warning(words, "Renew it soon where it is served.") : ok(words);
}

/** Compares the clock of this machine with the databases and the Date headers of the services. */
export async function checkClocks({
  env,
  dashboard,
  service,
}: CheckedInstallation): Promise<Finding[]> {
  const databases = [
    { name: "the dashboard's database", pool: dashboard },
    { name: "the service's database", pool: service },
  ].flatMap(({ name, pool }) =>
    pool ? [aheadOfDatabase(pool).then((ahead) => judgeClock(name, ahead))] : [],
  );
  const services = servicesOf(env).map(async ({ mode, url }) => {
    const name = `the billing API of ${mode} mode`;
    const answer = await askApi(url).catch(() => null);
    // The Date header is cut to whole seconds: half a second is missing on average.
    const said = answer?.date ? Date.parse(answer.date) + 500 : null;
    return answer === null || said === null
      ? note(`The time at ${name} is unknown: it does not send one.`)
      : judgeClock(name, (said - answer.middle) / 1_000);
  });
  return Promise.all([...databases, ...services]);
}

async function aheadOfDatabase(pool: pg.Pool): Promise<number> {
  // The first query also opens the connection, which would distort the measurement.
  await pool.query("select 1");
  const began = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::float8 as now",
  );
  return (rows[0]?.now ?? 0) - (began + Date.now()) / 2_000;
}

const NOTICED = 2;
const HARMFUL = 60;

/** @param ahead seconds by which the other clock is ahead of this machine's */
export function judgeClock(name: string, ahead: number): Finding {
  const apart = Math.abs(ahead);
  if (apart <= NOTICED) return ok(`The clocks here and at ${name} agree.`);
  const words = `The clock at ${name} is ${Math.round(apart)} seconds ${ahead > 0 ? "ahead of" : "behind"} this machine's.`;
  const remedy = "Synchronise the clocks of both machines (chrony, systemd-timesyncd).";
  if (apart <= HARMFUL) return warning(words, remedy);
  return failure(
    `${words} Signatures of webhooks are valid for five minutes, codes of second factors for one.`,
    remedy,
  );
}

/** Checks the OpenID Connect provider, if one is configured. */
export async function checkProvider({ OIDC_ISSUER }: Env): Promise<Finding[]> {
  if (!OIDC_ISSUER) return [note("No sign-in provider is configured: OIDC_ISSUER is not set.")];
  const address = metadataAddress(OIDC_ISSUER);
  const answer = await checkIssuer(OIDC_ISSUER);
  if (answer === "same") return [ok("The provider's issuer is that of OIDC_ISSUER.")];
  return [
    answer === "other"
      ? failure(
          `The metadata at ${address} name another issuer than OIDC_ISSUER, so sign-in through it is refused.`,
          "Set OIDC_ISSUER to the issuer that the provider names, if it is yours.",
        )
      : failure(
          `No metadata of a provider were found at ${address}.`,
          "Start the provider, or correct OIDC_ISSUER.",
        ),
  ];
}

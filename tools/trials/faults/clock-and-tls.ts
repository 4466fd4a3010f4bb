import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { request as ask } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Endpoint } from "../../../service/testing/endpoint.ts";
import { createSelfSignedCertificate } from "../../../service/testing/self-signed.ts";
import { withTestbed, startServiceAndDashboard } from "./with-testbed.ts";
import type { TrialFault, Testbed, SellerClient } from "./testbed.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

const EVENT = "checkout.failed";

/** Registers the endpoint. @returns a function that sends it an example delivery */
async function announcerOf(sellerClient: SellerClient, endpoint_url: string) {
  const id = await sellerClient.registerWebhook(EVENT, endpoint_url);
  return async () => {
    const sent = await sellerClient.call(`/sandbox/webhooks/${id}/example/`, { event: EVENT });
    ensureThat(sent.ok, `an example was answered with ${sent.status}`);
  };
}

const LIBRARIES = ["x86_64", "aarch64"].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);
const library = () => LIBRARIES.find((file) => existsSync(file));

/**
 * How far the clocks of both programs are moved from the true time, and the dashboard's expected
 * answer.
 */
const JUMPS = [
  ["+1h", "200"],
  ["-1h", "200"],
  ["+33d", "401 signed_out"],
  ["+0", "200"],
] as const;

const PAID = 5;
/** The expected number of changes of a subscription after each jump: active and, a month later, due. */
const CHANGES = [1, 1, 2, 2];
/** Seconds in which the sweep, which runs every minute, runs twice. */
const SWEPT_S = 150;

/**
 * Checks the recorded changes.
 * @throws CommandFailure unless each paid subscription has `each` changes, recorded and announced once
 */
async function checkChanges(
  sellerClient: SellerClient,
  endpoint: Endpoint,
  each: number,
): Promise<void> {
  const due = PAID * each;
  await waitUntil("the announcements", async () => endpoint.arrivals.length >= due, SWEPT_S);
  const { rows } = await sellerClient.pool.query<{ times: number }>(
    `select count(*) as times from event where event = 'subscription.status_changed'
      group by subscription_id, new_status`,
  );
  ensureThat(rows.length === due, `there are ${rows.length} changes, not ${due}`);
  ensureThat(
    rows.every(({ times }) => times === 1),
    "a change was recorded twice",
  );
  const announced = new Set(endpoint.arrivals.map(({ body }) => body));
  ensureThat(
    endpoint.arrivals.length === due,
    `${endpoint.arrivals.length} announcements came`,
  );
  ensureThat(announced.size === due, "a change was announced twice");
}

const clock: TrialFault = {
  name: "clock jumps",
  lacks: () => (library() ? null : "it takes libfaketime: apt-get install libfaketime"),
  run: () =>
    withTestbed(async (testbed) => {
      const file = join(testbed.folder, "clock");
      const jump = (to: string) => writeFile(file, `${to}\n`);
      await jump("+0");
      const faked = {
        LD_PRELOAD: library() ?? "",
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        SERVICE_RATE_LIMIT: "60000",
      };
      const service = await testbed.startService(faked);
      const { sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        { service },
        faked,
      );
      const endpoint = await listenOn(testbed);
      const announce = await announcerOf(sellerClient, endpoint.url);
      const changes = await listenOn(testbed);
      await sellerClient.registerWebhook("subscription.status_changed", changes.url);
      for (let paid = 0; paid < PAID; paid += 1) await sellerClient.pay();
      const seen: string[] = [];
      const times: string[] = [];
      for (const [at, [to, expected]] of JUMPS.entries()) {
        await jump(to);
        await delay(200);
        const { status } = await sellerClient.call("/healthz");
        const read = await dashboardClient.read();
        ensureThat(status === 200 && read === expected, `${to}: the dashboard said ${read}`);
        ensureThat(
          (await sellerClient.create()) === "201",
          `${to}: a subscription could not be created`,
        );
        const before = endpoint.arrivals.length;
        await announce();
        times.push(
          await waitUntil(`${to}: a delivery`, async () => endpoint.arrivals.length > before),
        );
        await checkChanges(sellerClient, changes, CHANGES[at] ?? 0);
        seen.push(`${to} ${read}`);
      }
      const kept = await sellerClient.checkKept();
      return {
        got: `the dashboard at ${seen.join(", ")}; creating went on`,
        kept: `${kept}; ${changes.arrivals.length} changes of ${PAID} that were paid for, each announced once; the session was over a month ahead and valid again when the clock was right`,
        recovered: `deliveries arrived ${times.toSorted().at(-1)} s after each jump at most`,
      };
    }),
};

type Tls = ReturnType<typeof createSelfSignedCertificate>;

async function listenOn(testbed: Testbed): Promise<Endpoint> {
  const endpoint = await Endpoint.listen();
  testbed.onClose(() => endpoint.close());
  return endpoint;
}

async function listen(testbed: Testbed, server: Server): Promise<string> {
  server.listen(0, "localhost");
  testbed.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((done) => server.once("listening", done));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** Creates a TLS proxy in front of the service, which does not listen yet. */
const before = (service: string, tls: Tls) =>
  createServer(tls, (request, response) => {
    const { method, url = "/", headers } = request;
    const onwards = ask(new URL(url, service), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.on("error", () => response.destroy());
    request.pipe(onwards);
  });

const certificate: TrialFault = {
  name: "certificate expired",
  run: () =>
    withTestbed(async (testbed) => {
      const expired = createSelfSignedCertificate("localhost", [
        "200101000000Z",
        "210101000000Z",
      ]);
      const renewed = createSelfSignedCertificate("localhost");
      const trusted = join(testbed.folder, "trusted.pem");
      await writeFile(trusted, expired.cert + renewed.cert);
      const service = await testbed.startService({ NODE_EXTRA_CA_CERTS: trusted });
      let arrivals = 0;
      const hook = createServer(expired, (_request, response) => {
        arrivals += 1;
        response.writeHead(204).end();
      });
      const proxy = before(service.url, renewed);
      const [hookUrl, apiUrl] = [await listen(testbed, hook), await listen(testbed, proxy)];
      const { sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        { service, between: apiUrl },
        { NODE_EXTRA_CA_CERTS: trusted },
      );
      ensureThat((await dashboardClient.read()) === "200", "TLS does not work here at all");
      proxy.setSecureContext(expired);
      proxy.closeAllConnections();
      const read = await dashboardClient.read();
      ensureThat(read === "503 unavailable", `a read was told ${read}`);
      const announce = await announcerOf(sellerClient, `${hookUrl}/hook`);
      await announce();
      let words = "";
      await waitUntil("the attempt is recorded", async () => {
        const { rows } = await sellerClient.pool.query<{ error: string | null }>(
          "select error from delivery_attempt",
        );
        words = rows[0]?.error ?? "";
        return words !== "";
      });
      ensureThat(/certificate/i.test(words), `the attempt says “${words}”`);
      for (const server of [proxy, hook]) server.setSecureContext(renewed);
      const api_s = await waitUntil(
        "the list",
        async () => (await dashboardClient.read()) === "200",
      );
      const hook_s = await waitUntil("the delivery", async () => arrivals === 1);
      return {
        got: `dashboardClient: ${read}; the delivery's log: “${words}”`,
        kept: "the delivery, which is retried",
        recovered: `after the renewal the dashboard in ${api_s} s, the delivery by itself in ${hook_s} s`,
      };
    }),
};

export const OUTSIDE_FAULTS = [clock, certificate];

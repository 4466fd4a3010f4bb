import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { listDeliveries } from "./read.ts";
import { createDeliveryWorker } from "./worker.ts";

const service = useTestService();
const LOOPBACK = {};
const PUBLIC = { SERVICE_PUBLIC_URL: "https://billing.example" };
const METADATA = [
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://[::ffff:169.254.169.254]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[fd00:ec2::254]/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
];

let api: SellerApi;
let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await Endpoint.listen();
});
beforeEach(async () => {
  api = await SellerApi.open(service);
});
afterAll(() => endpoint.close());

const rulesOf = (environment: Record<string, string>) => {
  const SERVICE_DATABASE_URL = "postgresql://localhost/service";
  const { mode, privateTargets } = readConfig({ SERVICE_DATABASE_URL, ...environment });
  return { mode, privateTargets };
};

/** Registers an endpoint with these settings of the service. @returns the answer */
async function register(environment: Record<string, string>, endpoint_url: string) {
  const app = await buildApp({ ...service.context, ...rulesOf(environment) });
  const answer = await app.inject({
    method: "POST",
    url: "/api/v1/webhooks/",
    headers: { authorization: `Bearer ${api.seller.key}` },
    payload: { event: "checkout.succeeded", endpoint_url },
  });
  await app.close();
  return answer;
}

/** Sends an example to an endpoint that was registered earlier. @returns its delivery */
async function send(environment: Record<string, string>, url: string, address = "127.0.0.1") {
  const { id } = await endpoint.register(api, "checkout.succeeded");
  await service.pool.query("update webhook set endpoint_url = $2 where id = $1", [id, url]);
  await api.post(`/sandbox/webhooks/${id}/example/`, { event: "checkout.succeeded" });
  const worker = createDeliveryWorker({
    ...rulesOf(environment),
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 1_000,
    resolve: async () => [{ address, family: address.includes(":") ? 6 : 4 }],
  });
  await worker.deliverDue();
  await worker.close();
  const page = { before: null, limit: 1 };
  const { results } = await listDeliveries(service.pool, api.seller.seller_id, {}, page);
  const [{ attempts, last_response_code, last_error } = {}] = results;
  return { attempts, last_response_code, last_error };
}

it("a public sandbox refuses to register a webhook endpoint at a private address", async () => {
  for (const url of [endpoint.url, "http://localhost:5432/", "http://10.0.0.1/", ...METADATA]) {
    const answer = await register(PUBLIC, url);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { endpoint_url: ["Use an address on the public internet."] },
    ]);
  }
  expect((await register(PUBLIC, "http://shop.example:8080/hooks")).statusCode).toBe(201);
});

it("a public sandbox sends no delivery to a private address and records the reason", async () => {
  const before = endpoint.arrivals.length;
  expect(await send(PUBLIC, endpoint.url)).toEqual({
    attempts: 1,
    last_response_code: null,
    last_error: "Not sent. Use an address on the public internet.",
  });
  api = await SellerApi.open(service);
  expect(
    (await send(PUBLIC, endpoint.url.replace("127.0.0.1", "shop.example"))).last_error,
  ).toBe("The name leads to a private address: not connected.");
  expect(endpoint.arrivals).toHaveLength(before);
});

it("a local sandbox, or one with SERVICE_PRIVATE_TARGETS=allow, sends deliveries to its own machine", async () => {
  const told = { ...PUBLIC, SERVICE_PRIVATE_TARGETS: "allow" };
  for (const environment of [LOOPBACK, told]) {
    api = await SellerApi.open(service);
    expect((await register(environment, endpoint.url)).statusCode).toBe(201);
    expect((await send(environment, endpoint.url)).last_response_code).toBe(204);
  }
});

it("even SERVICE_PRIVATE_TARGETS=allow lets no delivery reach a cloud metadata address", async () => {
  const told = { SERVICE_PRIVATE_TARGETS: "allow" };
  for (const url of METADATA) {
    expect((await register(told, url)).statusCode).toBe(400);
    api = await SellerApi.open(service);
    expect((await send(told, url)).last_error).toBe(
      "Not sent. Use an address on the public internet.",
    );
  }
  for (const address of ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254"]) {
    api = await SellerApi.open(service);
    expect((await send(told, "http://shop.example/", address)).last_error).toBe(
      "The name leads to a private address: not connected.",
    );
  }
});

it.each([
  [{}, true],
  [{ SERVICE_PUBLIC_URL: "http://billing.localhost:4000" }, true],
  [{ SERVICE_HOST: "::1" }, true],
  [{ SERVICE_HOST: "0.0.0.0" }, false],
  [{ SERVICE_TRUSTED_PROXIES: "1" }, false],
  [PUBLIC, false],
  [{ SERVICE_PRIVATE_TARGETS: "refuse" }, false],
])("the settings %j allow deliveries to private addresses: %s", (environment, isTaken) => {
  expect(rulesOf(environment).privateTargets).toBe(isTaken);
});

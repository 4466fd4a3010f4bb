import type { LookupAddress } from "node:dns";
import { beforeEach, describe, expect, it } from "vitest";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { sendExample } from "./example.ts";
import { listDeliveries } from "./read.ts";
import { createDeliveryWorker } from "./worker.ts";

const service = useTestService("live");
const at = (...addresses: string[]) =>
  addresses.map((address): LookupAddress => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));

let api: SellerApi;
beforeEach(async () => {
  api = await SellerApi.open(service);
});

/** Makes one attempt at a URL that was registered before the rules applied. */
async function attempt(url: string, addresses: LookupAddress[] = []) {
  const input = { event: "checkout.succeeded", endpoint_url: "https://shop.example/" };
  const { id } = (await api.post("/api/v1/webhooks/", input)).json<{ id: number }>();
  await service.pool.query("update webhook set endpoint_url = $2 where id = $1", [id, url]);
  const { seller } = api;
  const { pool: database, clock } = service;
  const example = { webhookId: id, event: "checkout.succeeded" } as const;
  await sendExample({ database, seller, clock: clock.now }, example);
  const asked: string[] = [];
  const worker = createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "live",
    timeout: 1_000,
    resolve: async (hostname) => {
      asked.push(hostname);
      return addresses;
    },
  });
  await worker.deliverDue();
  await worker.close();
  const page = { before: null, limit: 1 };
  const { results } = await listDeliveries(service.pool, api.seller.seller_id, {}, page);
  return { asked, error: results[0]?.last_error };
}

describe("a live delivery", () => {
  it.each([
    at("127.0.0.1"),
    at("10.1.2.3"),
    at("169.254.169.254"),
    at("::1"),
    at("::ffff:127.0.0.1"),
    at("64:ff9b::7f00:1"),
    at("fd00::1"),
    // One public address does not make a private one acceptable.
    at("8.8.8.8", "192.168.1.1"),
  ])(
    "Spec choice, live webhook targets: is not sent to a host name that resolves to %j",
    async (...addresses) => {
      expect(await attempt("https://shop.example/", addresses)).toEqual({
        asked: ["shop.example"],
        error: "The name leads to a private address: not connected.",
      });
    },
  );

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://metadata.internal/",
  ])("Spec choice, live webhook targets: is not sent to %s", async (url) => {
    expect(await attempt(url)).toEqual({
      asked: [],
      error: "Not sent. Use an address on the public internet.",
    });
  });

  it("Spec choice, live webhook targets: is not sent to an http URL, or to a port other than 443 and 8443", async () => {
    expect((await attempt("http://shop.example/")).error).toBe(
      "Not sent. Live mode needs an address that begins with https://.",
    );
    api = await SellerApi.open(service);
    expect((await attempt("https://shop.example:6379/")).error).toBe(
      "Not sent. Use port 443 or 8443.",
    );
  });
});

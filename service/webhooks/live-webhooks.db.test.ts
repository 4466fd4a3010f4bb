import { describe, expect, it } from "vitest";
import { buildApp } from "../app.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService("live");
const URL = "/api/v1/webhooks/";
const input = { event: "checkout.failed", endpoint_url: "https://shop.example/hooks" };

describe("webhooks in live mode", () => {
  it.each([
    "http://shop.example/hooks",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://localhost/",
  ])(
    "Spec choice, live webhook targets: %s is refused under endpoint_url when a webhook is created or changed",
    async (endpoint_url) => {
      const api = await SellerApi.open(service);
      const { id } = (await api.post(URL, input)).json();
      const answers = [
        await api.post(URL, { ...input, endpoint_url }),
        await api.call({ method: "PATCH", url: `${URL}${id}/`, payload: { endpoint_url } }),
      ];
      for (const answer of answers) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toEqual({ endpoint_url: [expect.any(String)] });
      }
    },
  );

  it("cannot be created without SERVICE_SECRETS_KEY, and the error names the missing setting", async () => {
    const api = await SellerApi.open(service);
    const { pool, clock } = service;
    const publicUrl = "http://billing.test";
    const app = await buildApp({ pool, now: clock.now, publicUrl, mode: "live" });
    const answer = await app.inject({
      method: "POST",
      url: URL,
      payload: input,
      headers: { authorization: `Bearer ${api.seller.key}`, "idempotency-key": "one" },
    });
    await app.close();
    expect(answer.statusCode).toBe(503);
    expect(answer.json().detail).toContain("SERVICE_SECRETS_KEY");
    // Spec choice, repeated writes: an error of the service is not stored as an answer.
    const again = await api.post(URL, input, { "idempotency-key": "one" });
    expect(again.statusCode).toBe(201);
  });
});

import { beforeAll, expect, it } from "vitest";
import { GeneralError } from "#contract/errors.ts";
import { routesOf } from "../http/route-doc.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
type Method = "GET" | "HEAD" | "POST";

const routes = () =>
  routesOf(service.app)
    .filter(({ url }) => url.startsWith("/sandbox/"))
    .map(({ method, url }) => ({
      method: method as Method,
      url: url.replace(":id", "999999"),
    }));

let api: SellerApi;
beforeAll(async () => {
  api = await SellerApi.open(service);
});

it("every sandbox route requires an API key and a verified account", async () => {
  const unverified = await SellerApi.open(service, { kyc_verified: false });
  expect(routes().length).toBeGreaterThan(4);
  for (const route of routes()) {
    const statuses = [await service.call(null, route), await unverified.call(route)];
    expect([route, statuses.map(({ statusCode }) => statusCode)]).toEqual([route, [401, 403]]);
  }
});

it("the sandbox redirects a GET without a trailing slash, and answers 404 to a POST without a trailing slash", async () => {
  for (const { method, url } of routes()) {
    const answer = await api.call({ method, url: url.slice(0, -1) });
    const isRead = method === "GET" || method === "HEAD";
    expect([method, url, answer.statusCode]).toEqual([method, url, isRead ? 301 : 404]);
    if (!isRead) expect(GeneralError.parse(answer.json()).detail).toContain("slash");
  }
});

it("the sandbox answers a wrong method with 405 and an unknown URL with 404", async () => {
  for (const { url } of routes())
    expect((await api.call({ method: "DELETE", url })).statusCode).toBe(405);
  expect((await api.call({ url: "/sandbox/nothing/" })).statusCode).toBe(404);
});

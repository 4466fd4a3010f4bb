import { expect, onTestFinished, test } from "vitest";
import { EVENT_KINDS } from "#contract/names.ts";
import { createDeliveryWorker } from "../deliveries/worker.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { createConformanceChecker } from "../testing/conformance.ts";
import { buildDescribedService } from "../testing/described.ts";
import { DESCRIPTIONS } from "./field-descriptions.ts";

const service = useTestService();
const { description } = await buildDescribedService();

type Part = Record<string, unknown>;
interface Found {
  where: string;
  part: Part;
}

/** Every object of the document, with its path. */
function* parts(value: unknown, where = ""): Generator<Found> {
  if (typeof value !== "object" || value === null) return;
  yield { where, part: value as Part };
  for (const [key, inner] of Object.entries(value)) {
    // Examples need no descriptions.
    if (key === "example") continue;
    yield* parts(inner, `${where}/${key}`);
  }
}

const isBody = ({ where }: Found) => /\/content\/[^/]+\/[^/]+$/.test(where);
const bodies = [...parts(description)].filter(isBody);

test("every request and response body in the OpenAPI document has an example that its schema allows", () => {
  expect(bodies.length).toBeGreaterThan(100);
  const without = bodies.filter(({ part }) => part["example"] === undefined);
  expect(without.map(({ where }) => where)).toEqual([]);
  const validate = createConformanceChecker(description).validatorOf;
  const wrong = bodies.filter(
    ({ part }) => !validate(part["schema"] as object)(part["example"]),
  );
  expect(wrong.map(({ where }) => where)).toEqual([]);
});

test("every property has a description, and every written description is used", () => {
  const properties = [...parts(description)].flatMap(({ where, part }) =>
    Object.entries((part["properties"] ?? {}) as Record<string, Part>)
      .filter(() => !where.endsWith("/properties"))
      .map(([name, property]) => ({ name: `${where}/${name}`, property })),
  );
  expect(properties.length).toBeGreaterThan(166);
  const without = properties.filter(({ property }) => !property["description"]);
  expect(without.map(({ name }) => name)).toEqual([]);
  const used = new Set(properties.map(({ property }) => property["description"]));
  expect(Object.entries(DESCRIPTIONS).filter(([, text]) => !used.has(text))).toEqual([]);
});

test("the webhook body of every event matches the OpenAPI document", async () => {
  expect(Object.keys(description.webhooks)).toEqual([...EVENT_KINDS]);
  const api = await SellerApi.open(service);
  const endpoint = await Endpoint.listen();
  onTestFinished(() => endpoint.close());
  const { subscription_id: id } = await api.create();
  for (const event of EVENT_KINDS) {
    const { id: webhook } = await endpoint.register(api, event);
    const example = await api.post(`/sandbox/webhooks/${webhook}/example/`, { event });
    expect(example.statusCode).toBe(201);
  }
  await api.pay(id, "decline");
  await api.pay(id);
  await api.createActive(api.periods.once);
  await refundPart(await withAccountToken(service, api.seller));
  const worker = createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
  });
  await worker.deliverDue();
  await worker.close();
  const sentBodies = endpoint.arrivals.map(({ body }) => body);
  expect(sentBodies).toHaveLength(EVENT_KINDS.length + 6);
  for (const body of sentBodies) {
    const { event } = JSON.parse(body) as { event: string };
    const sent = description.webhooks[event]?.post.requestBody.content["application/json"];
    const validate = createConformanceChecker(description).validatorOf(sent?.schema ?? {});
    const errors = validate(JSON.parse(body)) ? null : validate.errors;
    expect({ event, errors }).toEqual({ event, errors: null });
    const keys = (body: unknown) => Object.keys(Object(body).data).toSorted();
    expect(keys(sent?.example)).toEqual(keys(JSON.parse(body)));
  }
});

/** Gives a part of the newest payment back by hand. */
async function refundPart(account: TestSeller) {
  const url = "/account/v1/payments/";
  const { results } = (await service.call(account, { url })).json();
  const by = { id: "1", name: "Sita Rai" };
  const post = (path: string, payload: object) =>
    service.call(account, { method: "POST", url: path, payload });
  const asked = { amount: "500", reason: "Two weeks away", by };
  const refund = await post(`${url}${results[0].payment_id}/refunds/`, asked);
  const confirmed = { reference: "T 88", by };
  await post(`/account/v1/refunds/${refund.json().id}/confirm/`, confirmed);
}

test("the documented answer to a new webhook endpoint has the header X-Webhook-Secret", async () => {
  const api = await SellerApi.open(service);
  const input = { event: "checkout.failed", endpoint_url: "https://shop.example/hook" };
  const { headers } = await api.post("/api/v1/webhooks/", input);
  expect(headers["x-webhook-secret"]).toMatch(/^whsec_/);
  const answer = description.paths["/api/v1/webhooks/"]?.["post"] as {
    responses: Record<string, { headers: object }>;
  };
  expect(Object.keys(answer.responses["201"]?.headers ?? {})).toContain("x-webhook-secret");
});

test("the service's root redirects to the documentation page", async () => {
  const answer = await service.call(null, { url: "/" });
  expect([answer.statusCode, answer.headers.location]).toEqual([302, "/api/docs"]);
});

test("the documentation page has all descriptions, an example of every event, a curl request and verification code", async () => {
  const { body } = await service.call(null, { url: "/api/docs" });
  const text = body.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  for (const meaning of Object.values(DESCRIPTIONS)) expect(text).toContain(meaning);
  for (const event of EVENT_KINDS) expect(text).toContain(`"event": "${event}"`);
  expect(text).toContain("curl -X POST http://billing.test/api/v1/subscriptions/");
  expect(text).toContain("export function verifyDelivery");
});

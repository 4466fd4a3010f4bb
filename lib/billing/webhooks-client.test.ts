import { describe, expect, test } from "vitest";
import {
  clientOf,
  emptyPage,
  failureOfCall,
  jsonAnswer,
  fakeService,
  textAnswer,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { DeliveryClient } from "./delivery-client.ts";
import type { KeyInUse } from "./transport.ts";

const fields = {
  event: "checkout.succeeded",
  endpoint_url: "https://shop.example/hooks",
  is_active: false,
};
const record = { id: 7, ...fields, created_at: "2026-11-20T00:00:00Z" };
const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

useBillingServer();

describe("a webhook endpoint", () => {
  test("is changed by PATCH with every field", async () => {
    fakeService.answers = [jsonAnswer(200, record)];
    await expect(clientOf().updateWebhook(7, fields)).resolves.toEqual(record);
    expect(fakeService.seen[0]).toMatchObject({ method: "PATCH", url: "/api/v1/webhooks/7/" });
    expect(JSON.parse(fakeService.seen[0]?.body ?? "")).toEqual(fields);
  });

  test("may have an unknown event, and its missing fields are read as empty values", async () => {
    fakeService.answers = [jsonAnswer(200, { id: "7", event: "refund.created", mood: "fine" })];
    await expect(clientOf().updateWebhook(7, fields)).resolves.toEqual({
      id: 7,
      event: "refund.created",
      endpoint_url: "",
      is_active: false,
      created_at: "",
    });
  });

  test.each([
    ["in a header", jsonAnswer(201, record, { "x-webhook-secret": secret }), secret],
    ["as secret", jsonAnswer(201, { ...record, secret }), secret],
    ["as signing_secret", jsonAnswer(201, { ...record, signing_secret: secret }), secret],
    ["nowhere", jsonAnswer(201, record), null],
    ["as a number", jsonAnswer(201, { ...record, secret: 7 }), null],
  ])("is created, and the response contains its secret %s", async (_where, answer, shown) => {
    fakeService.answers = [answer];
    const created = await clientOf().createWebhook(fields);
    expect(created).toEqual({ webhook: record, secret: shown });
    expect(fakeService.seen[0]).toMatchObject({ method: "POST", url: "/api/v1/webhooks/" });
  });

  test("may have been created if the response is unreadable", async () => {
    fakeService.answers = [textAnswer(201, "")];
    const failure = await failureOfCall(() => clientOf().createWebhook(fields));
    expect(failure).toMatchObject({ kind: "unavailable", outcome_unknown: true });
    expect(fakeService.seen).toHaveLength(1);
  });
});

const PLACES: [root: string, known: Partial<KeyInUse>][] = [
  ["/account/v1", { offeredExtensions: ["account"] }],
  ["/sandbox", { unsupportedExtensions: ["account"] }],
];

describe.each(PLACES)("deliveries under %s", (root, known) => {
  const deliveriesOf = (path = "") => new DeliveryClient(clientOf(path, 5_000, known));
  const filter = {
    state: "failed",
    skipped: null,
    event: null,
    webhook_id: 7,
    subscription_id: null,
    created_from: "2026-11-19T18:15:00.000Z",
    created_to: null,
    before: 99,
    page_size: 20,
  };

  test("are requested below this path, with only the filters that are set", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await deliveriesOf("/base").listDeliveries(filter);
    expect(fakeService.seen[0]?.url).toBe(
      `/base${root}/deliveries/?state=failed&webhook_id=7&created_from=2026-11-19T18%3A15%3A00.000Z&before=99&page_size=20`,
    );
  });

  test("have routes to resend, to recover, to send an example and to rotate a signing secret", async () => {
    fakeService.answers = [
      jsonAnswer(200, { message: "Sent." }),
      jsonAnswer(200, { recovered: 3 }),
      jsonAnswer(201, { delivery_id: 12 }),
      jsonAnswer(200, { message: "Rotated." }, { "x-webhook-secret": secret }),
    ];
    const deliveries = deliveriesOf();
    const since = "2026-11-20T00:00:00.000Z";
    await deliveries.resendDelivery(5);
    const answers = [
      await deliveries.recoverDeliveries({ webhook_id: 7, since }),
      await deliveries.sendExample(7, "checkout.failed"),
      await deliveries.rotateSecret(7),
    ];
    expect(answers).toEqual([{ recovered: 3, left: 0 }, { delivery_id: 12 }, { secret }]);
    expect(fakeService.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${root}/deliveries/5/resend/`,
      `POST ${root}/deliveries/recover/`,
      `POST ${root}/webhooks/7/example/`,
      `POST ${root}/webhooks/7/rotate-secret/`,
    ]);
  });

  test("do not change the state of the API key when a request for them is refused", async () => {
    fakeService.answers = [
      jsonAnswer(401, { detail: "No." }),
      jsonAnswer(403, { detail: "No." }),
    ];
    await deliveriesOf()
      .getDelivery("5")
      .catch(() => {});
    await deliveriesOf()
      .getDelivery("6")
      .catch(() => {});
    expect(fakeService.told).toEqual([]);
  });

  test("are not requested with an id that would lead to another route", async () => {
    const failure = await failureOfCall(() => deliveriesOf().getDelivery("../clock"));
    expect(failure.kind).toBe("not_found");
    expect(fakeService.seen).toHaveLength(0);
  });
});

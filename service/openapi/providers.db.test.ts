import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testCodeOf } from "../checkout/codes.ts";
import {
  buildDescribedService,
  createDescribedCaller,
  type DescribedRequest,
} from "../testing/described.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });
const caller = createDescribedCaller(await buildDescribedService());

const send = (status: number, request: DescribedRequest) =>
  caller.send(service, status, request, null);
const form = (url: string, fields: Record<string, string>): DescribedRequest => ({
  method: "POST",
  url,
  payload: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

test("the redirects to a payment provider and back answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const { account_key } = await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const asked = await send(303, form(`/pay/${id}/code`, { method: "fake" }));
  const address = new URL(String(asked.headers.location), "http://a");
  const attempt = address.searchParams.get("attempt") ?? "";
  const paid = { attempt, code: testCodeOf(attempt), total: "1130.00" };
  const sent = await send(303, form(`/pay/${id}/pay`, paid));
  await send(200, { url: String(sent.headers.location) });
  const { reference = "", details } = fake.begun.at(-1) ?? {};
  const { pathname: back } = new URL(details?.return_url ?? "");
  await send(303, { url: `/pay-return/${account_key}?ref=${reference}` });
  await send(303, { url: back });
  await send(200, { url: `/pay-return/charge/${randomUUID()}` });
  await send(200, form("/pay-return/charge/unknown", {}));
  await send(200, { url: `/pay-return/${account_key}` });
  await send(200, form(`/pay-return/${account_key}`, { ref: "unknown" }));
  await send(404, { url: `/pay-return/${randomUUID()}` });
  const notice = {
    method: "POST",
    url: `/pay-notices/${account_key}`,
    payload: reference,
  } as const;
  const type = { "content-type": "text/plain" };
  await send(204, { ...notice, headers: { ...type, "x-signature": "k" } });
  await send(404, { ...notice, headers: { ...type, "x-signature": "forged" } });
  expect(
    caller.neverSucceeded().filter((one) => /\/(go|pay-return|pay-notices)\b/.test(one)),
  ).toEqual(["post /pay-notices/sandbox"]);
});

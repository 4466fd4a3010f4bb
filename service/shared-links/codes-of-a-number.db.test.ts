import { expect, it } from "vitest";
import { beginShared } from "../testing/buyer-browser.ts";
import { postForm } from "../testing/checkout-forms.ts";
import { testBuyer } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const begin = () => beginShared(service);

it("a phone number gets five codes an hour, however the number is written, and never two codes at once", async () => {
  const { place } = await begin();
  const spellings = ["9800000001", "+9779800000001", "00977 9800000001", "980-000-0001"];
  expect((await place()).status).toBe(303);
  for (const phone of spellings) expect((await place({ phone })).status).toBe(400);
  for (const phone of spellings) {
    service.clock.advance(MINUTE);
    expect([phone, (await place({ phone })).status]).toEqual([phone, 303]);
  }
  service.clock.advance(MINUTE);
  expect((await place()).status).toBe(400);
  service.clock.advance(HOUR);
  expect((await place()).status).toBe(303);
});

it("a phone number gets five codes an hour per network, and 15 codes an hour from all networks together", async () => {
  const { path } = await begin();
  const placeFrom = (network: number) => {
    service.clock.advance(31_000);
    const remoteAddress = `172.16.0.${network}`;
    return postForm(
      { call: (as, request) => service.call(as, { ...request, remoteAddress }) },
      path,
      testBuyer() as Record<string, string>,
    );
  };
  for (const network of [1, 2, 3]) {
    const statuses = [];
    for (let time = 0; time < 7; time += 1) statuses.push((await placeFrom(network)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 400, 400]);
  }
  expect((await placeFrom(4)).status).toBe(400);
  service.clock.advance(HOUR);
  expect((await placeFrom(4)).status).toBe(303);
});

it("a phone number gets five codes an hour, even if the buyer confirmed every code", async () => {
  const { order, place } = await begin();
  for (let orders = 0; orders < 5; orders += 1)
    expect((await order()).cookie).toContain("proven");
  expect((await place()).status).toBe(400);
  expect((await place({ phone: "9800000002" })).status).toBe(303);
});

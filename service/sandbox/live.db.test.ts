import { expect, it } from "vitest";
import { routesOf } from "../http/route-doc.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService("live");

it("live mode has no sandbox routes and answers 404 at their URLs", async () => {
  expect(routesOf(service.app).filter(({ url }) => url.includes("sandbox"))).toEqual([]);
  const seller = await service.createSeller();
  for (const who of [seller, null])
    for (const method of ["GET", "POST"] as const)
      for (const url of ["/sandbox/clock/", "/sandbox/clock/advance/", "/sandbox/"])
        expect((await service.call(who, { method, url })).statusCode).toBe(404);
});

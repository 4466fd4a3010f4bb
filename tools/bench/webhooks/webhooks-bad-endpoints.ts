import type { SellerApi } from "../../../service/testing/seller-api.ts";
import { timeDeliveriesOfChanges, type Arrivals } from "./webhooks-arrivals.ts";
import { BAD_ENDPOINT_KINDS } from "./webhooks-processes.ts";

const WEBHOOKS = "/api/v1/webhooks/";
const CHANGES = 25;
const BLOCKS = 4;

export interface NeighbourTimes {
  good: number[];
  bad: number[];
}

/**
 * Registers working and failing endpoints, as many of each, next to the measured one; they get no
 * events yet.
 */
export async function addNeighbours(api: SellerApi, origin: string) {
  const register = async (path: string) => {
    const endpoint_url = `${origin}/beside/${path}`;
    const answer = await api.post(WEBHOOKS, { event: "checkout.failed", endpoint_url });
    return answer.json<{ id: number }>().id;
  };
  const ids = {
    good: await Promise.all(BAD_ENDPOINT_KINDS.map((_, index) => register(`good/${index}`))),
    bad: await Promise.all(BAD_ENDPOINT_KINDS.map(register)),
  };
  const activate = (kind: "good" | "bad" | "none") =>
    api.service.pool.query(
      "update webhook set is_active = (id = any($1)) where id = any($1) or id = any($2)",
      kind === "bad"
        ? [ids.bad, ids.good]
        : [kind === "good" ? ids.good : [], Object.values(ids).flat()],
    );
  await activate("none");
  return activate;
}

/**
 * Times one endpoint next to working and next to failing ones in turn; only their answers differ.
 */
export async function timeBesideNeighbours(
  api: SellerApi,
  subscription: string,
  seen: Arrivals,
  activate: Awaited<ReturnType<typeof addNeighbours>>,
): Promise<NeighbourTimes> {
  const times: NeighbourTimes = { good: [], bad: [] };
  for (let block = 0; block < BLOCKS; block += 1)
    for (const kind of ["good", "bad"] as const) {
      await activate(kind);
      times[kind].push(...(await timeDeliveriesOfChanges(api, subscription, seen, CHANGES)));
    }
  await activate("none");
  return times;
}

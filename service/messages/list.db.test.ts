import { expect, it } from "vitest";
import type { MessageKind, MessageState } from "#contract/names.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import { useTestService } from "../testing/use-service.ts";
import { selectMessages } from "./list-store.ts";

const service = useTestService();

const insertMessages = (
  sellerId: number,
  { kind = "receipt", state = "accepted" }: { kind?: MessageKind; state?: MessageState },
  count: number,
) =>
  service.pool.query(
    `insert into message (message_id, seller_id, kind, cause, phone, email, language, state, next_at,
       queued_at, state_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), '', '', 'en', $3, now(),
       now() - n * interval '1 minute', now() from generate_series(1, $4) n`,
    [sellerId, kind, state, count],
  );

it("a list of messages of a rare state or kind does not read the other messages", async () => {
  const { pool } = service;
  const { seller_id } = await service.createSeller();
  const rare = [
    { state: "queued" },
    { state: "sending" },
    { state: "read" },
    { state: "failed" },
    { state: "unknown" },
    { state: "expired" },
    { state: "withdrawn" },
    { kind: "test" },
    { kind: "code", state: "failed" },
  ] as const;
  await insertMessages(seller_id, {}, 20_000);
  for (const each of rare) await insertMessages(seller_id, each, 2);
  await pool.query("vacuum analyze message");
  for (const filter of rare) {
    expect(await selectMessages(pool, seller_id, filter, 101)).not.toEqual([]);
    const [count] = await countPagesRead(pool, (database) =>
      selectMessages(database, seller_id, filter, 101),
    );
    expect(count, JSON.stringify(filter)).toBeLessThan(50);
  }
});

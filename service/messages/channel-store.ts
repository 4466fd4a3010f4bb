import { queryRow, queryRows, type Database } from "../db/database.ts";
import type { ChannelKey, MessageTemplate } from "./store.ts";
import type { SendingChannel } from "#contract/names.ts";
import { sellerAt } from "../sellers/store.ts";

export interface ChannelRow {
  channel_id: number;
  seller_id: number;
  channel: SendingChannel;
  provider: string;
  sealed_settings: Buffer;
  templates: MessageTemplate[];
  is_active: boolean;
  per_minute: number;
  report_key: string;
  problem: string | null;
  problem_at: Date | null;
  version: string;
}

const COLUMNS = `channel_id, seller_id, channel, provider, sealed_settings, templates, is_active,
  per_minute, report_key, problem, problem_at, version`;

export const selectChannels = (database: Database, sellerId: number) =>
  queryRows<ChannelRow>(
    database,
    `select ${COLUMNS} from message_channel where seller_id = $1 order by channel_id`,
    [sellerId],
  );

export const selectChannel = (database: Database, sellerId: number, channel: string) =>
  queryRow<ChannelRow>(
    database,
    `select ${COLUMNS} from message_channel where seller_id = $1 and channel = $2`,
    [sellerId, channel],
  );

/** The channel to whose address for delivery reports a provider posted. */
export const selectChannelByReportKey = (database: Database, reportKey: string) =>
  queryRow<ChannelRow>(
    database,
    `select ${COLUMNS} from message_channel
     where seller_id = ${sellerAt("$1")} and report_key = $1`,
    [reportKey],
  );

type SavedChannel = Pick<
  ChannelRow,
  | "seller_id"
  | "channel"
  | "provider"
  | "sealed_settings"
  | "templates"
  | "is_active"
  | "per_minute"
>;

/**
 * Sets up a channel, or changes it if it still has that version.
 * @returns null if it was changed or set up meanwhile
 */
export const saveChannel = (
  database: Database,
  saved: SavedChannel,
  { version, at }: { version: string | null; at: Date },
) =>
  queryRow<ChannelRow>(
    database,
    `insert into message_channel as known (seller_id, channel, provider, sealed_settings, templates,
       is_active, per_minute, created_at)
     select $1::bigint, $2, $3, $4::bytea, $5::jsonb, $6::boolean, $7::integer, $8::timestamptz
     where $9::uuid is null or exists (
       select from message_channel where seller_id = $1 and channel = $2)
     on conflict (seller_id, channel) do update set provider = $3, sealed_settings = $4,
       templates = $5, is_active = $6, per_minute = $7, version = gen_random_uuid(),
       problem = null, problem_at = null, free_at = least(known.free_at, $8)
     where known.version = $9
     returning ${COLUMNS}`,
    [
      saved.seller_id,
      saved.channel,
      saved.provider,
      saved.sealed_settings,
      JSON.stringify(saved.templates),
      saved.is_active,
      saved.per_minute,
      at,
      version,
    ],
  );

export const deleteChannel = (database: Database, sellerId: number, channel: string) =>
  queryRow<ChannelKey>(
    database,
    "delete from message_channel where seller_id = $1 and channel = $2 returning seller_id, channel_id",
    [sellerId, channel],
  );

import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { FIELD_MESSAGES } from "#contract/field-messages.ts";
import {
  CheckedChannel,
  ChannelSetup,
  ChannelSetups,
  MessagePage,
  MessageQuery,
  SaveChannel,
  SendTestMessage,
  SentMessage,
} from "#contract/messages.ts";
import { SENDING_CHANNELS, type SendingChannel } from "#contract/names.ts";
import { toInternational } from "#contract/process/phone-number.ts";
import { changedMeanwhileError } from "../account/version.ts";
import type { ServiceContext } from "../context.ts";
import { queryValue, type Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { pageBefore } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import {
  describeSettings,
  presentSettings,
  readSettings,
} from "../outgoing/adapter-settings.ts";
import { encryptSecret } from "../webhooks/secret.ts";
import { ADAPTERS } from "./channels/adapters.ts";
import {
  deleteChannel,
  saveChannel,
  selectChannel,
  selectChannels,
  type ChannelRow,
} from "./channel-store.ts";
import { hourLimitUntil, sayWaiting } from "./hour-limit.ts";
import { countWaiting, isMessage, requireMessage, selectMessages } from "./list-store.ts";
import { queueMessage } from "./outbox.ts";
import { leaveChannel } from "./reroute.ts";
import { openChannel } from "./send.ts";

const CHECK_TIMEOUT = 15_000;
const DAY = 86_400_000;

type Named = { channel: string };

/** Every provider with its settings. */
const PROVIDERS: ChannelSetups["providers"] = ADAPTERS.map((adapter) => ({
  provider: adapter.provider,
  channel: adapter.channel,
  settings: describeSettings(adapter),
}));

const adapterOf = (provider: string) => ADAPTERS.find((each) => each.provider === provider);

/** How the seller's messages are sent, and what became of them. */
export function messageRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now, mode, privateTargets = false } = context;
  const limit = () => ({ now: now(), most: context.messagesPerHour ?? 0 });
  const keys = () => {
    if (context.secretsKey) return [context.secretsKey, ...(context.oldSecretsKeys ?? [])];
    throw detailError(
      503,
      "This service has no SERVICE_SECRETS_KEY, so it cannot store channels.",
    );
  };
  const open = (row: ChannelRow) => (context.secretsKey ? openChannel(keys(), row) : null);
  const presentRow = (row: ChannelRow) => {
    const opened = open(row);
    return opened
      ? presentSettings(opened.adapter, opened.settings)
      : { settings: {}, secrets_set: [] };
  };
  const present = (row: ChannelRow): ChannelSetup => ({
    channel: row.channel,
    provider: row.provider,
    ...presentRow(row),
    templates: row.templates,
    is_active: row.is_active,
    per_minute: row.per_minute,
    problem: row.problem,
    problem_at: row.problem_at?.toISOString() ?? null,
    report_url: `${publicUrl}/message-reports/${row.report_key}`,
    version: row.version,
  });
  const list = async (database: Database, sellerId: number): Promise<ChannelSetups> => {
    const { now: at, most } = limit();
    const until = await hourLimitUntil(database, sellerId, { now: at, most });
    const count = until ? await countWaiting(database, sellerId, at) : 0;
    return {
      results: (await selectChannels(database, sellerId)).map(present),
      providers: PROVIDERS,
      hour_limit: most === 0 ? null : most,
      over_limit: until && { count, until: until.toISOString() },
    };
  };

  api.get(
    "/channels/",
    withRouteDoc({
      summary: "List the channels for messages",
      description:
        "What is set up for this account, and which providers can be set up with which settings. Secrets are never shown.",
      answer: ChannelSetups,
    }),
    (request) => list(pool, sellerOf(request).seller_id),
  );

  api.post(
    "/channels/:channel/",
    writeRoute<Named, SaveChannel, ChannelSetup>(context, {
      summary: "Set up a channel for messages",
      description:
        "Settings replace the stored ones; a secret that is left out keeps its value while the provider is the same.",
      answer: ChannelSetup,
      refusals: { 409: "It was changed in the meantime; this request changed nothing" },
      schema: SaveChannel,
      work: async ({ database, seller: { seller_id } }, { version, ...input }, { params }) => {
        const channel = requireChannel(params.channel);
        const [key] = keys() as [Buffer];
        const adapter = adapterOf(input.provider);
        if (adapter?.channel !== channel)
          throw new ApiError(400, { provider: ["This provider does not serve this channel."] });
        const known = await selectChannel(database, seller_id, channel);
        const kept = known?.provider === input.provider ? open(known)?.settings : undefined;
        const settings = readSettings(adapter, input.settings, kept ?? {});
        const row = await saveChannel(
          database,
          {
            ...input,
            seller_id,
            channel,
            sealed_settings: encryptSecret(key, seller_id, JSON.stringify(settings)),
          },
          { version, at: now() },
        );
        if (!row) throw changedMeanwhileError("The channel");
        if (!row.is_active) await leaveChannel(database, row, now());
        return present(row);
      },
    }),
  );

  api.post(
    "/channels/:channel/remove/",
    writeRoute<Named, undefined, ChannelSetups>(context, {
      summary: "Remove a channel for messages",
      description:
        "Deletes the channel's settings. Queued messages are sent by the next channel that reaches the recipient, or fail.",
      answer: ChannelSetups,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const removed = await deleteChannel(
          database,
          seller_id,
          requireChannel(params.channel),
        );
        if (!removed) throw notFoundError();
        await leaveChannel(database, removed, now());
        return list(database, seller_id);
      },
    }),
  );

  api.post(
    "/channels/:channel/check/",
    writeRoute<Named, undefined, { seller_id: number; channel: string }>(context, {
      summary: "Check a channel's settings",
      description:
        "Asks the provider a question whose answer proves the settings. No message is sent.",
      answer: CheckedChannel,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const row = await selectChannel(database, seller_id, requireChannel(params.channel));
        if (!row) throw notFoundError();
        return { seller_id, channel: row.channel };
      },
      after: async ({ seller_id, channel }) => {
        const row = await selectChannel(pool, seller_id, channel);
        const opened = row && open(row);
        if (!opened) return { ok: false, text: "The settings cannot be read.", credit: null };
        const { ok, text, credit } = await opened.adapter.check(opened.settings, {
          signal: AbortSignal.timeout(CHECK_TIMEOUT),
          allowPrivate: mode === "test" && privateTargets,
        });
        return { ok, text, credit: credit ?? null };
      },
    }),
  );

  api.post(
    "/channels/:channel/test/",
    writeRoute<Named, SendTestMessage, SentMessage>(context, {
      summary: "Send a test message",
      description: "Queues a short message; the list of messages shows what became of it.",
      status: 201,
      success: "Queued",
      answer: SentMessage,
      schema: SendTestMessage,
      work: async (
        { database, seller: { seller_id, name, time_zone } },
        { to },
        { params },
      ) => {
        const channel = requireChannel(params.channel);
        const isMail = channel === "email";
        const currency = await readCurrency(database, seller_id);
        if (
          isMail
            ? !/^\S+@\S+\.\S+$/.test(to)
            : toInternational(to, { time_zone, currency }) === null
        )
          throw new ApiError(400, {
            to: [isMail ? FIELD_MESSAGES.email : FIELD_MESSAGES.phone],
          });
        const cause = `test:${randomUUID()}`;
        const queued = await queueMessage(database, {
          seller_id,
          kind: "test",
          cause,
          subscription_id: null,
          phone: isMail ? "" : to,
          email: isMail ? to : "",
          language: "en",
          subject: `Test message from ${name}`,
          body: `This is a test message from ${name}. Nothing needs to be done.`,
          parameters: [name],
          at: now(),
          expires_at: new Date(now().getTime() + DAY),
          channel,
        });
        if (queued === "no_channel") throw notFoundError();
        return requireMessage(database, seller_id, cause);
      },
    }),
  );

  api.get(
    "/messages/",
    filteredRoute({
      summary: "List messages",
      description:
        "What the service sends to buyers, newest first; `next` is the URL of the next page.",
      filters: MessageQuery,
      meanings: {
        subscription_id: "Only messages about this subscription",
        state: "Only messages in this state",
        kind: "Only messages of this kind",
        before: "Only messages before the one with this id",
        page_size: "Rows per page",
      },
      answer: MessagePage,
      read: async ({ page_size: size, ...query }, request) => {
        const { seller_id } = sellerOf(request);
        if (query.before && !(await isMessage(pool, seller_id, query.before)))
          throw new ApiError(400, { before: ["There is no such message."] });
        const found = await selectMessages(pool, seller_id, query, size + 1);
        const rows = await sayWaiting(pool, seller_id, found, limit());
        return pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => id });
      },
    }),
  );
}

const readCurrency = async (database: Database, sellerId: number) =>
  (await queryValue<string>(database, "select currency from seller where seller_id = $1", [
    sellerId,
  ])) ?? "";

/** @throws 404 for another name */
function requireChannel(name: string): SendingChannel {
  const channel = SENDING_CHANNELS.find((each) => each === name);
  if (!channel) throw notFoundError();
  return channel;
}

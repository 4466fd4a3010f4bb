import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { ResolveHost } from "../outgoing/guarded-lookup.ts";
import { repeatWhenWoken, runWokenWorker, type Jobs } from "../jobs.ts";
import { MESSAGES_CHANNEL } from "./outbox.ts";
import { rerouteMessages } from "./reroute.ts";
import {
  sendMessage,
  type FindAttachment,
  type SendContext,
  type WriteMessage,
} from "./send.ts";
import {
  leaseChannels,
  releaseChannel,
  selectDueCodes,
  selectDueMessages,
  type LeasedChannel,
  type MessageKey,
} from "./store.ts";
import { concludeAbandoned, expireMessages, nextMessageAt } from "./sweep.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The most codes under way at a time, in addition to all other messages. */
const CODES = 32;
const CHANNELS = 20;
/** The most messages under way at a time by one channel. */
const PER_CHANNEL = 16;
/** Milliseconds of a channel's lease, during which one process works on it. */
const LEASE = MINUTE;
const SLICE = 20 * SECOND;
const CLOSE_WAIT = 5 * SECOND;

export interface MessageWorkerOptions {
  pool: pg.Pool;
  now: () => Date;
  mode: "test" | "live";
  secretsKey: Buffer;
  oldSecretsKeys?: readonly Buffer[];
  publicUrl: string;
  privateTargets?: boolean;
  write: WriteMessage;
  attach?: FindAttachment;
  onError?: (error: unknown) => void;
  onAttempt?: SendContext["onAttempt"] | undefined;
  resolve?: ResolveHost;
  random?: () => number;
  timeout?: number;
  messagesPerHour?: number;
}

/**
 * Sends queued messages. Codes are sent at once, next to everything else; other messages by channel,
 * each channel at its own pace in one process at a time.
 */
export function createMessageWorker({
  pool,
  now,
  mode,
  secretsKey,
  oldSecretsKeys = [],
  publicUrl,
  privateTargets = false,
  write,
  attach = async () => null,
  onError = () => {},
  onAttempt = () => {},
  resolve,
  random = Math.random,
  timeout = 15 * SECOND,
  messagesPerHour = 0,
}: MessageWorkerOptions) {
  const closing = new AbortController();
  const cut = new AbortController();
  const isClosing = () => closing.signal.aborted;
  let timer: NodeJS.Timeout | undefined;
  const codes = new Map<string, Promise<unknown>>();
  const channels = new Set<Promise<void>>();
  let sweeping: Promise<void> | null = null;
  const context: SendContext = {
    pool,
    now,
    random,
    secretsKeys: [secretsKey, ...oldSecretsKeys],
    publicUrl,
    allowPrivate: mode === "test" && privateTargets,
    resolve,
    timeout,
    signal: cut.signal,
    onAttempt,
    write,
    attach,
    messagesPerHour,
  };

  const sendCodes = async () => {
    const due = await selectDueCodes(pool, {
      now: now(),
      except: [...codes.keys()],
      limit: CODES - codes.size,
    });
    for (const key of due) {
      const { message_id } = key;
      const sending = sendMessage(context, key)
        .catch(onError)
        .finally(() => {
          codes.delete(message_id);
          wake();
        });
      codes.set(message_id, sending);
    }
    if (due.length === 0) await setTimer();
  };

  const serveChannel = async (channel: LeasedChannel, token: string) => {
    const end = performance.now() + SLICE;
    const sending = new Set<Promise<void>>();
    const taken = new Set<string>();
    const paused: { until: Date | null } = { until: null };
    const mayGoOn = () => !isClosing() && !paused.until && performance.now() < end;
    let next = performance.now();
    const start = (key: MessageKey) => {
      const one = sendMessage(context, key)
        .then((until) => {
          paused.until = until ?? paused.until;
        })
        .catch(onError)
        .finally(() => sending.delete(one));
      sending.add(one);
    };
    while (mayGoOn()) {
      const due = await selectDueMessages(pool, channel, { now: now(), limit: 100 });
      const fresh = due.filter(({ message_id }) => !taken.has(message_id));
      if (fresh.length === 0) break;
      for (const key of fresh) {
        while (sending.size >= PER_CHANNEL) await Promise.race(sending);
        const wait = next - performance.now();
        if (wait > 0) await pause(wait, undefined, { signal: closing.signal }).catch(() => {});
        if (!mayGoOn()) break;
        next = Math.max(next, performance.now()) + MINUTE / channel.per_minute;
        taken.add(key.message_id);
        start(key);
      }
      if (sending.size > 0) await Promise.race(sending);
    }
    await Promise.all(sending);
    // The next slice must not begin faster than the pace allows.
    const paced = new Date(now().getTime() + Math.max(next - performance.now(), 0));
    await releaseChannel(pool, channel, { token, free_at: paused.until ?? paced });
  };

  const sendOthers = async () => {
    const free = CHANNELS - channels.size;
    if (free <= 0) return;
    const token = randomUUID();
    const at = now();
    const until = new Date(at.getTime() + LEASE);
    for (const leased of await leaseChannels(pool, { token, now: at, until, limit: free })) {
      const serving: Promise<void> = serveChannel(leased, token)
        .catch(onError)
        .finally(() => {
          channels.delete(serving);
          wake();
        });
      channels.add(serving);
    }
  };

  const options = { isClosing, onError };
  const codeRounds = repeatWhenWoken(sendCodes, options);
  const otherRounds = repeatWhenWoken(sendOthers, options);

  // Codes are sent between the sweep's statements, because buyers wait for them.
  const onStatement = () => codeRounds.wake();

  // A step that fails keeps neither the other steps nor due messages from going on.
  const takeSteps = async () => {
    for (const step of [concludeAbandoned, expireMessages, rerouteMessages]) {
      await step({ pool, now, signal: closing.signal, onError, onStatement }).catch(onError);
      wake();
    }
  };

  // With many messages a sweep takes longer than the timer, which must not begin a second one.
  const sweep = () =>
    (sweeping ??= takeSteps().finally(() => {
      sweeping = null;
    }));

  const setTimer = async () => {
    const next = await nextMessageAt(pool);
    clearTimeout(timer);
    if (next === null || isClosing()) return;
    const wait = Math.max(next.getTime() - now().getTime(), 10);
    if (wait < MINUTE) timer = setTimeout(() => void sweep().catch(onError), wait).unref();
  };

  function wake() {
    codeRounds.wake();
    otherRounds.wake();
  }

  const idle = async () => {
    for (;;) {
      const running = [
        codeRounds.running(),
        otherRounds.running(),
        ...codes.values(),
        ...channels,
        sweeping,
      ].filter((each) => each !== null);
      if (running.length === 0) return;
      await Promise.all(running);
    }
  };

  return {
    wake,
    /** Sends what is due; resolves when nothing is under way any more. */
    sendDue: async () => {
      wake();
      await idle();
    },
    sweep,
    /** Starts nothing new, and waits a while for running requests. */
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      const giveUp = setTimeout(() => cut.abort(), CLOSE_WAIT);
      await idle();
      clearTimeout(giveUp);
    },
  };
}

/**
 * Sends messages until it is closed. It wakes on each commit that queues one, by its own timer
 * for retries, and by one sweep a minute among all processes.
 */
export const runMessages = (jobs: Jobs, options: Omit<MessageWorkerOptions, "pool">) =>
  runWokenWorker(jobs, createMessageWorker({ ...options, pool: jobs.pool }), {
    sweep: "message-sweep",
    channel: MESSAGES_CHANNEL,
  });

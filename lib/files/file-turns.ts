import { AppError, failureOf } from "#lib/failure.ts";
import { closedAfter, whileAllowed } from "./file-response.ts";
import { createFairQueue } from "#lib/fair-queue.ts";

/** A file that is made while it is taken. */
export interface FileAsker {
  seller_id: string;
  user_id: string;
  /** What they are told while another one is made. */
  busy: string;
  /** Asked before each batch: whoever may no more gets no more of it. */
  mayGoOn: () => Promise<boolean>;
  /** Milliseconds after which nobody is taken to want the rest. */
  longestPause?: number;
  /** Milliseconds for the whole, after which it breaks off. */
  longest?: number;
}

export interface OpenFile {
  body: ReadableStream<Uint8Array>;
  close: () => Promise<void>;
}

interface Source {
  source: ReadableStream<Uint8Array>;
  close?: () => Promise<void>;
}

type Allowed = <Batch>(batches: AsyncGenerator<Batch>) => AsyncGenerator<Batch>;

const LONGEST_PAUSE = 60_000;
/** A million rows take two minutes where the browser is quick. */
const LONGEST = 15 * 60_000;
/** Each reads for as long as its browser takes, and pages need connections too. */
const ONE_EACH = { atOnce: 3, ofOneSeller: 1, mostWaiting: 0 };
const inSellersTurn = createFairQueue(ONE_EACH);
/** Whoever works for many sellers must not have a turn at each. */
const inPersonsTurn = createFairQueue(ONE_EACH);

/**
 * One file at a time for a seller and for a person, until it is taken, takes too long, or whoever
 * asked may no more. @param open gets what breaks its batches off then
 * @throws AppError `conflict` while another one is made
 */
export function openFile<Opened extends Source>(
  { seller_id, user_id, busy, mayGoOn, ...limits }: FileAsker,
  open: (allowed: Allowed) => Promise<Opened>,
): Promise<Opened & OpenFile> {
  const file = Promise.withResolvers<Opened & OpenFile>();
  const ended = Promise.withResolvers<void>();
  const make = async () => {
    const opened = await open((batches) => whileAllowed(batches, mayGoOn));
    const close = async () => {
      try {
        await opened.close?.();
      } finally {
        ended.resolve();
      }
      await turn;
    };
    const { longestPause = LONGEST_PAUSE, longest = LONGEST } = limits;
    const body = closedAfter(opened.source, close, { longestPause, longest });
    file.resolve({ ...opened, body, close });
    await ended.promise;
  };
  const turn: Promise<void> = inSellersTurn(seller_id, () => inPersonsTurn(user_id, make));
  turn.catch((error: unknown) =>
    file.reject(
      failureOf(error).kind === "rate_limited"
        ? new AppError({ kind: "conflict", detail: busy })
        : error,
    ),
  );
  return file.promise;
}

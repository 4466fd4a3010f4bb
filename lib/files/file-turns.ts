import { AppError, failureOf } from "#lib/failure.ts";
import { createFairQueue } from "#lib/fair-queue.ts";

export interface FileRequester {
  seller_id: string;
  user_id: string;
  /** The error message while another file is being made. */
  busy: string;
  /** Asked before each batch; false ends the download. */
  mayGoOn: () => Promise<boolean>;
  /** Milliseconds without reading after which the download ends. */
  longestPause?: number;
  /** Maximum milliseconds of a download. */
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
/** The longest download, in milliseconds: a million rows take two minutes on a fast connection. */
const LONGEST = 15 * 60_000;
/** A download holds a database connection for long, so few run at once. */
const ONE_EACH = { atOnce: 3, ofOneSeller: 1, mostWaiting: 0 };
const inSellersTurn = createFairQueue(ONE_EACH);
/** A user of many sellers gets one download in total. */
const inPersonsTurn = createFairQueue(ONE_EACH);

/**
 * Opens a file that is written while it is downloaded; one at a time per seller and user, until it
 * ends, takes too long, or the user loses permission.
 * @param open receives a function that ends the batches once the user loses permission
 * @throws AppError `conflict` while another file is made
 */
export function openFile<Opened extends Source>(
  { seller_id, user_id, busy, mayGoOn, ...limits }: FileRequester,
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

/** Yields the batches, and stops once the user loses the permission: a download can take long. */
async function* whileAllowed<Batch>(
  batches: AsyncGenerator<Batch>,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (!(await mayGoOn())) throw new AppError({ kind: "forbidden" });
    yield batch;
  }
}

/** The same stream; `close` runs at its end, on cancellation, on an error, or at a timeout. */
function closedAfter(
  source: ReadableStream<Uint8Array>,
  close: () => Promise<void>,
  { longestPause, longest }: { longestPause: number; longest: number },
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let whole: ReturnType<typeof setTimeout> | undefined;
  const end = async (reason?: unknown) => {
    clearTimeout(pause);
    clearTimeout(whole);
    await reader.cancel(reason).catch(() => {});
    await close();
  };
  const breakOff = (controller: ReadableStreamDefaultController, why: string) => {
    controller.error(new Error(why));
    void end();
  };
  const wait = (controller: ReadableStreamDefaultController) => {
    pause = setTimeout(
      () => breakOff(controller, "the browser stopped reading the file"),
      longestPause,
    );
  };
  const start = (controller: ReadableStreamDefaultController) => {
    whole = setTimeout(() => breakOff(controller, "the file took too long"), longest);
    wait(controller);
  };
  const pull = async (controller: ReadableStreamDefaultController) => {
    clearTimeout(pause);
    try {
      const { done, value } = await reader.read();
      if (!done) {
        controller.enqueue(value);
        return wait(controller);
      }
    } catch (error) {
      await end(error);
      throw error;
    }
    clearTimeout(whole);
    await close();
    controller.close();
  };
  return new ReadableStream({ start, pull, cancel: end }, { highWaterMark: 0 });
}

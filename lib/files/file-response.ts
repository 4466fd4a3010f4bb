import { AppError } from "#lib/failure.ts";

/** A download with this name that no cache stores. */
export function fileResponse(
  filename: string,
  type: string,
  body: string | ReadableStream,
): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
    },
  });
}

/** The batches, until the user loses permission: an export can outlive the request that started it. */
export async function* whileAllowed<Batch>(
  batches: AsyncGenerator<Batch>,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (!(await mayGoOn())) throw new AppError({ kind: "forbidden" });
    yield batch;
  }
}

/**
 * The same stream; `close` runs at its end, on cancellation, or at a timeout. Times in milliseconds.
 */
export function closedAfter(
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
      () => breakOff(controller, "nobody took the rest of the file"),
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

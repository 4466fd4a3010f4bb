/** For saving under that name, and for nobody to keep on the way. */
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

/** The same bytes; `close` runs once they are all taken, nobody wants more, or nobody takes any. */
export function closedAfter(
  source: ReadableStream<Uint8Array>,
  close: () => Promise<void>,
  longestPause: number,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let pause: ReturnType<typeof setTimeout> | undefined;
  const end = async (reason?: unknown) => {
    clearTimeout(pause);
    await reader.cancel(reason).catch(() => {});
    await close();
  };
  const wait = (controller: ReadableStreamDefaultController) => {
    pause = setTimeout(() => {
      controller.error(new Error("nobody took the rest of the file"));
      void end();
    }, longestPause);
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
    await close();
    controller.close();
  };
  return new ReadableStream({ start: wait, pull, cancel: end }, { highWaterMark: 0 });
}

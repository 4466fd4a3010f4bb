const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** A new trace id. All requests after an interaction share one, until the next interaction. */
const newTrace = () => `00-${hex(16)}-${hex(8)}-01`;

/** Adds the trace of the last interaction to every request to the page's own server. */
export function traceFetches(target: Pick<typeof globalThis, "fetch"> & EventTarget): void {
  const { fetch } = target;
  let traceparent = newTrace();
  for (const kind of ["pointerdown", "keydown"])
    target.addEventListener(kind, () => (traceparent = newTrace()), { capture: true });
  target.fetch = (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin === location.origin)
      request.headers.set("traceparent", traceparent);
    return fetch.call(target, request);
  };
}

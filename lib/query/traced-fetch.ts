const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** What is asked for after one press belongs to it, until the next. */
const newTrace = () => `00-${hex(16)}-${hex(8)}-01`;

/** Gives every request of this page to its own server the trace of the press that led to it. */
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

interface Course {
  onError?: ((error: unknown) => void) | undefined;
  /** Takes no further step once it is aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Works on all items in order, each until a step says that nothing is left to do for it. An item
 * that fails is reported and does not stop the others.
 */
export async function finishEach<One>(
  all: readonly One[],
  step: (one: One) => Promise<boolean>,
  { onError, signal }: Course,
): Promise<void> {
  for (const one of all)
    try {
      while (!signal?.aborted && (await step(one)));
    } catch (error) {
      onError?.(error);
    }
}

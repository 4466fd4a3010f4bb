/** A browser's address at its push service, and the keys that encrypt messages to it. */
interface PushSubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** `unsupported`: the browser has no push. `refused`: the person or the browser does not allow it. */
export type PushProblem = "unsupported" | "refused" | "failed";

const WORKER = "/sw.js";

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window;

/**
 * Asks for permission, installs the service worker and subscribes.
 * @param key the installation's public key
 */
export async function subscribeToPush(
  key: string,
): Promise<PushSubscriptionKeys | PushProblem> {
  if (!isSupported()) return "unsupported";
  if ((await Notification.requestPermission()) !== "granted") return "refused";
  try {
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // Browsers refuse to subscribe while there is a subscription for an earlier key of the installation.
    await (await pushManager.getSubscription())?.unsubscribe();
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    const { endpoint, keys } = subscription.toJSON();
    return endpoint && keys?.["p256dh"] && keys["auth"]
      ? { endpoint, p256dh: keys["p256dh"], auth: keys["auth"] }
      : "failed";
  } catch {
    return "failed";
  }
}

async function ownSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** The push address of this browser; null if it gets no pushes. */
export const ownPushEndpoint = async (): Promise<string | null> =>
  (await ownSubscription().catch(() => null))?.endpoint ?? null;

/** Ends this browser's subscription if it is the one at `endpoint`. */
export async function endOwnSubscription(endpoint: string): Promise<void> {
  const subscription = await ownSubscription().catch(() => null);
  if (subscription?.endpoint === endpoint) await subscription.unsubscribe().catch(() => false);
}

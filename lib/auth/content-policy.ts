/** The response header for the browser; Next reads the nonce from the request header of this name. */
export const POLICY_HEADER = "content-security-policy";

/**
 * Requires HTTPS for one year. Without `preload`, because browser vendors remove a preloaded site
 * only slowly.
 */
export const TRANSPORT_HEADER = [
  "strict-transport-security",
  "max-age=31536000; includeSubDomains",
] as const;

/** Browser features that no page may use. */
export const PERMISSIONS_HEADER = [
  "permissions-policy",
  "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), serial=(), usb=()",
] as const;

interface PolicyOptions {
  isDevelopment?: boolean;
  /** Origins from which images may be loaded over plain HTTP. */
  imageOrigins?: readonly string[];
}

/**
 * The sources that a page may load and connect to. Only scripts with the response's nonce run, and
 * those that they load; see docs/decisions/0020-content-security-policy.md.
 */
export function contentPolicy(
  nonce: string,
  { isDevelopment = false, imageOrigins = [] }: PolicyOptions = {},
): string {
  const directives = {
    "default-src": "'none'",
    // The development server evaluates its modules and writes styles into the page.
    "script-src": `'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src": isDevelopment ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    // Product images come from any host of the seller or from the billing service, possibly without TLS.
    "img-src": ["'self' data: https:", ...imageOrigins].join(" "),
    "font-src": "'self'",
    "connect-src": isDevelopment ? "'self' ws: wss:" : "'self'",
    "manifest-src": "'self'",
    // The service worker that shows pushes; no page starts another one.
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** The nonce in a content policy; undefined if it has none. */
export const nonceOf = (policy: string | null): string | undefined =>
  /'nonce-([^']+)'/.exec(policy ?? "")?.[1];

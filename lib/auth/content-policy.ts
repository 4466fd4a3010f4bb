/** Both the browser's header and where Next looks for the nonce. */
export const POLICY_HEADER = "content-security-policy";

/** For a year; without `preload`, which cannot be taken back. */
export const TRANSPORT_HEADER = [
  "strict-transport-security",
  "max-age=31536000; includeSubDomains",
] as const;

interface PolicyOptions {
  isDevelopment?: boolean;
  /** Where images may come from without TLS. */
  imageOrigins?: readonly string[];
}

/**
 * What a page may load and where it may send. Only scripts with this answer's nonce run, and what
 * those load themselves; see docs/decisions/0020-content-security-policy.md.
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
    // Product images live where the seller keeps them, or at the billing service, perhaps without TLS.
    "img-src": ["'self' data: https:", ...imageOrigins].join(" "),
    "font-src": "'self'",
    "connect-src": isDevelopment ? "'self' ws: wss:" : "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** The nonce of the policy that this answer is given; undefined where there is none. */
export const nonceOf = (policy: string | null): string | undefined =>
  /'nonce-([^']+)'/.exec(policy ?? "")?.[1];

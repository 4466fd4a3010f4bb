const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // A response opened directly may do nothing; pages set their own policy.
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** One year; without `preload`, which cannot be undone. */
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** Security headers of every answer, also of errors. */
export const answerHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith("https://") ? { ...HEADERS, ...TRANSPORT } : HEADERS;

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Opened by itself, an answer may do nothing; pages say for themselves what they need.
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** For a year; without `preload`, which cannot be taken back. */
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** What a browser keeps to in every answer, refusals too. */
export const answerHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith("https://") ? { ...HEADERS, ...TRANSPORT } : HEADERS;

/** The base URL of a checkout link; null for a link in another form. */
export function checkoutBaseOf(checkout_url: string, subscription_id: string): string | null {
  const tail = `/pay/${subscription_id}`;
  const url = URL.parse(checkout_url);
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  return isHttp && checkout_url.endsWith(tail) ? checkout_url.slice(0, -tail.length) : null;
}

/** The API returns the link only at creation; the specification fixes its form. */
export function checkoutLink(base: string | null, subscription_id: string): string | null {
  return base === null ? null : `${base}/pay/${subscription_id}`;
}

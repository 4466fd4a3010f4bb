type NumberFormat = typeof Intl.NumberFormat;

/**
 * Chromium brings no Nepali numbers: messages would count in Latin digits there, and in others than the
 * server's. Hindi groups as Nepali does, and takes the same digits.
 */
export function withNepaliNumbers(own: NumberFormat): NumberFormat {
  if (own.supportedLocalesOf("ne").length > 0) return own;
  return new Proxy(own, {
    construct: (target, [locales, options]: ConstructorParameters<NumberFormat>) =>
      new target(locales === "ne" ? "hi-u-nu-deva" : locales, options),
  });
}

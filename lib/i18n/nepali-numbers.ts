type NumberFormat = typeof Intl.NumberFormat;

/**
 * Chromium has no Nepali number format; Hindi has the same digits and grouping. Checked at first use,
 * because the check takes four frames on a phone.
 */
export function withNepaliNumbers(own: NumberFormat): NumberFormat {
  let isMissing: boolean | undefined;
  const knownFor = (locales: Intl.LocalesArgument) => {
    if (locales !== "ne") return locales;
    isMissing ??= own.supportedLocalesOf("ne").length === 0;
    return isMissing ? "hi-u-nu-deva" : locales;
  };
  return new Proxy(own, {
    construct: (target, [locales, options]: ConstructorParameters<NumberFormat>) =>
      new target(knownFor(locales), options),
  });
}

type NumberFormat = typeof Intl.NumberFormat;

/**
 * Chromium brings no Nepali numbers: messages would count in Latin digits there, and in others than the
 * server's. Hindi groups as Nepali does, and takes the same digits. Whether there are any is asked for
 * when the first are written: on a phone the answer takes as long as four frames.
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

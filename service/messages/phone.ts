import { parsePhoneNumberFromString } from "libphonenumber-js";

/** A phone number in E.164 form, read as Nepali unless it has a country code; null if it is none. */
export const toInternational = (phone: string): string | null => {
  const number = parsePhoneNumberFromString(phone.replace(/^00/, "+"), "NP");
  return number?.isPossible() ? number.number : null;
};

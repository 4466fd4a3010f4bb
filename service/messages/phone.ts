import { parsePhoneNumberFromString, type CountryCode } from "libphonenumber-js";

/** Countries whose sellers write numbers without a country code; elsewhere one is needed. */
const COUNTRY_OF_ZONE: Record<string, CountryCode> = {
  "Asia/Kathmandu": "NP",
  "Asia/Katmandu": "NP",
  "Asia/Kolkata": "IN",
  "Asia/Calcutta": "IN",
  "Asia/Dhaka": "BD",
  "Asia/Thimphu": "BT",
  "Asia/Colombo": "LK",
};

/**
 * A phone number in E.164 form; null if it is none, or its country is not known.
 * @param time_zone the seller's, whose country counts for a number without a country code
 */
export function toInternational(phone: string, time_zone: string): string | null {
  const written = phone.trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(written, COUNTRY_OF_ZONE[time_zone]);
  return number?.isPossible() ? number.number : null;
}

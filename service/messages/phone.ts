import { parsePhoneNumberFromString, type CountryCode } from "libphonenumber-js";

/** Countries in which sellers write numbers without a country code; elsewhere one is needed. */
const COUNTRY_OF_ZONE: Record<string, CountryCode> = {
  "Asia/Kathmandu": "NP",
  "Asia/Katmandu": "NP",
  "Asia/Kolkata": "IN",
  "Asia/Calcutta": "IN",
  "Asia/Dhaka": "BD",
  "Asia/Thimphu": "BT",
  "Asia/Colombo": "LK",
};

const COUNTRY_OF_CURRENCY: Record<string, CountryCode> = {
  NPR: "NP",
  INR: "IN",
  BDT: "BD",
  BTN: "BT",
  LKR: "LK",
};

/**
 * A phone number in E.164 form; null if it is none, or its country is not known.
 * @param seller its time zone, else its currency, says whose number one without a country code is
 */
export function toInternational(
  phone: string,
  { time_zone, currency }: { time_zone: string; currency: string },
): string | null {
  const written = phone.trim().replace(/^00/, "+");
  const country = COUNTRY_OF_ZONE[time_zone] ?? COUNTRY_OF_CURRENCY[currency];
  const number = parsePhoneNumberFromString(written, country);
  return number?.isPossible() ? number.number : null;
}

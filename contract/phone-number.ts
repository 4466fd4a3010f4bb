/** How mobile numbers are written in a country. */
interface PhoneCountry {
  /** The country's calling code. */
  code: string;
  /** The digit before numbers within the country; empty if the country has none. */
  trunk: string;
  /** A mobile number without calling code and trunk digit. */
  mobile: RegExp;
}

/** Countries where sellers write numbers without a calling code; elsewhere one is needed. */
export const PHONE_COUNTRIES = {
  NP: { code: "977", trunk: "0", mobile: /^9\d{9}$/ },
  IN: { code: "91", trunk: "0", mobile: /^[6-9]\d{9}$/ },
  BD: { code: "880", trunk: "0", mobile: /^(?:1\d|64)\d{8}$/ },
  BT: { code: "975", trunk: "", mobile: /^(?:[178]7|16)\d{6}$/ },
  LK: { code: "94", trunk: "0", mobile: /^7\d{8}$/ },
  AE: { code: "971", trunk: "0", mobile: /^5\d{8}$/ },
  QA: { code: "974", trunk: "", mobile: /^[3567]\d{7}$/ },
  MY: { code: "60", trunk: "0", mobile: /^1\d{8,9}$/ },
} as const satisfies Record<string, PhoneCountry>;

export type PhoneCountryCode = keyof typeof PHONE_COUNTRIES;

const COUNTRY_OF_ZONE: Record<string, PhoneCountryCode> = {
  "Asia/Kathmandu": "NP",
  "Asia/Katmandu": "NP",
  "Asia/Kolkata": "IN",
  "Asia/Calcutta": "IN",
  "Asia/Dhaka": "BD",
  "Asia/Thimphu": "BT",
  "Asia/Colombo": "LK",
  "Asia/Dubai": "AE",
  "Asia/Qatar": "QA",
  "Asia/Kuala_Lumpur": "MY",
};

const COUNTRY_OF_CURRENCY: Record<string, PhoneCountryCode> = {
  NPR: "NP",
  INR: "IN",
  BDT: "BD",
  BTN: "BT",
  LKR: "LK",
  AED: "AE",
  QAR: "QA",
  MYR: "MY",
};

/** Decides the country of numbers without a calling code: the time zone, else the currency. */
export interface PhoneHome {
  time_zone: string;
  currency?: string;
}

export const phoneCountryOf = ({
  time_zone,
  currency = "",
}: PhoneHome): PhoneCountryCode | null =>
  COUNTRY_OF_ZONE[time_zone] ?? COUNTRY_OF_CURRENCY[currency] ?? null;

export function asciiDigits(text: string): string {
  return text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966));
}

/** Minimum number of digits that identify a person. */
const FEWEST_DIGITS = 7;

/**
 * A number without spaces, dashes, Nepal's calling code and leading 0, in ASCII digits; empty if
 * too short. Stored numbers have this form, so it must not change.
 */
export function phoneKey(phone: string): string {
  const national = nationalDigits(phone);
  return national.length < FEWEST_DIGITS ? "" : national;
}

/** As `phoneKey`, for a part of a number, as typed in a search. */
export function nationalDigits(phone: string): string {
  const digits = asciiDigits(phone).replace(/\D/g, "").replace(/^0+/, "");
  // Nepali mobile numbers can begin with 977 too, so the rest must be long enough.
  return digits.replace(/^977(?=\d{8,11}$)/, "").replace(/^0+/, "");
}

/** Whether two numbers have the same `phoneKey`; false if they are too short. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one);
  return key !== "" && key === phoneKey(other);
}

/**
 * Calling code and mobile number, digits only, as WhatsApp and Viber need them; null if the country
 * is unknown. A number with a calling code may be of any country; a number without one is of the
 * time zone's country.
 */
export function internationalDigits(phone: string, time_zone: string): string | null {
  const written = asciiDigits(phone).trim().replace("(0)", "");
  const abroad = /^(?:\+|00)(.*)$/.exec(written)?.[1]?.replace(/\D/g, "");
  if (abroad !== undefined) return /^[1-9]\d{6,14}$/.test(abroad) ? withoutTrunk(abroad) : null;
  const country = phoneCountryOf({ time_zone });
  if (!country) return null;
  const { code, mobile } = PHONE_COUNTRIES[country];
  const digits = written.replace(/\D/g, "").replace(/^0+/, "");
  const rest = digits.startsWith(code) ? digits.slice(code.length).replace(/^0/, "") : "";
  const national = [digits, rest].find((each) => mobile.test(each));
  return national === undefined ? null : code + national;
}

function withoutTrunk(digits: string): string {
  for (const { code, trunk, mobile } of Object.values(PHONE_COUNTRIES)) {
    const national = digits.slice(code.length + 1);
    if (trunk && digits.startsWith(code + trunk) && mobile.test(national))
      return code + national;
  }
  return digits;
}

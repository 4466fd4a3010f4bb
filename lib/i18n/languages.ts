export const LANGUAGES = ["en", "ne"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", ne: "नेपाली" };

export const isLanguage = (text: unknown): text is Language =>
  LANGUAGES.some((language) => language === text);

/** Calendars that can be shown next to Gregorian dates. */
export const SECOND_CALENDARS = ["bikram_sambat"] as const;
export type SecondCalendar = (typeof SECOND_CALENDARS)[number];

/** The best supported language of an Accept-Language header, else English. */
export function acceptedLanguage(header: string | null): Language {
  const asked = (header ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...settings] = part.trim().toLowerCase().split(";");
      const weight = settings.find((setting) => setting.trim().startsWith("q="));
      return {
        language: tag.split("-")[0],
        weight: weight ? Number(weight.split("=")[1]) : 1,
      };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return asked.map(({ language }) => language).find(isLanguage) ?? "en";
}

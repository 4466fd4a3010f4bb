import { minorUnits } from "#contract/amount.ts";

const EN_ONES = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen".split(" "),
  ..."fourteen fifteen sixteen seventeen eighteen nineteen".split(" "),
];
const EN_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const NE_NUMBERS = [
  ..."शून्य एक दुई तीन चार पाँच छ सात आठ नौ".split(" "),
  ..."दश एघार बाह्र तेह्र चौध पन्ध्र सोह्र सत्र अठार उन्नाइस".split(" "),
  ..."बीस एक्काइस बाइस तेइस चौबीस पच्चीस छब्बीस सत्ताइस अट्ठाइस उनन्तीस".split(" "),
  ..."तीस एकतीस बत्तीस तेत्तीस चौँतीस पैँतीस छत्तीस सैँतीस अठतीस उनन्चालीस".split(" "),
  ..."चालीस एकचालीस बयालीस त्रिचालीस चवालीस पैँतालीस छयालीस सतचालीस अठचालीस उनन्चास".split(" "),
  ..."पचास एकाउन्न बाउन्न त्रिपन्न चवन्न पचपन्न छपन्न सन्ताउन्न अन्ठाउन्न उनन्साठी".split(" "),
  ..."साठी एकसट्ठी बयसट्ठी त्रिसट्ठी चौँसट्ठी पैँसट्ठी छयसट्ठी सतसट्ठी अठसट्ठी उनन्सत्तरी".split(" "),
  ..."सत्तरी एकहत्तर बहत्तर त्रिहत्तर चौहत्तर पचहत्तर छयहत्तर सतहत्तर अठहत्तर उनासी".split(" "),
  ..."असी एकासी बयासी त्रियासी चौरासी पचासी छयासी सतासी अठासी उनान्नब्बे".split(" "),
  ..."नब्बे एकान्नब्बे बयानब्बे त्रियानब्बे चौरानब्बे पन्चानब्बे छयानब्बे सन्तानब्बे अन्ठानब्बे उनान्सय".split(" "),
];

/** Powers of ten with their names in English and Nepali, the largest first. */
const SCALE: [bigint, en: string, ne: string][] = [
  [100_000_000_000n, "kharab", "खर्ब"],
  [1_000_000_000n, "arab", "अर्ब"],
  [10_000_000n, "crore", "करोड"],
  [100_000n, "lakh", "लाख"],
  [1_000n, "thousand", "हजार"],
  [100n, "hundred", "सय"],
];

const under100 = {
  en: (value: number) => {
    const ones = value % 10;
    if (value < 20) return EN_ONES[value] ?? "";
    return `${EN_TENS[(value - ones) / 10]}${ones > 0 ? `-${EN_ONES[ones]}` : ""}`;
  },
  ne: (value: number) => NE_NUMBERS[value] ?? "",
};

function inWords(value: bigint, language: "en" | "ne"): string {
  const words: string[] = [];
  let rest = value;
  for (const [size, en, ne] of SCALE) {
    if (rest >= size) words.push(inWords(rest / size, language), language === "en" ? en : ne);
    rest %= size;
  }
  if (rest > 0n || words.length === 0) words.push(under100[language](Number(rest)));
  return words.join(" ");
}

/** Currencies that have rupees and paisa. */
const RUPEES = ["NPR", "INR"];

/**
 * An amount as a bill states it in words, in lakh and crore.
 * @param amount decimal text with two places
 * @throws for any other text
 */
export function amountInWords(currency: string, amount: string, language: "en" | "ne"): string {
  const units = minorUnits(amount, 2);
  if (units === null) throw new Error("An amount must be a decimal with two places.");
  const [whole, part] = [units / 100n, units % 100n];
  const words = inWords(whole, language);
  const isRupees = RUPEES.includes(currency);
  const small = part > 0n ? inWords(part, language) : null;
  if (language === "ne") {
    const main = isRupees ? `${words} रुपैयाँ` : `${currency} ${words}`;
    return `${main}${small ? ` ${small} ${isRupees ? "पैसा" : "सयांश"}` : ""} मात्र`;
  }
  const main = isRupees
    ? `${words} ${whole === 1n ? "rupee" : "rupees"}`
    : `${currency} ${words}`;
  const rest = small && ` and ${small} ${isRupees ? "paisa" : "hundredths"}`;
  const text = `${main}${rest ?? ""} only`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

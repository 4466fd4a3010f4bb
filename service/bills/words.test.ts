import { expect, it } from "vitest";
import { amountInWords } from "./words.ts";

it.each([
  ["0.00", "Zero rupees only", "शून्य रुपैयाँ मात्र"],
  ["0.05", "Zero rupees and five paisa only", "शून्य रुपैयाँ पाँच पैसा मात्र"],
  ["1.00", "One rupee only", "एक रुपैयाँ मात्र"],
  ["19.99", "Nineteen rupees and ninety-nine paisa only", "उन्नाइस रुपैयाँ उनान्सय पैसा मात्र"],
  ["100.00", "One hundred rupees only", "एक सय रुपैयाँ मात्र"],
  ["1130.00", "One thousand one hundred thirty rupees only", "एक हजार एक सय तीस रुपैयाँ मात्र"],
  [
    "99999.00",
    "Ninety-nine thousand nine hundred ninety-nine rupees only",
    "उनान्सय हजार नौ सय उनान्सय रुपैयाँ मात्र",
  ],
  ["100000.00", "One lakh rupees only", "एक लाख रुपैयाँ मात्र"],
  [
    "1234567.50",
    "Twelve lakh thirty-four thousand five hundred sixty-seven rupees and fifty paisa only",
    "बाह्र लाख चौँतीस हजार पाँच सय सतसट्ठी रुपैयाँ पचास पैसा मात्र",
  ],
  ["10000001.01", "One crore one rupees and one paisa only", "एक करोड एक रुपैयाँ एक पैसा मात्र"],
  [
    "456789012.00",
    "Forty-five crore sixty-seven lakh eighty-nine thousand twelve rupees only",
    "पैँतालीस करोड सतसट्ठी लाख उनान्नब्बे हजार बाह्र रुपैयाँ मात्र",
  ],
  [
    "999999999999.99",
    "Nine kharab ninety-nine arab ninety-nine crore ninety-nine lakh ninety-nine thousand nine hundred ninety-nine rupees and ninety-nine paisa only",
    "नौ खर्ब उनान्सय अर्ब उनान्सय करोड उनान्सय लाख उनान्सय हजार नौ सय उनान्सय रुपैयाँ उनान्सय पैसा मात्र",
  ],
])("%s rupees are written in English and Nepali words", (amount, en, ne) => {
  expect(amountInWords("NPR", amount, "en")).toBe(en);
  expect(amountInWords("NPR", amount, "ne")).toBe(ne);
});

it("an amount in another currency than rupees is written with the currency's code before the words", () => {
  expect(amountInWords("USD", "250.10", "en")).toBe(
    "USD two hundred fifty and ten hundredths only",
  );
  expect(amountInWords("USD", "250.10", "ne")).toBe("USD दुई सय पचास दश सयांश मात्र");
});

it("no two whole amounts below one hundred rupees are written in the same words", () => {
  for (const language of ["en", "ne"] as const) {
    const words = Array.from({ length: 100 }, (_, value) =>
      amountInWords("NPR", `${value}.00`, language),
    );
    expect(new Set(words).size).toBe(100);
  }
});

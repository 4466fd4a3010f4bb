/** Hides most of the buyer's data, because anyone with the link can open the page. */
export function mask(text: string): string {
  return text.replace(/[^\s@.+-]+/gu, (word) => {
    const characters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
    return `${characters[0]}${"•".repeat(Math.min(Math.max(characters.length - 1, 1), 6))}`;
  });
}

export const maskPhone = (phone: string) => `•••• ${phone.replace(/\D/g, "").slice(-3)}`;

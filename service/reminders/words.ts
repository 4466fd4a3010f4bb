import type { MessageLanguage } from "#contract/names.ts";

/** The built-in texts of reminders and of the page that ends them. */
interface Words {
  /** Whole days that are left. */
  days: (count: number) => string;
  subscription: string;
  /** Appended to a text without the placeholder of the address that ends reminders. */
  stop: (address: string) => string;
  page: {
    title: string;
    running: (seller: string) => string;
    ended: (seller: string) => string;
    end: string;
    resume: string;
    keeps: string;
  };
}

export const REMINDER_WORDS: Record<MessageLanguage, Words> = {
  en: {
    days: (count) => (count < 1 ? "less than a day" : count === 1 ? "1 day" : `${count} days`),
    subscription: "your subscription",
    stop: (address) => `No more reminders: ${address}`,
    page: {
      title: "Reminders",
      running: (seller) => `${seller} reminds you of payments.`,
      ended: (seller) => `${seller} no longer sends you reminders.`,
      end: "Stop reminders",
      resume: "Send me reminders again",
      keeps: "Your subscriptions stay as they are. Codes to pay with still reach you.",
    },
  },
  ne: {
    days: (count) => (count < 1 ? "एक दिनभन्दा कम समय" : `${count} दिन`),
    subscription: "तपाईंको सदस्यता",
    stop: (address) => `सम्झना नपठाउन: ${address}`,
    page: {
      title: "सम्झना",
      running: (seller) => `${seller} ले तपाईंलाई भुक्तानीको सम्झना गराउँछ।`,
      ended: (seller) => `${seller} ले अब तपाईंलाई सम्झना पठाउँदैन।`,
      end: "सम्झना रोक्नुहोस्",
      resume: "फेरि सम्झना पठाउनुहोस्",
      keeps: "तपाईंका सदस्यता जस्ताको तस्तै रहन्छन्। भुक्तानीका कोड भने आइरहन्छन्।",
    },
  },
};

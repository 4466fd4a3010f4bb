import type { MessageLanguage } from "#contract/names.ts";

/** The texts of the page for buyers, in addition to those of the checkout. */
const EN = {
  title: (seller: string) => `Your page at ${seller}`,
  lead: (seller: string) =>
    `What you have and owe at ${seller}, your receipts and your details. Confirm with a one-time code that this is you.`,
  address: {
    both: "Your phone number or email",
    phone: "Your phone number",
    email: "Your email",
  },
  noWay: (seller: string) =>
    `${seller} cannot send codes at the moment, so this page cannot be opened. Please ask them.`,
  problem: {
    address: "Write your whole phone number or email address, as the seller knows it.",
    too_soon:
      "A code was requested less than half a minute ago. Wait a moment, then try again.",
    too_many: "That was tried too often. Wait an hour, then try again.",
    expired: "That code is no longer valid. Request a new one.",
    ended: "You have left this page.",
    day: "Choose a day after today and your billing date, at most a year later.",
    asked_often: "You have asked five times in a day. Wait until tomorrow, then ask again.",
    not_possible: "This can no longer be asked for.",
  },
  sent: (address: string, seller: string) =>
    `If ${seller} knows ${address}, a code is on its way there.`,
  code: "One-time code",
  open: "Open my page",
  other: "Use another number or email",
  subject: (seller: string) => `Your code for your page at ${seller}`,
  body: (code: string, seller: string) =>
    `${code} is your code to see what you have at ${seller}. It is valid for 10 minutes. Give it to nobody.`,
  shown: (address: string) => `For ${address}`,
  nothing: (seller: string) =>
    `There is nothing here. ${seller} may know you by another number or email.`,
  owed: "To pay",
  nothingOwed: "Nothing is owed.",
  waits: "Not paid yet.",
  have: "What you have",
  ended: "What has ended",
  more: (seller: string) => `This is not all. Ask ${seller} about what is older.`,
  payments: "Payments",
  noPayments: "There is no payment yet.",
  reversed: "Taken back by the seller",
  earlier: "Earlier payments",
  back: "Back to your page",
  language: "Messages to you",
  languageText: "The language in which you are written to:",
  chosen: "Saved.",
  request: {
    title: "Pause or stop",
    what: "What do you want?",
    kinds: { pause: "A pause", stop: "No renewal any more" },
    until: "For a pause: the next billing date",
    words: "Your words, if you like",
    ask: (seller: string) => `Ask ${seller}`,
    note: (seller: string) => `Nothing changes until ${seller} has answered. You read it here.`,
    wish: {
      pause: (day: string) => `You asked for a pause until ${day}.`,
      stop: "You asked to stop.",
    },
    waits: (seller: string) => `${seller} has not answered yet.`,
    accepted: (seller: string) => `${seller} has agreed.`,
    declined: (seller: string) => `${seller} did not agree.`,
    withdraw: "Take it back",
  },
  leave: "Leave this page",
  leaveText: "This browser then asks for a code again.",
};

type Words = typeof EN;

const NE: Words = {
  title: (seller) => `${seller} मा तपाईंको पृष्ठ`,
  lead: (seller) =>
    `${seller} मा तपाईंसँग के छ, कति तिर्न बाँकी छ, रसिद र तपाईंको विवरण। तपाईं नै हो भनी एक पटक प्रयोग हुने कोडले पुष्टि गर्नुहोस्।`,
  address: {
    both: "तपाईंको फोन नम्बर वा इमेल",
    phone: "तपाईंको फोन नम्बर",
    email: "तपाईंको इमेल",
  },
  noWay: (seller) =>
    `${seller} ले अहिले कोड पठाउन सक्दैन, त्यसैले यो पृष्ठ खोल्न मिल्दैन। कृपया उहाँहरूलाई सोध्नुहोस्।`,
  problem: {
    address: "विक्रेतालाई थाहा भएको पूरा फोन नम्बर वा इमेल ठेगाना लेख्नुहोस्।",
    too_soon: "आधा मिनेट नबित्दै एउटा कोड मागिएको छ। एकछिन पर्खेर फेरि माग्नुहोस्।",
    too_many: "धेरै पटक प्रयास भयो। एक घण्टा पर्खनुहोस्, अनि फेरि प्रयास गर्नुहोस्।",
    expired: "त्यो कोड अब चल्दैन। नयाँ कोड माग्नुहोस्।",
    ended: "तपाईं यो पृष्ठबाट बाहिरिनुभयो।",
    day: "आजको र भुक्तानीको मितिपछिको, त्यसको एक वर्षभित्रको दिन छान्नुहोस्।",
    asked_often: "एक दिनमा पाँच पटक भनिसक्नुभयो। भोलिसम्म पर्खेर फेरि भन्नुहोस्।",
    not_possible: "यो अब माग्न मिल्दैन।",
  },
  sent: (address, seller) => `${seller} लाई ${address} थाहा छ भने त्यहाँ कोड आउँदै छ।`,
  code: "एक पटक प्रयोग हुने कोड",
  open: "मेरो पृष्ठ खोल्नुहोस्",
  other: "अर्को नम्बर वा इमेल प्रयोग गर्नुहोस्",
  subject: (seller) => `${seller} मा तपाईंको पृष्ठको कोड`,
  body: (code, seller) =>
    `${code} तपाईंको कोड हो। यसले ${seller} मा तपाईंको पृष्ठ खोल्छ। १० मिनेटसम्म मान्य। कसैलाई नदिनुहोस्।`,
  shown: (address) => `${address} का लागि`,
  nothing: (seller) => `यहाँ केही छैन। ${seller} ले तपाईंलाई अर्कै नम्बर वा इमेलबाट चिनेको हुन सक्छ।`,
  owed: "तिर्न बाँकी",
  nothingOwed: "केही तिर्न बाँकी छैन।",
  waits: "अझै तिरिएको छैन।",
  have: "तपाईंसँग भएको",
  ended: "सकिएको",
  more: (seller) => `यो सबै होइन। पुरानोबारे ${seller} लाई सोध्नुहोस्।`,
  payments: "भुक्तानी",
  noPayments: "अहिलेसम्म कुनै भुक्तानी छैन।",
  reversed: "विक्रेताले फिर्ता लिएको",
  earlier: "पहिलेका भुक्तानी",
  back: "तपाईंको पृष्ठमा फर्कनुहोस्",
  language: "तपाईंलाई सन्देश",
  languageText: "तपाईंलाई सन्देश पठाउने भाषा:",
  chosen: "सुरक्षित भयो।",
  request: {
    title: "केही समय वा सधैँका लागि रोक्ने",
    what: "के चाहनुहुन्छ?",
    kinds: { pause: "केही समय रोक्ने", stop: "अब नवीकरण नगर्ने" },
    until: "केही समय रोक्ने भए: अर्को भुक्तानीको मिति",
    words: "केही भन्नु भए लेख्नुहोस्",
    ask: (seller) => `${seller} लाई भन्नुहोस्`,
    note: (seller) => `${seller} ले जवाफ नदिएसम्म केही बदलिँदैन। जवाफ यहीँ देखिन्छ।`,
    wish: {
      pause: (day) => `तपाईंले ${day} सम्म रोक्न भन्नुभएको छ।`,
      stop: "तपाईंले नवीकरण नगर्न भन्नुभएको छ।",
    },
    waits: (seller) => `${seller} ले अझै जवाफ दिएको छैन।`,
    accepted: (seller) => `${seller} ले स्वीकार गर्‍यो।`,
    declined: (seller) => `${seller} ले स्वीकार गरेन।`,
    withdraw: "फिर्ता लिनुहोस्",
  },
  leave: "यो पृष्ठबाट बाहिरिनुहोस्",
  leaveText: "त्यसपछि यो ब्राउजरले फेरि कोड माग्छ।",
};

export const BUYER_WORDS: Record<MessageLanguage, Words> = { en: EN, ne: NE };

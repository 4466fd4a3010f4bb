/** The texts of the page at which new buyers order, in addition to those of the checkout. */
const EN = {
  title: (product: string, seller: string) => `${product} from ${seller}`,
  terms: "Terms",
  once: "A one-time payment.",
  lead: (seller: string) =>
    `Fill in who you are. ${seller} gets your details once you confirm your number.`,
  phone: "Phone number",
  order: "Continue",
  hint: (seller: string) =>
    `A one-time code goes to your phone. Nothing is charged before you pay. Have you ordered here before? Your details at ${seller} change only if the code is right.`,
  problem: {
    fields: "Please look at the marked fields.",
    too_soon:
      "A code was requested for this number less than half a minute ago. Wait a moment, then try again.",
    too_many: "That was tried too often. Wait an hour, then try again.",
    expired: "That code is no longer valid. Fill in the form again.",
  },
  sent: (phone: string) => `A code is on its way to ${phone}.`,
  code: "One-time code",
  confirm: "Confirm and go to the payment",
  other: "Change the details",
  subject: (seller: string) => `Your code for ${seller}`,
  body: (code: string, seller: string) =>
    `${code} is your code to order at ${seller}. It is valid for 10 minutes. Give it to nobody.`,
  has: (product: string) => `You have ${product} already.`,
  hasText: "On your page you see what you have and what is owed.",
  ownPage: "Go to my page",
  closed: {
    paused: "Nothing can be ordered here at the moment.",
    off_sale: "This offer is over.",
    suspended: "No orders can be taken here at the moment.",
    no_usage_type: "No orders can be taken here yet.",
    no_payment: "No payments can be taken here at the moment.",
    no_codes: "No codes can be sent from here at the moment, so nothing can be ordered.",
  },
  ask: (seller: string) => `Please ask ${seller}.`,
};

type Words = typeof EN;

const NE: Words = {
  title: (product, seller) => `${seller} को ${product}`,
  terms: "सर्तहरू",
  once: "एक पटकको भुक्तानी।",
  lead: (seller) => `आफ्नो विवरण भर्नुहोस्। तपाईंले नम्बर पुष्टि गरेपछि मात्र ${seller} ले विवरण पाउँछ।`,
  phone: "फोन नम्बर",
  order: "अगाडि बढ्नुहोस्",
  hint: (seller) =>
    `तपाईंको फोनमा एक पटक प्रयोग हुने कोड जान्छ। तपाईंले नतिरेसम्म पैसा काटिँदैन। यहाँ पहिले पनि किन्नुभएको छ? कोड मिलेमा मात्र ${seller} मा तपाईंको विवरण बदलिन्छ।`,
  problem: {
    fields: "चिन्ह लगाइएका ठाउँ हेर्नुहोस्।",
    too_soon: "आधा मिनेट नबित्दै यो नम्बरका लागि एउटा कोड मागिएको छ। एकछिन पर्खेर फेरि माग्नुहोस्।",
    too_many: "धेरै पटक प्रयास गरियो। एक घण्टा पर्खेर फेरि प्रयास गर्नुहोस्।",
    expired: "त्यो कोड अब मान्य छैन। फाराम फेरि भर्नुहोस्।",
  },
  sent: (phone) => `${phone} मा कोड पठाइँदै छ।`,
  code: "एक पटक प्रयोग हुने कोड",
  confirm: "पुष्टि गरेर भुक्तानीमा जानुहोस्",
  other: "विवरण बदल्नुहोस्",
  subject: (seller) => `${seller} को लागि तपाईंको कोड`,
  body: (code, seller) =>
    `${code} तपाईंको कोड हो। यसले ${seller} मा अर्डर पुष्टि गर्छ। १० मिनेटसम्म मान्य। कसैलाई नदिनुहोस्।`,
  has: (product) => `तपाईंसँग ${product} पहिले नै छ।`,
  hasText: "आफ्नो पृष्ठमा तपाईंसँग के छ र कति तिर्न बाँकी छ हेर्न सकिन्छ।",
  ownPage: "मेरो पृष्ठमा जानुहोस्",
  closed: {
    paused: "अहिले यहाँ अर्डर गर्न मिल्दैन।",
    off_sale: "यो बिक्री सकिएको छ।",
    suspended: "अहिले यहाँ अर्डर लिइँदैन।",
    no_usage_type: "यहाँ अझै अर्डर लिइँदैन।",
    no_payment: "अहिले यहाँ भुक्तानी लिइँदैन।",
    no_codes: "अहिले यहाँबाट कोड पठाउन सकिँदैन, त्यसैले अर्डर गर्न मिल्दैन।",
  },
  ask: (seller) => `कृपया ${seller} लाई सोध्नुहोस्।`,
};

export const SHARED_LINK_WORDS = { en: EN, ne: NE };

/** Texts for an address that leads to nothing, and for a failure. */
export const SHARED_LINK_FAULTS = {
  en: {
    missingText:
      "Nothing is for sale at this address. It may have been replaced: ask the seller for the new one.",
    brokenText: "Open the address again in a minute. Nothing was charged.",
  },
  ne: {
    missingText:
      "यो ठेगानामा किन्न मिल्ने केही छैन। ठेगाना फेरिएको हुन सक्छ: विक्रेतासँग नयाँ ठेगाना माग्नुहोस्।",
    brokenText: "एक मिनेटपछि यो ठेगाना फेरि खोल्नुहोस्। पैसा काटिएको छैन।",
  },
};

/** The texts of the checkout pages. Every language has the same keys and parameters. */
export const EN = {
  name: "English",
  languages: "Language",
  step: (number: string, name: string) => `Step ${number} of 3 · ${name}`,
  look: "Review",
  confirm: "Confirm it is you",
  wait: "Waiting",
  wallet: "wallet",
  bank: "bank",
  card: "card",
  methods: {
    wallet: "Mobile wallet",
    bank: "Bank account",
    card: "Card",
    cash: "Cash",
    transfer: "Bank transfer",
    other: "Another way",
  },

  pay: (seller: string) => `Pay ${seller}`,
  price: "Price",
  offer: "Offer",
  vat: (rate: string) => `VAT ${rate} %`,
  ofWhichVat: (rate: string) => `of which VAT ${rate} %`,
  toPay: "To pay",
  once: "Paid once. It does not renew.",
  due: (from: string, to: string, since: string) =>
    `For ${from} to ${to}. It was due on ${since}.`,
  period: (from: string, to: string) =>
    `For: ${from} to ${to}. You pay each renewal yourself. No automatic charges.`,
  nextPeriod: (from: string, to: string) =>
    `The next period: ${from} to ${to}. You pay each renewal yourself. No automatic charges.`,
  details: "Your details",
  hidden: (seller: string) =>
    `Hidden from anyone else who has this link. Not you? Ask ${seller} before you pay.`,
  correct: {
    link: "Correct your details",
    title: (seller: string) => `Your details at ${seller}`,
    why: "To correct your name, email or address, confirm with a one-time code that it is you.",
    phone: (seller: string) =>
      `Your phone number tells ${seller} who you are, so it cannot be changed here. If it is wrong, ask for a new link.`,
    codeGoesTo: (phone: string) => `The code goes to ${phone}.`,
    codeMessage: (code: string, seller: string) =>
      `${code} is your code to correct your details at ${seller}. It is valid for 10 minutes. Give it to nobody.`,
    fields: { full_name: "Name", email: "Email", address: "Address" },
    fill: "Write only what is wrong. What you leave empty stays as it is.",
    now: (masked: string) => `Now: ${masked}`,
    save: "Save",
    checkFields: "Nothing is saved yet. Please look at the marked fields.",
    nothing: "Nothing is saved yet: write what is wrong in its field.",
    problems: {
      required: "Write this.",
      blank: "Write this, or leave it empty.",
      hidden: "Remove the characters that cannot be displayed.",
      phone: "This is not a phone number.",
      email: "Write a whole email address, like name@example.com.",
      url: "This is not an address.",
      panVat: "Write nine digits.",
      too_long: "This is too long.",
      proves: "The code went to your email, so it cannot be changed here. Ask the seller.",
    },
    done: (seller: string) => `Your details are corrected, and ${seller} sees the new ones.`,
    back: "Back to the payment",
    settled: "Your details cannot be corrected here any more. Please ask the seller.",
    too_soon:
      "A code was requested less than half a minute ago. Wait a moment, then try again.",
    no_channel:
      "This business cannot send you a code at the moment. Please ask them to correct your details.",
  },
  payWith: "Pay with",
  sendCode: "Send me a code",
  codeGoesTo: (phone: string) => `A one-time code goes to ${phone}. Nothing is charged yet.`,

  next: "Continue",
  isKnown: "Your number is confirmed, so no other code is needed. Nothing is charged yet.",
  signsIn: "You sign in where you pay, so no code is needed. Nothing is charged yet.",
  signsInAt: (names: string, phone: string) =>
    `No code is needed with ${names}: you sign in there. Otherwise a one-time code goes to ${phone}. Nothing is charged yet.`,

  otherWays: "Other ways to pay",
  questions: "Questions? Ask here:",

  testMode: "Test: no money moves here.",

  confirmPayment: (seller: string) => `Confirm your payment to ${seller}`,
  code: (phone: string) => `One-time code sent to ${phone}`,
  codeHint: "Six digits, valid for ten minutes.",
  codeIsFor:
    "The code only confirms that this phone is yours. This page never asks for your wallet's PIN or a password.",
  triesLeft: (tries: string) => `Tries left: ${tries}.`,
  sandboxCode: "Test mode: no money moves. The code is",
  codeSubject: (seller: string) => `Your code for ${seller}`,
  codeMessage: (code: string, amount: string, seller: string) =>
    `${code} is your code to pay ${amount} to ${seller}. It is valid for 10 minutes. Give it to nobody.`,
  payNow: (amount: string) => `Pay ${amount}`,
  your: (method: string) => `your ${method}`,
  nextConfirm: (where: string) => `Next you confirm it with ${where}.`,
  anotherCode: "Send another code",
  anotherWay: "Choose another way to pay",

  waitingFor: (where: string) => `Waiting for ${where}`,
  waitingForText: (where: string) => `Waiting for ${where}. This page updates automatically.`,
  checked: "This payment is being checked",
  checkedText: (seller: string) =>
    `The answer about this payment was not clear, so ${seller} has to check it. You see the result here.`,
  notTwice: (amount: string, seller: string) =>
    `${amount} to ${seller}. Please don't pay again. You won't be charged twice.`,
  lookAgain: "Check now",
  notConfirmed: "Not confirmed yet?",
  goBack: (where: string) => `Go back to ${where}`,
  noAnswer: "No answer for long? If both go through, one is refunded.",
  goTo: (name: string) => `Continue to ${name}`,
  goesTo: (name: string) => `You go on to ${name} to pay.`,
  goesByItself: "This page continues by itself.",
  scan: (name: string) => `Scan this code with ${name} or your bank's app.`,
  scanHere:
    "Is your bank's app on this phone? Take a screenshot, and choose it in the app's scanner.",
  scanLabel: "QR code to pay with",
  onPhone: (name: string) => `${name} asks you on your phone. Confirm it there.`,
  hasPaid: "I have paid",
  whichPayment: "Which payment was it?",
  whichPaymentText: "Open your payment link again. It shows whether your payment went through.",
  sellerSuspended:
    "This business cannot take payments at the moment. Nothing was charged. Please ask them how to pay.",
  noLivePayments:
    "This business has not set up a way to pay here yet. Nothing was charged. Please ask them how to pay.",

  paidTo: (seller: string) => `Paid to ${seller}`,
  received: "Payment received. Thank you.",
  paid: "Paid",
  ofWhichTax: "of which VAT",
  paidOn: "Paid on",
  seller: "Seller",
  method: "Paid with",
  reference: "Reference",
  paidUntil: (day: string) => `Paid until ${day}.`,
  runsUntil: (day: string) => `Runs until ${day}.`,
  continueTo: (host: string) => `Continue to ${host}`,
  backTo: (host: string) => `Back to ${host}`,
  takenThere: "Redirecting in a few seconds.",
  keepThis: "You can close this page. The receipt stays at this link, and you can print it.",
  away: "Want to pay ahead?",
  payEarly: "Pay the next period now",
  buyersPage: (seller: string) => `All that is yours at ${seller}`,
  notCharged: (seller: string) => `Not charged by ${seller}`,
  goesBack: (amount: string, method: string) => `${amount} will be refunded to your ${method}.`,
  seeOwed: "See what you owe now",

  ended: {
    active: "This is paid. There is nothing more to do here.",
    pending_cancellation: "This subscription ends with its current period. Nothing is owed.",
    cancelled: "This subscription was cancelled. Ask the seller for a new link.",
    inactive: "This subscription has ended. Ask the seller for a new link.",
  },
  again: {
    ended: {
      cancelled: "This subscription was cancelled. You can start it again.",
      inactive: "This subscription has ended. You can start it again.",
    },
    choose: "What do you want?",
    start: "Start again",
    hint: "Nothing is charged yet. You see everything once more before you pay.",
    outcome: {
      refused:
        "It cannot be started again here: perhaps it already runs. Please ask the seller.",
      too_soon: "A checkout was opened just now. Wait a minute, then try again.",
    },
  },
  /** The reasons why an approved payment is refunded. */
  returned: {
    settled: "Another payment came first, so this one was not needed.",
    duplicate: "This buyer already has this subscription.",
    changed: "The order was changed before the payment arrived.",
  },
  outcome: {
    declined:
      "The payment was declined and nothing was charged. You can try again or choose another way.",
    insufficient_balance:
      "There was not enough balance and nothing was charged. Top up and try again, or choose another way.",
    timed_out: "The payment timed out and nothing was charged. You can try again.",
    left: "The payment was not confirmed and nothing was charged. You can try again.",
    expired: "That code is no longer valid. Request a new one.",
    too_soon:
      "A code was sent less than half a minute ago. Use that one, or wait a moment and request another.",
    used_up:
      "A code was requested less than half a minute ago. Wait a moment, then request another.",
    not_taken:
      "That way to pay does not take this payment at the moment, and nothing was charged. Please choose another way.",
    unreachable:
      "That way to pay could not be reached, and nothing was charged. You can try again or choose another way.",
    no_channel:
      "This business cannot send you a code at the moment, so nothing was charged. Please ask them how to pay.",
    begun_too_often: "Payments were begun too often. Wait an hour, then try again.",
    too_many: "Too many codes were requested. Wait an hour, then try again.",
    duplicate: "This buyer already has this subscription. Nothing was charged.",
    wrong_code: "Wrong code. Check the 6 digits and try again.",
    price_changed:
      "The price has changed since this page was opened. Nothing was charged; please check the new price.",
  },
  bills: {
    confirmed: "This bill was issued",
    notValid: "This is a test. The bill is not valid.",
    sum: "Sum",
    kinds: {
      receipt: "Receipt",
      vat_bill: "VAT bill",
      credit_note: "Credit note",
      debit_note: "Debit note",
    },
    download: (kind: string, number: string) => `${kind} ${number} (PDF)`,
  },
  fault: {
    missing: "Link not found",
    missingText:
      "This link does not exist. Copy the whole link from the message, or ask the seller to send it again.",
    refused: "Not accepted",
    refusedText: "Open the link again and use the form on its page.",
    broken: "Temporarily unavailable",
    brokenText: "Open the link again in a minute. It shows whether your payment went through.",
  },
  sandbox: {
    seller: "Sandbox",
    title: (method: string) => `Sandbox ${method}`,
    text: (method: string) =>
      `Test ${method}. No money moves. Choose a result (expires in 30 minutes).`,
    to: "To",
    amount: "Amount",
    outcome: {
      approve: "Approve",
      decline: "Decline",
      insufficient_balance: "Not enough balance",
      time_out: "Time out",
      abandon: "Abandon",
    },
  },
};

export type CheckoutTexts = typeof EN;

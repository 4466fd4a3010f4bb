/** The texts of the checkout pages. Every language has the same keys and parameters. */
export const EN = {
  name: "English",
  languages: "Language",
  step: (number: string, name: string) => `Step ${number} of 3 · ${name}`,
  look: "Look it over",
  confirm: "Confirm it is you",
  wait: "Waiting",
  wallet: "wallet",
  bank: "bank",
  mobileWallet: "Mobile wallet",
  bankAccount: "Bank account",

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
    `For: ${from} to ${to}. Renewals are paid by you; nothing is taken by itself.`,
  nextPeriod: (from: string, to: string) =>
    `The next period: ${from} to ${to}. Renewals are paid by you; nothing is taken by itself.`,
  details: "Your details",
  hidden: (seller: string) =>
    `Hidden from anyone else who has this link. Not you? Ask ${seller} before you pay.`,
  payWith: "Pay with",
  sendCode: "Send me a code",
  codeGoesTo: (phone: string) => `A one-time code goes to ${phone}. Nothing is charged yet.`,

  testMode: "Test: no money moves here.",

  confirmPayment: (seller: string) => `Confirm your payment to ${seller}`,
  code: (phone: string) => `One-time code sent to ${phone}`,
  codeHint: "Six digits, valid for ten minutes.",
  codeIsFor:
    "It only shows that this phone is yours. This page never asks for your wallet's PIN or a password.",
  triesLeft: (tries: string) => `Tries left: ${tries}.`,
  sandboxCode: "Sandbox: no message was sent and no money moves. The code is",
  payNow: (amount: string) => `Pay ${amount}`,
  nextConfirm: (method: string) => `Next you confirm it with your ${method}.`,
  anotherCode: "Send another code",
  anotherWay: "Choose another way to pay",

  waitingForYour: (method: string) => `Waiting for your ${method}`,
  waitingFor: (method: string) =>
    `Waiting for the ${method}. This page looks again every few seconds.`,
  notTwice: (amount: string, seller: string) =>
    `${amount} to ${seller}. You need not pay again: nothing is taken twice.`,
  lookAgain: "Look again now",
  notConfirmed: "Not confirmed yet?",
  goBack: (method: string) => `Go back to the ${method}`,
  noLivePayments: "This service has no way to take live payments yet. Nothing was charged.",

  paidTo: (seller: string) => `Paid to ${seller}`,
  received: "Payment received. Thank you.",
  paid: "Paid",
  paidOn: "Paid on",
  seller: "Seller",
  method: "Paid with",
  reference: "Reference",
  paidUntil: (day: string) => `Paid until ${day}.`,
  runsUntil: (day: string) => `Runs until ${day}.`,
  continueTo: (host: string) => `Continue to ${host}`,
  backTo: (host: string) => `Back to ${host}`,
  takenThere: "You are taken there in a few seconds.",
  keepThis: "You can close this page. It stays at this address, and you can print it.",
  away: "Away on that day?",
  payEarly: "Pay the next period early",
  notCharged: (seller: string) => `Not charged by ${seller}`,
  goesBack: (amount: string, method: string) => `${amount} goes back to your ${method}.`,
  seeOwed: "See what is owed now",

  /** By the subscription's status. */
  ended: {
    active: "This is paid. There is nothing more to do here.",
    pending_cancellation: "This subscription ends with its current period. Nothing is owed.",
    cancelled: "This subscription was cancelled. Ask the seller for a new link.",
    inactive: "This subscription has ended. Ask the seller for a new link.",
  },
  /** Why an approved payment is refunded. */
  returned: {
    settled: "Another payment came first, so this one was not needed.",
    duplicate: "This buyer already has this subscription.",
    changed: "The order was changed before the payment arrived.",
  },
  /** By the result of the previous step. */
  outcome: {
    declined:
      "The payment was declined and nothing was charged. You can try again or choose another way.",
    insufficient_balance:
      "There was not enough balance and nothing was charged. Top up and try again, or choose another way.",
    timed_out: "It took too long and nothing was charged. You can try again.",
    left: "The payment was not confirmed and nothing was charged. You can try again.",
    expired: "That code is no longer valid. Ask for a new one.",
    too_soon:
      "A code was sent less than half a minute ago. Use that one, or wait a little and ask again.",
    used_up:
      "A code was asked for less than half a minute ago. Wait a little, then ask for another.",
    too_many: "Too many codes were asked for. Wait an hour, then try again.",
    duplicate: "This buyer already has this subscription. Nothing was charged.",
    wrong_code: "That is not the code. Look again and type its six digits.",
    price_changed:
      "The price has changed since this page was opened. Nothing was charged; please look again.",
  },
  fault: {
    missing: "No such link",
    missingText:
      "This payment link does not exist. Copy it whole from the message that it came in, or ask the seller to send it again.",
    refused: "Not accepted",
    refusedText: "Open the payment link again and use the form on its page.",
    broken: "Not available just now",
    brokenText: "Open the payment link again in a minute: it shows what was paid.",
  },
  sandbox: {
    seller: "Sandbox",
    title: (method: string) => `Sandbox ${method}`,
    text: (method: string) =>
      `This page stands where the ${method}'s own would. No money moves: choose how it ends. It waits for half an hour.`,
    to: "To",
    amount: "Amount",
    outcome: {
      approve: "Approve",
      decline: "Decline",
      insufficient_balance: "Not enough balance",
      time_out: "Time out",
      abandon: "Leave without answering",
    },
  },
};

export type CheckoutTexts = typeof EN;

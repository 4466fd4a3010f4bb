import { expect, test } from "vitest";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { messageWriterFor } from "#lib/messages/rules.ts";
import { callAddress, channelsFor, messageFacts } from "./channels.ts";

const link = "https://p/pay/1";
const seller = { name: "Himal Dairy", currency: "NPR", amount_style: "code" } as const;
const to_pay = { amount: "3150.00", currency: "", is_list_price: false };
const told = { seller, link, to_pay, day: null };

test("the values of a message come from the subscription, and a missing product name is “your subscription”", () => {
  const subscription = ReceivedSubscription.parse({
    subscription_id: "s-1",
    client: { full_name: "सरस्वती राई" },
    product: { plan_name: "One litre", label: "Monthly" },
  });
  expect(messageFacts(messageWriterFor("en"), subscription, told)).toEqual({
    seller: "Himal Dairy",
    amount: "NPR 3,150.00",
    link,
    date: "",
    days: "",
    name: "सरस्वती राई",
    product: "your subscription",
    plan: "One litre, Monthly",
  });
  expect(messageFacts(messageWriterFor("ne"), subscription, told).product).toBe(
    "तपाईंको सदस्यता",
  );
});

test("a list price is marked in the language of the message, and an unknown amount stays empty", () => {
  const subscription = ReceivedSubscription.parse({ subscription_id: "s-1" });
  const amountIn = (language: "en" | "ne", asked: Partial<typeof to_pay>) =>
    messageFacts(messageWriterFor(language), subscription, {
      ...told,
      to_pay: { ...to_pay, ...asked },
    }).amount;
  expect(amountIn("en", { is_list_price: true })).toBe("NPR 3,150.00 (list price)");
  expect(amountIn("ne", { is_list_price: true })).toBe("NPR ३,१५०.०० (सूची मूल्य)");
  expect(amountIn("en", { amount: "", is_list_price: true })).toBe("");
});

test("WhatsApp, Viber, SMS and mail links contain the message text unchanged", () => {
  const text = "दूध & दही? 100% #1\n+977 = https://pay.example/pay/s-1";
  const buyer = { phone: "+977 980-0000001", email: "a+b&c@example.com", time_zone: "UTC" };
  const [whatsapp, viber, sms, mail] = channelsFor(text, buyer, "Pay: दूध & दही");
  expect(new URL(whatsapp?.href ?? "").searchParams.get("text")).toBe(text);
  expect(whatsapp?.href).toMatch(/^https:\/\/wa\.me\/9779800000001\?/);
  expect(new URL(viber?.href ?? "").searchParams.get("text")).toBe(text);
  expect(sms?.href).toMatch(/^sms:\+9779800000001\?&body=/);
  expect(new URL(sms?.href ?? "").searchParams.get("body")).toBe(text);
  expect(mail?.href).toMatch(/^mailto:a%2Bb%26c%40example\.com\?/);
  expect(new URL(mail?.href ?? "").searchParams.get("subject")).toBe("Pay: दूध & दही");
  expect(new URL(mail?.href ?? "").searchParams.get("body")).toBe(text);
});

test("a phone number in Devanagari digits becomes ASCII digits in the SMS link", () => {
  const buyer = { phone: "९८००००००१२", email: "", time_zone: "UTC" };
  const [, , sms] = channelsFor("x", buyer, "y");
  expect(sms?.href).toBe("sms:9800000012?&body=x");
});

test("the WhatsApp link has no phone number if the country code is unknown", () => {
  const buyer = { phone: "9800000001", email: "", time_zone: "Asia/Tokyo" };
  expect(channelsFor("a", buyer, "b")[0]?.href).toBe("https://wa.me/?text=a");
});

test("a phone number in Devanagari digits becomes ASCII digits in the call link", () => {
  expect(callAddress("+९७७ ९८०-०००००१२")).toBe("tel:+9779800000012");
  expect(callAddress("01-4220000")).toBe("tel:014220000");
  expect(callAddress("by the shop")).toBeNull();
});

import { expect, test } from "vitest";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { writerFor } from "#lib/messages/rules.ts";
import { callAddress, channelsFor, messageFacts } from "./rules.ts";

const shown = {
  seller: "Himal Dairy",
  amount: "NPR 3,150.00",
  date: "",
  link: "https://p/pay/1",
};

test("the facts of a message are the record's, and a product without a name is the subscription", () => {
  const subscription = ReceivedSubscription.parse({
    subscription_id: "s-1",
    client: { full_name: "सरस्वती राई" },
    product: { plan_name: "One litre", label: "Monthly" },
  });
  expect(messageFacts(writerFor("Hello {name}"), subscription, shown)).toEqual({
    ...shown,
    days: "",
    name: "सरस्वती राई",
    product: "your subscription",
    plan: "One litre, Monthly",
  });
  expect(messageFacts(writerFor("नमस्ते {name} जी"), subscription, shown).product).toBe(
    "तपाईंको सदस्यता",
  );
});

test("the text survives every address as it was typed", () => {
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
});

test("digits of another script dial the same number", () => {
  const buyer = { phone: "९८००००००१२", email: "", time_zone: "UTC" };
  const [, , sms] = channelsFor("x", buyer, "y");
  expect(sms?.href).toBe("sms:9800000012?&body=x");
});

test("a number whose country is not known goes to nobody by WhatsApp", () => {
  const buyer = { phone: "9800000001", email: "", time_zone: "Asia/Kolkata" };
  expect(channelsFor("a", buyer, "b")[0]?.href).toBe("https://wa.me/?text=a");
});

test("a telephone gets digits that it knows", () => {
  expect(callAddress("+९७७ ९८०-०००००१२")).toBe("tel:+9779800000012");
  expect(callAddress("01-4220000")).toBe("tel:014220000");
  expect(callAddress("by the shop")).toBeNull();
});

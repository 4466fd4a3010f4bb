import { randomUUID } from "node:crypto";
import { ownImage, type Branding } from "../checkout/branding.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { noticeBox, type PageFrame } from "../checkout/page.ts";
import { textByName, type PageReader } from "../checkout/reader.ts";
import { buyersPageOf } from "../account/profile.ts";
import { codeField, mask, maskPhone, testNote, triesLine } from "../checkout/sections.ts";
import { html, type Html } from "../http/html.ts";
import type { Seller } from "../sellers/store.ts";
import type { Ways } from "./sign-in.ts";
import type { Proven, SignIn } from "./store.ts";
import { BUYER_WORDS } from "./words.ts";

/** Data that every page shows. */
export interface Shown {
  seller: Seller;
  branding: Branding;
  mode: "test" | "live";
  reader: PageReader;
  /** The outcome that the address names. */
  outcome: string | null;
}

export const maskProven = ({ phone_key, email }: Pick<Proven, "phone_key" | "email">) =>
  email === "" ? maskPhone(phone_key) : mask(email);

export const pageHeading = ({ seller, branding, mode, reader }: Shown, title: string): Html =>
  html`${testNote(mode, reader)}
    <header>
      <p class="seller">${ownImage(branding.logo, "logo")} <span>${seller.name}</span></p>
      <h1>${title}</h1>
    </header>`;

/** Asks for a phone number or mail address, also again after an unusable one. */
export function askPage(shown: Shown, ways: Ways, typed = ""): PageFrame {
  const { seller, branding, reader, outcome } = shown;
  const { texts, own, language } = reader;
  const words = BUYER_WORDS[language];
  const kind = ways.phone && ways.email ? "both" : ways.phone ? "phone" : "email";
  const isWrong = outcome === "address";
  const message = isWrong ? null : textByName(words.problem, outcome);
  return {
    title: words.title(seller.name),
    branding,
    body: html`${pageHeading(shown, words.title(seller.name))}
    ${noticeBox(message, outcome === "ended" ? "calm" : "bad")}
    ${
      ways.phone || ways.email
        ? html`<p>${words.lead(seller.name)}</p>
            <form method="post" action="${own(`${buyersPageOf(seller)}/code`)}">
              <input type="hidden" name="page" value="${randomUUID()}" />
              <label for="address">${words.address[kind]}</label>
              <input
                id="address"
                name="phone_or_email"
                class="field"
                ${
                  kind === "phone"
                    ? html`type="tel" autocomplete="tel"`
                    : html`inputmode="email"
                      autocomplete="${kind === "email" ? "email" : "username"}"`
                }
                maxlength="320"
                value="${typed}"
                required
                ${isWrong && html`aria-invalid="true" aria-describedby="address-problem" autofocus`}
              />
              ${isWrong && html`<p class="problem" id="address-problem">${words.problem.address}</p>`}
              <button>${texts.sendCode}</button>
            </form>`
        : noticeBox(words.noWay(seller.name))
    }`,
  };
}

/** Asks for the code, in the same words whether one was sent or not. */
export function enterPage(shown: Shown, signIn: SignIn): PageFrame {
  const { seller, branding, mode, reader, outcome } = shown;
  const { own, language } = reader;
  const words = BUYER_WORDS[language];
  const address = buyersPageOf(seller);
  const isWrong = outcome === "wrong_code" && signIn.wrong_codes > 0;
  return {
    title: words.title(seller.name),
    branding,
    query: { code: signIn.sign_in_id },
    body: html`${pageHeading(shown, words.title(seller.name))}
      <p>${words.sent(maskProven(signIn), seller.name)}</p>
      <form method="post" action="${own(`${address}/enter`)}">
        <input type="hidden" name="id" value="${signIn.sign_in_id}" />
        ${codeField(
          {
            label: words.code,
            isWrong,
            tries: triesLine(signIn, { isWrong }, reader),
            code: mode === "test" ? testCodeOf(signIn.sign_in_id) : null,
          },
          reader,
        )}
        <button>${words.open}</button>
      </form>
      <p class="hint alone"><a href="${own(address)}">${words.other}</a></p>`,
  };
}

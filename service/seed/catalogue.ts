import type { CataloguePeriod, CatalogueProduct } from "../products/catalogue.ts";

const NO_VAT = { is_vat_active: false, vat_type: "inclusive", vat_percentage: "0" } as const;
const VAT_ON_TOP = {
  is_vat_active: true,
  vat_type: "exclusive",
  vat_percentage: "13",
} as const;
const VAT_INSIDE = {
  is_vat_active: true,
  vat_type: "inclusive",
  vat_percentage: "13",
} as const;

const EVERY = {
  week: { interval_type: "week", interval_count: 1, label: "Weekly" },
  month: { interval_type: "month", interval_count: 1, label: "Monthly" },
  quarter: { interval_type: "month", interval_count: 3, label: "Quarterly" },
  year: { interval_type: "year", interval_count: 1, label: "Yearly" },
  once: { interval_type: "one_time", interval_count: 1, label: "One time" },
} as const;

type Extra = Partial<Pick<CataloguePeriod, "offers" | "is_limited" | "is_archived">>;

function period(
  plan: string,
  interval: keyof typeof EVERY,
  price: string,
  extra: Extra = {},
): CataloguePeriod {
  return {
    pbp_id: `pbp_${plan}_${interval}`,
    ...EVERY[interval],
    price,
    currency: "NPR",
    offers: [],
    ...extra,
  };
}

interface Words {
  name: string;
  description: string;
  features: string;
  terms?: string;
}

const product = (
  { name, description, features, terms }: Words,
  vat: CatalogueProduct["vat"],
  images: string[],
  plans: CatalogueProduct["plans"],
): CatalogueProduct => ({
  name,
  description,
  vat,
  images,
  plans,
  features_and_benefits: features,
  terms_and_conditions:
    terms ?? "Paid in advance for each period. No refund for a period begun.",
});

const plan = (plan_name: string, description: string, billing_periods: CataloguePeriod[]) => ({
  plan_name,
  description,
  billing_periods,
});

/**
 * The catalogue of a demonstration seller. `pbp_id`s carry the prefix, so that sellers do not
 * collide.
 * @param today by which the offers are dated: one is running, one has ended
 * @param media base URL of the images, without a trailing slash
 */
export function demonstrationCatalogue(
  today: Temporal.PlainDate,
  media: string,
  prefix = "",
): CatalogueProduct[] {
  const runningOffer = {
    discount_amount: "300",
    starts_at: today.subtract({ days: 10 }).toString(),
    valid_until: today.add({ days: 20 }).toString(),
  };
  const pastOffer = {
    discount_amount: "150.50",
    starts_at: today.subtract({ days: 90 }).toString(),
    valid_until: today.subtract({ days: 60 }).toString(),
  };
  const image = (name: string) => `${media}/${name}.svg`;
  const products = [
    product(
      {
        name: "Router installation",
        description: "A technician brings the cable in and sets the router up.",
        features: "One visit, up to 30 m of cable, speed test before leaving.",
        terms: "Once paid, book the visit by phone within 30 days.",
      },
      VAT_INSIDE,
      [image("installation")],
      [plan("Home visit", "Within the ring road", [period("visit", "once", "2500.00")])],
    ),
    product(
      {
        name: "काठमाडौँ उपत्यका ताजा तरकारी टोकरी — घरदैलो सेवा",
        description: "किसानबाट सिधै: हरेक हप्ता मौसमी तरकारी र फलफूल।",
        features: "सात थरी तरकारी, दुई थरी फलफूल, फिर्ता लिने टोकरी।",
      },
      NO_VAT,
      [image("vegetables")],
      [
        plan("सानो टोकरी", "For one or two people", [
          period("basket_small", "week", "650.00"),
          period("basket_small", "month", "2450.00"),
        ]),
        plan("ठूलो टोकरी", "For a family of five", [
          period("basket_large", "week", "1150.00"),
          period("basket_large", "month", "4400.00", { is_limited: true }),
        ]),
      ],
    ),
    product(
      {
        name: "Morning Yoga Studio",
        description: "Classes every morning from six, except on public holidays.",
        features: "All classes, a mat and a locker.",
      },
      VAT_INSIDE,
      [image("yoga")],
      [
        plan("All mornings", "Six days a week", [
          period("yoga_all", "month", "3000.00", { offers: [pastOffer] }),
          period("yoga_all", "year", "30000.00", { is_limited: true }),
        ]),
        plan("Weekends", "Saturday only", [period("yoga_weekend", "month", "1400.00")]),
      ],
    ),
    product(
      {
        name: "Drinking Water Jars",
        description: "20-litre jars, brought up to your floor.",
        features: "Tested water, empty jars taken back.",
      },
      VAT_INSIDE,
      [image("water")],
      [
        plan("8 jars", "Two a week", [
          period("jars_8", "month", "720.00"),
          period("jars_8", "quarter", "2100.00"),
        ]),
        plan("20 jars", "Five a week, for offices", [period("jars_20", "month", "1700.00")]),
      ],
    ),
    product(
      {
        name: "Ghar Fibre Internet",
        description: "Unlimited fibre internet for the home.",
        features: "Static price, support in Nepali and English until ten in the evening.",
        terms: "The router stays our property. Speed is measured by cable.",
      },
      VAT_ON_TOP,
      [image("fibre"), image("router")],
      [
        plan("100 Mbps", "For up to four devices", [
          period("fibre_100", "month", "1199.00"),
          period("fibre_100", "quarter", "3399.00"),
          period("fibre_100", "year", "12499.00", { offers: [runningOffer] }),
        ]),
        plan("300 Mbps", "For a busy family", [
          period("fibre_300", "month", "1899.00", { offers: [runningOffer] }),
          period("fibre_300", "year", "19499.00"),
          period("fibre_300", "quarter", "4999.00", { is_archived: true }),
        ]),
      ],
    ),
    product(
      {
        name: "Fresh Milk at the Door",
        description: "Cow's milk from Chitwan, every morning before seven.",
        features: "Glass bottles, pause for holidays by phone.",
      },
      NO_VAT,
      [image("milk")],
      [
        plan("Half a litre", "Every morning", [period("milk_half", "month", "1650.00")]),
        plan("One litre", "Every morning", [
          period("milk_one", "month", "3150.00"),
          period("milk_one", "quarter", "9150.00"),
        ]),
      ],
    ),
    {
      ...product(
        { name: "Weekly Gazette", description: "Printed.", features: "" },
        NO_VAT,
        [],
        [plan("Paper", "No longer printed", [period("gazette", "year", "2600.00")])],
      ),
      is_active: false,
    },
  ];
  if (prefix === "") return products;
  for (const { plans } of products)
    for (const { billing_periods } of plans)
      for (const one of billing_periods) one.pbp_id = `${prefix}${one.pbp_id}`;
  return products;
}

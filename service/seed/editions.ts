import type { CataloguePeriod, CatalogueProduct } from "../products/catalogue.ts";

const NEIGHBOURHOODS =
  "Baneshwor,Battisputali,Bouddha,Budhanilkantha,Chabahil,Dhapasi,Dhobighat,Dhumbarahi,Gaushala,Gongabu,Gwarko,Hattiban,Imadol,Jawalakhel,Jorpati,Kalanki,Kalimati,Kapan,Kirtipur,Koteshwor,Kupondole,Lazimpat,Lokanthali,Maharajgunj,Naxal,Pulchowk,Sanepa,Satdobato,Sitapaila,Sinamangal,Swayambhu,Thimi,Tokha,Tripureshwor,Uttardhoka".split(
    ",",
  );

const SERVICES = [
  {
    slug: "tiffin",
    name: "Office Tiffin",
    image: "vegetables",
    description: "Lunch at the desk by half past twelve, cooked in the neighbourhood.",
    features: "Rice or roti, two vegetables, dal and pickle; boxes taken back.",
    plan: "Six lunches a week",
    periods: [
      { ...every("week", "Weekly"), price: "1290.00" },
      { ...every("month", "Monthly"), price: "4990.00" },
    ],
  },
  {
    slug: "pickup",
    name: "Waste Pick-up",
    image: "installation",
    description: "Sorted household waste, collected at the gate.",
    features: "Two collections a week, bags included.",
    plan: "Household",
    periods: [{ ...every("month", "Monthly"), price: "450.00" }],
  },
  {
    slug: "tank",
    name: "Water Tank Care",
    image: "water",
    description: "Roof and underground tanks, cleaned and tested.",
    features: "Cleaning, a chlorine test and a photo report after each visit.",
    plan: "Up to 2,000 litres",
    periods: [{ ...every("month", "Quarterly", 3), price: "2400.00" }],
  },
];

function every(
  interval_type: CataloguePeriod["interval_type"],
  label: string,
  interval_count = 1,
) {
  return { interval_type, interval_count, label, currency: "NPR", offers: [] };
}

export const MAX_BRANCHES = NEIGHBOURHOODS.length;
export const branchesOf = (count: number) => NEIGHBOURHOODS.slice(0, count);

/** The products of each branch; with many branches, a list has several pages. */
export function localEditions(
  branches: string[],
  media: string,
  prefix: string,
): CatalogueProduct[] {
  return branches.flatMap((place) =>
    SERVICES.map(({ slug, name, image, description, features, plan, periods }) => ({
      name: `${name}, ${place}`,
      description,
      features_and_benefits: features,
      terms_and_conditions: "Paid in advance for each period. No refund for a period begun.",
      vat: {
        is_vat_active: true,
        vat_type: "inclusive" as const,
        vat_percentage: "13",
      },
      images: [`${media}/${image}.svg`],
      plans: [
        {
          plan_name: plan,
          description: `Served from our ${place} branch`,
          billing_periods: periods.map((period) => ({
            pbp_id: `${prefix}pbp_${slug}_${place}_${period.label}`.toLowerCase(),
            ...period,
          })),
        },
      ],
    })),
  );
}

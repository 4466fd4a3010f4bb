import type { BillingDetails } from "../customers/store.ts";
import { randomOf, type Random } from "./random.ts";

const KIND = 0x5eed_0002;

const FIRST_NAMES =
  "Aarati Aayush Anjali Asmita Bibek Bimala Binod Chandra Dawa Deepa Dipesh Gita Ganesh Hari Indira Ishwor Jamuna Kabita Kamal Kiran Laxmi Madan Manju Mina Nabin Nirmala Om Pasang Pramila Prakash Rabin Rajani Ram Rojina Sabina Sanjay Sarita Shanti Shyam Sita Sunita Suresh Tara Tashi Uma Umesh Yangchen".split(
    " ",
  );
const LAST_NAMES =
  "Adhikari Basnet Bhandari Bhattarai Bista Chaudhary Dahal Gautam Ghimire Gurung Joshi Karki Khadka Lama Limbu Magar Maharjan Neupane Pandey Poudel Rai Regmi Sapkota Shahi Sherpa Shrestha Subedi Tamang Thapa Yadav".split(
    " ",
  );
const DEVANAGARI_NAMES = [
  "आरती अधिकारी",
  "विष्णु प्रसाद भट्टराई",
  "लक्ष्मी महर्जन",
  "कृष्ण बहादुर श्रेष्ठ",
  "सृजना लिम्बू",
  "ज्ञानेन्द्र चौधरी",
];
const LONG_NAMES = [
  "Shree Pashupati Mahadev Multipurpose Cooperative Society of Upper Bhaktapur, Ward No. 7",
  "Prof. Dr. Tulasi Narayan Rajbhandari-Maharjan (on behalf of the residents' committee)",
];
const PLACES = [
  "Patan, Lalitpur",
  "Baluwatar, Kathmandu",
  "Lakeside, Pokhara",
  "Suryabinayak, Bhaktapur",
  "Bharatpur-10, Chitwan",
  "Dharan-8, Sunsari",
  "Butwal-11, Rupandehi",
  "Thimi, Bhaktapur",
  "Kupondole, Lalitpur",
  "बानेश्वर, काठमाडौँ",
];
const TRADES = [
  "Traders",
  "Stores",
  "Suppliers",
  "Guest House",
  "Consult",
  "Bakery",
  "Pharmacy",
];

export interface Person {
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: BillingDetails | null;
}

/** The `index`-th generated buyer: its phone is unique, and one in five buys for a business. */
export function generatePerson(index: number): Person {
  const random = randomOf(KIND, index);
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const address = random.pick(PLACES);
  const email = `${first}.${last}${index}@example.com`.toLowerCase();
  return {
    phone: `98${String(index).padStart(8, "0")}`,
    full_name: unusualName(random, index) ?? `${first} ${last}`,
    email,
    address,
    billing: random.chance(0.2)
      ? {
          business_name: `${last} ${random.pick(TRADES)}`,
          email: `accounts${index}@example.com`,
          address,
          pan_vat: String(random.integer(0, 999_999_999)).padStart(9, "0"),
        }
      : null,
  };
}

// Every page of a list has some of these, so that layouts are not only made for short Latin
// names.
function unusualName(random: Random, index: number): string | null {
  if (index % 17 === 5) return random.pick(LONG_NAMES);
  return index % 9 === 4 ? random.pick(DEVANAGARI_NAMES) : null;
}

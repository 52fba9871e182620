import { ADDRESS_PARTS, type PostalAddress } from '../../domain/contact-details.js';
import type { AddressField, ImportField } from './import-fields.js';

export interface AddressHeader {
  /** The same for all columns of one address: a key of KINDS, or the number of a numbered address. */
  readonly address: string;
  /** `whole`: a street or a whole address, depending on the other columns. */
  readonly part: keyof PostalAddress | 'whole';
  /** From 1. Further lines follow the first line of the street. */
  readonly line: number;
  /** Google's `Address 1 - Formatted`: used only when the address has no street. */
  readonly isWeak: boolean;
}

/** Words before or after the part, and the address of the contact that they name. */
const KINDS: Readonly<Record<string, { number: number; words: string }>> = {
  main: { number: 1, words: 'default' },
  work: {
    number: 1,
    words: 'business|work|office|geschaftlich|geschafts|arbeit|firma|firmen|company|sluzbowy|prace',
  },
  mailing: { number: 1, words: 'mailing' },
  home: { number: 2, words: 'home|privat|personal|domu|domovni|domowy' },
  other: { number: 3, words: 'other|weitere|andere|jine|inny' },
};
const KIND_OF_WORD = new Map(
  Object.entries(KINDS).flatMap(([kind, { words }]) => words.split('|').map((word) => [word, kind] as const)),
);
const WORDS = [...KIND_OF_WORD.keys()].filter((word) => word !== '').join('|');

const PART_NAMES: Readonly<Record<keyof PostalAddress | 'whole', string>> = {
  label: 'label|type',
  street:
    'street|streetaddress|addressstreet|strasse|rue|calle|via|rua|straat|ulice|ulica|utca|sokak|streetname|strassehausnummer|strasseundhausnummer|strassenr|strassehausnr|strasseundnr|hausnummer|hausnr|postfach|gatuadress|gateadresse|gade|katuosoite|strassennamen|番地|街道|billingstreet|streetandnumber|housenumber',
  city: 'city|town|ort|stadt|ville|ciudad|poblacion|citta|cidade|stad|plaats|mesto|miasto|varos|oras|sehir|город|addresscity|locality|wohnort|ortschaft|stadtort|ortstadt|plzort|plzstadt|plzwohnort|postleitzahlort|zipcity|postcodecity|pscmesto|cpville|postort|poststed|kaupunki|postitoimipaikka|市区町村|城市|시',
  region:
    'state|province|region|stateprovince|bundesland|kanton|bundeslandkanton|provincia|regione|estado|kraj|wojewodztwo|addressstate|addressregion|stateregion|provincecode|statecode|stateprovinceregion|county|都道府県|省份|省|lan|fylke|maakunta',
  postalCode:
    'zip|zipcode|postalcode|postcode|zippostalcode|plz|postleitzahl|codepostal|codigopostal|cap|cep|psc|kodpocztowy|iranyitoszam|addresspostcode|addresszip|postalziporcode|zippostcode|postnummer|postnr|postinumero|郵便番号|邮编|邮政编码|우편번호|plzpostleitzahl|postzip',
  country:
    'country|countryregion|land|landregion|pays|pais|paese|zeme|krajina|krajregion|panstwo|orszag|tara|ulke|страна|addresscountry|countrycode|staat|maa|国|国家|国家地区|국가',
  whole:
    'address|addresses|addressline|postaladdress|fulladdress|formattedaddress|adresse|anschrift|postanschrift|adresszeile|adresszusatz|adresa|adresaulice|adres|direccion|indirizzo|endereco|personpostaladdress|persnpostaladdress|adress|postadress|osoite|住所|地址|주소|wohnadresse|hausanschrift|postadresse|besoksadress',
};
const PARTS = [...ADDRESS_PARTS, 'whole'] as const;
const PART = PARTS.map((part) => `(?<${part}>${PART_NAMES[part]})`).join('|');
/** Columns of Google: each address has a number. */
const NUMBERED = new RegExp(`^address(?<number>\\d+)(?:(?<formatted>formatted)|${PART})$`, 'u');
const NAMED = new RegExp(
  `^(?<before>${WORDS}|)(?:address)??(?:${PART})(?<line>[1-5]|)(?<after>${WORDS}|)(?<last>[1-5]|)$`,
  'u',
);

/** They complete the street of another column. */
const SECOND_LINES = new Set(['adresszusatz', 'hausnummer', 'hausnr', 'housenumber', 'postfach']);

/** @param name a header as `folded` writes it */
export function addressHeader(name: string): AddressHeader | undefined {
  const numbered = NUMBERED.exec(name)?.groups;
  const found = numbered ?? NAMED.exec(name)?.groups;
  if (!found) return undefined;
  const { number, formatted, before, after, line, last } = found;
  const part = formatted ? 'street' : PARTS.find((one) => found[one] !== undefined);
  // A column `Label` or `Type` without a kind is not about an address.
  if (part === undefined || (part === 'label' && number === undefined)) return undefined;
  const hasLines = part === 'street' || part === 'whole';
  if ((line || last) && !hasLines) return undefined;
  const isSecond = SECOND_LINES.has(found[part] ?? '');
  return {
    address: number ?? KIND_OF_WORD.get(before || after || '') ?? 'main',
    part,
    line: Number(line || last || (isSecond ? 2 : 1)),
    isWeak: formatted !== undefined,
  };
}

/**
 * The field of each header of one file. A whole address is the street when the file has other parts of that address, and
 * ignored when it has a street too.
 */
export function addressFields(headers: readonly AddressHeader[]): (ImportField | undefined)[] {
  const adopted = joinPartsWithWhole(headers);
  const numbers = numbersOf(adopted);
  return adopted.map(({ address, part, line }): ImportField | undefined => {
    if (part !== 'whole') return fieldOf(numbers, address, part);
    if (!hasPart(adopted, address)) return 'addresses';
    return line === 1 && hasStreet(adopted, address) ? undefined : fieldOf(numbers, address, 'street');
  });
}

/** `Home Address,City,Zip` is one address: parts without a street belong to the only whole address without parts. */
function joinPartsWithWhole(headers: readonly AddressHeader[]): readonly AddressHeader[] {
  const isMain = ({ address }: AddressHeader) => address === 'main';
  const alone = new Set(
    headers.flatMap(({ address, part }) => (part === 'whole' && !hasPart(headers, address) ? [address] : [])),
  );
  const lacksStreet = hasPart(headers, 'main') && !hasStreet(headers, 'main');
  const hasWhole = headers.some((header) => isMain(header) && header.part === 'whole');
  if (!lacksStreet || hasWhole || alone.size !== 1) return headers;
  return headers.map((header) => (alone.has(header.address) ? { ...header, address: 'main' } : header));
}

const hasPart = (headers: readonly AddressHeader[], address: string) =>
  headers.some((one) => one.address === address && one.part !== 'whole' && one.part !== 'label');

const hasStreet = (headers: readonly AddressHeader[], address: string) =>
  headers.some((one) => one.address === address && one.part === 'street' && !one.isWeak);

/** Addresses in parts have the number of their kind; on a conflict the later one gets the next free number. */
function numbersOf(headers: readonly AddressHeader[]): ReadonlyMap<string, number> {
  const inParts = [...new Set(headers.map(({ address }) => address))].filter((one) => hasPart(headers, one));
  const wanted = (address: string) => KINDS[address]?.number ?? Number(address);
  const taken = new Set(inParts.map(wanted));
  const numbers = new Map<number, string>();
  for (const address of inParts) {
    let number = wanted(address);
    if (numbers.has(number)) for (number = 1; taken.has(number) || numbers.has(number);) number += 1;
    numbers.set(number, address);
  }
  return new Map([...numbers].map(([number, address]) => [address, number]));
}

const fieldOf = (
  numbers: ReadonlyMap<string, number>,
  address: string,
  part: keyof PostalAddress,
): AddressField => `addresses.${numbers.get(address) ?? 1}.${part}`;

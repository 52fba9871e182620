import { findTable } from '../reading/find-table.js';
import { columnNames } from './known-headers.js';
import { type GivenMapping, mapColumns } from './map-columns.js';

async function read(text: string, hints = {}, mapping?: GivenMapping) {
  const table = await findTable({ text, isWhole: true }, { names: Object.keys(mapping ?? {}), ...hints });
  const columns = columnNames(table.header, table.columns);
  const mapped = mapColumns({ organizationId: '', columns, given: mapping }).map(
    ({ column, field }) => `${column} → ${field}`,
  );
  return { delimiter: table.delimiter, headerLine: table.headerLine, columns, mapped };
}

const SAMPLES: readonly [string, string, { delimiter: string; headerLine: number; mapped: string[] }][] = [
  [
    'Google, current layout',
    'First Name,Middle Name,Last Name,Phonetic First Name,Nickname,File As,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value,Address 1 - Formatted\nJana,,Nováková,,,,Acme,CEO,,,* myContacts ::: * friends,* Work,jana@example.com,,Mobile,+420 1,,"Street 1\nPrague"\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'First Name → firstName',
        'Middle Name → middleName',
        'Last Name → lastName',
        'File As → name',
        'Organization Name → company',
        'Organization Title → jobTitle',
        'Birthday → birthday',
        'Notes → notes',
        'Labels → tags',
        'E-mail 1 - Value → email',
        'E-mail 2 - Value → additionalEmails',
        'Phone 1 - Value → phones',
        'Phone 2 - Value → phones',
        'Address 1 - Formatted → addresses.1.street',
      ],
    },
  ],
  [
    'Google, old layout',
    'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title\nJane Doe,Jane,,Doe,* myContacts,* ,jane@example.com,Mobile,+1 1,Acme,CTO\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'Name → name',
        'Given Name → firstName',
        'Additional Name → middleName',
        'Family Name → lastName',
        'Group Membership → tags',
        'E-mail 1 - Value → email',
        'Phone 1 - Value → phones',
        'Organization 1 - Name → company',
        'Organization 1 - Title → jobTitle',
      ],
    },
  ],
  [
    'Outlook, English',
    '"Title","First Name","Middle Name","Last Name","Company","Department","Job Title","Business Phone","Home Phone","Mobile Phone","Categories","E-mail Address","E-mail 2 Address"\n"Dr.","Jane","","Doe","Acme","","CEO","+1 1","","","VIP;Friends","jane@example.com",""\n"Mr","Max"\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'First Name → firstName',
        'Middle Name → middleName',
        'Last Name → lastName',
        'Company → company',
        'Department → department',
        'Job Title → jobTitle',
        'Business Phone → phones',
        'Home Phone → phones',
        'Mobile Phone → phones',
        'Categories → tags',
        'E-mail Address → email',
        'E-mail 2 Address → additionalEmails',
      ],
    },
  ],
  [
    'Outlook, German',
    'Anrede;Vorname;Weitere Vornamen;Nachname;Firma;Abteilung;Position;Telefon geschäftlich;Mobiltelefon;E-Mail-Adresse;Kategorien\nFrau;Jana;;Müller;"Acme; Söhne";;Leiterin;+49 30 1;+49 170 1;jana@example.com;Kunde\n',
    {
      delimiter: ';',
      headerLine: 1,
      mapped: [
        'Vorname → firstName',
        'Weitere Vornamen → middleName',
        'Nachname → lastName',
        'Firma → company',
        'Abteilung → department',
        'Position → jobTitle',
        'Telefon geschäftlich → phones',
        'Mobiltelefon → phones',
        'E-Mail-Adresse → email',
        'Kategorien → tags',
      ],
    },
  ],
  [
    'Outlook, French',
    'Prénom,Nom,Société,Titre,Téléphone bureau,Tél. mobile,Adresse de messagerie,Catégories\nJeanne,Dupont,Acme,,+33 1,,jeanne@example.com,Client\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'Prénom → firstName',
        'Nom → lastName',
        'Société → company',
        'Téléphone bureau → phones',
        'Tél. mobile → phones',
        'Adresse de messagerie → email',
        'Catégories → tags',
      ],
    },
  ],
  [
    'Apple',
    'Vorname\tNachname\tFirma\tE-Mail\tTelefon\nJana\tMüller\tAcme\tjana@example.com\t+49 30 1\n',
    {
      delimiter: '\t',
      headerLine: 1,
      mapped: [
        'Vorname → firstName',
        'Nachname → lastName',
        'Firma → company',
        'E-Mail → email',
        'Telefon → phones',
      ],
    },
  ],
  [
    'LinkedIn',
    'Notes:\n"When exporting your connection data, you may notice that some of the email addresses are missing, because of ""privacy"" settings."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\nJane,Doe,https://www.linkedin.com/in/jane,,Acme,CEO,20 Nov 2026\n',
    {
      delimiter: ',',
      headerLine: 4,
      mapped: [
        'First Name → firstName',
        'Last Name → lastName',
        'URL → websites',
        'Email Address → email',
        'Company → company',
        'Position → jobTitle',
      ],
    },
  ],
  [
    'HubSpot',
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company,Job Title\n5001,Jane,Doe,jane@example.com,+1 1,,Acme,CEO\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'Record ID → externalId',
        'First Name → firstName',
        'Last Name → lastName',
        'Email → email',
        'Phone Number → phones',
        'Associated Company → company',
        'Job Title → jobTitle',
      ],
    },
  ],
  [
    'Thunderbird',
    'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home Phone,Mobile Number,Organization,Job Title\nJane,Doe,Jane Doe,,jane@example.com,,,+1 1,,,Acme,CEO\n',
    {
      delimiter: ',',
      headerLine: 1,
      mapped: [
        'First Name → firstName',
        'Last Name → lastName',
        'Display Name → name',
        'Primary Email → email',
        'Secondary Email → additionalEmails',
        'Work Phone → phones',
        'Home Phone → phones',
        'Mobile Number → phones',
        'Organization → company',
        'Job Title → jobTitle',
      ],
    },
  ],
];

/** One header line each, and its mapping. */
const HEADERS: readonly [string, string, Record<string, string>][] = [
  [
    'Apple, German',
    'Vorname\tNachname\tArbeit E-Mail\tPrivat E-Mail\tHauptnummer\tMobil\tGeburtstag\tAbteilung\tNotiz',
    {
      'Arbeit E-Mail': 'email',
      'Privat E-Mail': 'additionalEmails',
      Hauptnummer: 'phones',
      Geburtstag: 'birthday',
      Abteilung: 'department',
      Notiz: 'notes',
    },
  ],
  [
    'Outlook, German, all phones',
    'Vorname,Nachname,Telefon (privat),Telefon geschäftlich,Telefon Firma,Autotelefon,Weiteres Telefon,Straße geschäftlich,Ort geschäftlich,Postleitzahl geschäftlich,Straße privat,Ort privat,E-Mail-Adresse,E-Mail 2: Adresse,Webseite',
    {
      'Telefon (privat)': 'phones',
      'Telefon Firma': 'phones',
      Autotelefon: 'phones',
      'Weiteres Telefon': 'phones',
      'Straße geschäftlich': 'addresses.1.street',
      'Ort geschäftlich': 'addresses.1.city',
      'Postleitzahl geschäftlich': 'addresses.1.postalCode',
      'Ort privat': 'addresses.2.city',
      'E-Mail-Adresse': 'email',
      'E-Mail 2: Adresse': 'additionalEmails',
      Webseite: 'websites',
    },
  ],
  [
    'Roundcube',
    'Name Prefix,First Name,Last Name,Email Home,Email Work,Phone Home,Phone Work,Organization,Website,Notes',
    {
      'Email Home': 'email',
      'Email Work': 'additionalEmails',
      'Phone Home': 'phones',
      Website: 'websites',
      Notes: 'notes',
    },
  ],
  [
    'HubSpot, all contacts',
    'Record ID,First Name,Last Name,Email,Mobile Phone Number,Street Address,City,State/Region,Postal Code,Country/Region,Website URL',
    {
      'Mobile Phone Number': 'phones',
      'Street Address': 'addresses.1.street',
      'State/Region': 'addresses.1.region',
      'Country/Region': 'addresses.1.country',
      'Website URL': 'websites',
    },
  ],
  [
    'Mailchimp',
    'Email Address,FNAME,LNAME,PHONE,TAGS',
    { FNAME: 'firstName', LNAME: 'lastName', PHONE: 'phones' },
  ],
  [
    'Brevo',
    'EMAIL,LASTNAME,FIRSTNAME,SMS,WHATSAPP,JOB_TITLE,EXT_ID',
    { LASTNAME: 'lastName', SMS: 'phones', WHATSAPP: 'phones', JOB_TITLE: 'jobTitle', EXT_ID: 'externalId' },
  ],
  [
    'Shopify',
    'Customer ID,First Name,Last Name,Email,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Note,Tags',
    {
      'Customer ID': 'externalId',
      'Default Address Company': 'company',
      'Default Address Address1': 'addresses.1.street',
      'Default Address City': 'addresses.1.city',
      'Default Address Province Code': 'addresses.1.region',
      'Default Address Zip': 'addresses.1.postalCode',
      'Default Address Phone': 'phones',
      Note: 'notes',
    },
  ],
  [
    'Chinese',
    '姓名,公司,职位,手机,电子邮件,地址,城市,邮编,生日,备注',
    {
      姓名: 'name',
      公司: 'company',
      职位: 'jobTitle',
      手机: 'phones',
      电子邮件: 'email',
      地址: 'addresses.1.street',
      城市: 'addresses.1.city',
      生日: 'birthday',
      备注: 'notes',
    },
  ],
  [
    'Japanese',
    '氏名,会社名,部署,役職,電話番号,メールアドレス,郵便番号,都道府県,住所,備考',
    {
      氏名: 'name',
      会社名: 'company',
      部署: 'department',
      役職: 'jobTitle',
      電話番号: 'phones',
      メールアドレス: 'email',
      郵便番号: 'addresses.1.postalCode',
      都道府県: 'addresses.1.region',
    },
  ],
  [
    'Korean',
    '이름,회사,전화번호,이메일',
    { 이름: 'name', 회사: 'company', 전화번호: 'phones', 이메일: 'email' },
  ],
  [
    'Swedish',
    'Förnamn;Efternamn;E-postadress;Mobiltelefon;Företag;Befattning;Gatuadress;Postnummer;Ort',
    {
      Förnamn: 'firstName',
      Efternamn: 'lastName',
      'E-postadress': 'email',
      Företag: 'company',
      Befattning: 'jobTitle',
      Gatuadress: 'addresses.1.street',
      Postnummer: 'addresses.1.postalCode',
    },
  ],
  [
    'Danish and Norwegian',
    'Fornavn;Etternavn;E-postadresse;Fødselsdag;Stilling',
    {
      Fornavn: 'firstName',
      Etternavn: 'lastName',
      'E-postadresse': 'email',
      Fødselsdag: 'birthday',
      Stilling: 'jobTitle',
    },
  ],
  [
    'Finnish',
    'Etunimi;Sukunimi;Sähköposti;Puhelinnumero;Yritys;Katuosoite;Postinumero;Kaupunki',
    {
      Etunimi: 'firstName',
      Sukunimi: 'lastName',
      Sähköposti: 'email',
      Puhelinnumero: 'phones',
      Katuosoite: 'addresses.1.street',
    },
  ],
  ['Czech, position', 'Jméno;Příjmení;Pracovní funkce', { 'Pracovní funkce': 'jobTitle' }],
  [
    'German addresses',
    'Vorname;Nachname;Straße und Hausnummer;Adresszusatz;PLZ;Wohnort;Bundesland;Staat;Handynummer',
    {
      'Straße und Hausnummer': 'addresses.1.street',
      Adresszusatz: 'addresses.1.street',
      PLZ: 'addresses.1.postalCode',
      Wohnort: 'addresses.1.city',
      Bundesland: 'addresses.1.region',
      Staat: 'addresses.1.country',
      Handynummer: 'phones',
    },
  ],
  [
    'German addresses, house number',
    'Vorname;Nachname;Straße;Hausnummer;Postleitzahl;Ort;Land',
    { Straße: 'addresses.1.street', Hausnummer: 'addresses.1.street', Land: 'addresses.1.country' },
  ],
  [
    'German addresses, two names in one header',
    'Name;PLZ/Ort;Phone Number 2;Handynummer 2;Telefonnummer;E-Mail-Adresse 2;Webseite 2',
    {
      'PLZ/Ort': 'addresses.1.city',
      'Phone Number 2': 'phones',
      'Handynummer 2': 'phones',
      Telefonnummer: 'phones',
      'E-Mail-Adresse 2': 'email',
      'Webseite 2': 'websites',
    },
  ],
  ['German addresses, city', 'Name;PLZ;Ort/Stadt', { 'Ort/Stadt': 'addresses.1.city' }],
  ['CiviCRM', 'first,last,email,phone', { first: 'firstName', last: 'lastName', email: 'email' }],
  [
    'Yahoo',
    'First,Middle,Last,Nickname,Email,Category,Home,Work Address,Work City,Work ZIP,Home Street,Birthday,Comments,Alternate Email 1',
    {
      First: 'firstName',
      Last: 'lastName',
      Email: 'email',
      'Alternate Email 1': 'additionalEmails',
      'Work City': 'addresses.1.city',
      'Work ZIP': 'addresses.1.postalCode',
      'Home Street': 'addresses.2.street',
      Comments: 'notes',
    },
  ],
  [
    'Pipedrive',
    'Person - Name,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Organization,Person - Label,Person - ID',
    {
      'Person - Name': 'name',
      'Person - Email - Work': 'email',
      'Person - Email - Home': 'additionalEmails',
      'Person - Phone - Work': 'phones',
      'Person - Organization': 'company',
      'Person - ID': 'externalId',
    },
  ],
  [
    'Twenty',
    'Name / First Name,Name / Last Name,Emails / Primary Email,Emails / Additional Emails,Phones / Primary Phone Number,Job Title,City',
    {
      'Name / First Name': 'firstName',
      'Name / Last Name': 'lastName',
      'Emails / Primary Email': 'email',
      'Emails / Additional Emails': 'additionalEmails',
      'Phones / Primary Phone Number': 'phones',
      City: 'addresses.1.city',
    },
  ],
  [
    'Czech',
    'Jméno;Příjmení;E-mailová adresa;Mobilní telefon;Společnost;Funkce;Oddělení;Ulice;Město;PSČ;Narozeniny;Poznámky;Štítky',
    {
      Jméno: 'firstName',
      Příjmení: 'lastName',
      'E-mailová adresa': 'email',
      'Mobilní telefon': 'phones',
      Společnost: 'company',
      Funkce: 'jobTitle',
      Oddělení: 'department',
      Ulice: 'addresses.1.street',
      PSČ: 'addresses.1.postalCode',
      Narozeniny: 'birthday',
      Poznámky: 'notes',
      Štítky: 'tags',
    },
  ],
  ['German, short', 'Name;Vorname;E-Mail', { Name: 'lastName', Vorname: 'firstName', 'E-Mail': 'email' }],
  ['German, one name', 'Name;E-Mail', { Name: 'name', 'E-Mail': 'email' }],
  [
    'Polish',
    'Imię;Nazwisko;Adres e-mail;Telefon komórkowy;Firma;Stanowisko;Ulica;Miasto;Kod pocztowy;Data urodzenia;Uwagi',
    {
      Imię: 'firstName',
      Nazwisko: 'lastName',
      'Adres e-mail': 'email',
      'Telefon komórkowy': 'phones',
      Stanowisko: 'jobTitle',
      'Kod pocztowy': 'addresses.1.postalCode',
      'Data urodzenia': 'birthday',
      Uwagi: 'notes',
    },
  ],
];

describe('what other programs call their columns', () => {
  it.each(HEADERS)('%s', async (_, header, expected) => {
    const { mapped } = await read(`${header}\n`);
    expect(Object.fromEntries(mapped.map((one) => one.split(' → ')))).toMatchObject(expected);
  });
});

describe('what other programs export', () => {
  it.each(SAMPLES)('%s', async (_, text, expected) => expect(await read(text)).toMatchObject(expected));
});

describe('finding the table', () => {
  it.each([
    ['two columns with a semicolon', 'name;email\n', ';'],
    ['two columns with a tab', 'name\temail\n', '\t'],
    ['a pipe', 'name|email\nJane|jane@example.com\n', '|'],
    ['what Excel says', 'sep=;\r\nname;email\r\nDoe, Jane;j@example.com', ';'],
    ['commas inside every cell', 'name;email\n"Doe, J, K";j@example.com\nDoe, J, K;j@example.com\n', ';'],
  ])('sees %s', async (_, text, delimiter) => expect((await read(text)).delimiter).toBe(delimiter));

  it('takes a single column for what it is', async () => {
    expect(await read('email\njane@example.com\n')).toMatchObject({
      headerLine: 1,
      mapped: ['email → email'],
    });
  });

  it('does without a header where columns are given by number', async () => {
    const table = await read(
      'Jane,jane@example.com\nMax,max@example.com\n',
      {},
      { '#1': 'name', '#2': 'email' },
    );
    expect(table).toMatchObject({
      headerLine: null,
      columns: ['#1', '#2'],
      mapped: ['#1 → name', '#2 → email'],
    });
  });

  it('lets the caller say where the header is', async () => {
    expect(
      await read('x,y\nKunde,Post\na,b@example.com', { headerLine: 2 }, { Kunde: 'name', post: 'email' }),
    ).toMatchObject({
      headerLine: 2,
      mapped: ['Kunde → name', 'Post → email'],
    });
    await expect(read('name\n', { headerLine: 7 })).rejects.toThrow('Line 7');
  });

  it('recognizes a header by the names of the mapping', async () => {
    expect(
      await read('Report of May;\nKunde;Post\nJane;j@example.com', {}, { Kunde: 'name', Post: 'email' }),
    ).toMatchObject({
      headerLine: 2,
      delimiter: ';',
    });
  });

  it('numbers names that are empty or used before', async () => {
    expect((await read('name,,email,email,\n')).columns).toEqual(['name', '#2', 'email', 'email (2)', '#5']);
  });

  it.each([
    ['an unknown column', { Nobody: 'name' }, 'unknown_column'],
    ['an unknown field', { name: 'shoeSize' }, 'unknown_field'],
  ])('refuses a mapping of %s', async (_, mapping: GivenMapping, code) => {
    await expect(read('name,email\n', {}, mapping)).rejects.toMatchObject({
      errors: [expect.objectContaining({ code })],
    });
  });

  it('lists the columns when it recognizes none', async () => {
    await expect(read('foo,bar\n1,2\n')).rejects.toMatchObject({
      code: 'columns_not_recognized',
      members: { columns: ['foo', 'bar'] },
    });
    await expect(read('department\nRoastery\n')).rejects.toMatchObject({ code: 'columns_not_recognized' });
  });
});

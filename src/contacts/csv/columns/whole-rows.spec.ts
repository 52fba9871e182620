import type { PostalAddress } from '../../domain/contact-details.js';
import { findTable } from '../reading/find-table.js';
import type { RowContact } from '../rows/row-contact.js';
import { contactOfRow } from '../rows/contact-of-row.js';
import { columnNames } from './known-headers.js';
import { mapColumns } from './map-columns.js';

/** The first row of a file as a contact, without its empty fields. */
async function firstRow(text: string) {
  const table = await findTable({ text: `${text}\n`, isWhole: true }, {});
  const columns = columnNames(table.header, table.columns);
  const mapping = mapColumns({ organizationId: '', columns, sample: table.sample });
  const rules = { mapping, columns: columns.length, raw: false, hasBrokenBytes: false };
  const { contact, problems } = contactOfRow(table.sample[0] ?? [], rules);
  const said = Object.entries(contact).filter(([field, value]) => value !== null && field !== 'emailKey');
  const mapped = new Set(mapping.map(({ column }) => column));
  return {
    contact: Object.fromEntries(said) as Partial<RowContact>,
    unmapped: columns.filter((column) => !mapped.has(column)),
    notices: problems.map(({ column, code }) => `${column ?? ''} ${code}`),
  };
}

const address = (parts: Partial<PostalAddress>): PostalAddress => ({
  label: null,
  street: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  ...parts,
});

const BERLIN = address({ street: 'Gasse 1', postalCode: '10115', city: 'Berlin' });

describe('the address of a row', () => {
  it.each([
    [
      'Name,Email,Address,City,State,Zip,Country\nAda,a@example.com,1 Main St,Austin,TX,78701,USA',
      [
        address({
          street: '1 Main St',
          city: 'Austin',
          region: 'TX',
          postalCode: '78701',
          country: 'USA',
        }),
      ],
    ],
    ['Name;Adresse;PLZ;Ort\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Name;Adresse;PLZ/Ort\nAda;Gasse 1;10115 Berlin', [BERLIN]],
    ['Name;Straße;PLZ;Ort/Stadt\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Name;PLZ/Ort\nAda;110 00 Praha 1', [address({ postalCode: '110 00', city: 'Praha 1' })]],
    ['Name;PLZ/Ort\nAda;12 Oaks', [address({ city: '12 Oaks' })]],
    ['Name;Anschrift;PLZ;Ort\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Name;PLZ;Ort;Adresse\nAda;10115;Berlin;Gasse 1', [BERLIN]],
    ['Nom;Adresse;Code postal;Ville\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Nombre;Dirección;Código postal;Ciudad\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Nome;Indirizzo;CAP;Città\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Jméno;Adresa;PSČ;Město\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Imię;Adres;Kod pocztowy;Miasto\nAda;Gasse 1;10115;Berlin', [BERLIN]],
    ['Name,Mailing Address,Mailing City,Mailing Zip\nAda,Gasse 1,Berlin,10115', [BERLIN]],
    ['Name,Mailing Address,City,Zip\nAda,Gasse 1,Berlin,10115', [BERLIN]],
    ['Name,Home Address,City,Zip\nAda,Gasse 1,Berlin,10115', [BERLIN]],
    [
      'Name,Address 1,Address 2,City,Zip\nAda,Gasse 1,Hof 3,Berlin,10115',
      [{ ...BERLIN, street: 'Gasse 1\nHof 3' }],
    ],
    [
      'Name,Street,Address Line 2,City,Zip\nAda,Gasse 1,Hof 3,Berlin,10115',
      [{ ...BERLIN, street: 'Gasse 1\nHof 3' }],
    ],
    ['Name,Full Address,Street,City,Zip\nAda,"Gasse 1, Berlin",Gasse 1,Berlin,10115', [BERLIN]],
    [
      'Name,Address,City,Zip,Work Address,Work City\nAda,Gasse 1,Berlin,10115,Hill 2,Oslo',
      [BERLIN, address({ street: 'Hill 2', city: 'Oslo' })],
    ],
    [
      'Name,Work Address,Work City,Home Address\nAda,Hill 2,Oslo,"Gasse 1, Berlin"',
      [address({ street: 'Hill 2', city: 'Oslo' }), address({ street: 'Gasse 1, Berlin' })],
    ],
    [
      'Name,Address 1,Address 2\nAda,"Gasse 1, Berlin","Hill 2, Oslo"',
      [address({ street: 'Gasse 1, Berlin' }), address({ street: 'Hill 2, Oslo' })],
    ],
    ['Name,Address\nAda,"Gasse 1, Berlin"', [address({ street: 'Gasse 1, Berlin' })]],
    ['Name,Address,Country\nAda,,France', [address({ country: 'France' })]],
  ])('%j', async (text, addresses) => {
    const { contact, notices } = await firstRow(text);
    expect(contact).toEqual(
      expect.objectContaining(text.includes('a@example') ? { email: 'a@example.com' } : {}),
    );
    expect([contact.name, contact.addresses, notices]).toEqual(['Ada', addresses, []]);
  });
});

describe('a row of an export', () => {
  it('of Yahoo', async () => {
    const header =
      'First,Middle,Last,Nickname,Email,Category,Distribution Lists,Messenger ID,Home,Work,Pager,Fax,Mobile,Other,Yahoo! Phone,Primary,Alternate Email 1,Alternate Email 2,Personal Website,Business Website,Title,Company,Work Address,Work City,Work State,Work ZIP,Work Country,Home Address,Home City,Home State,Home ZIP,Home Country,Birthday,Anniversary,Custom 1,Comments,Messenger ID1,Skype ID';
    const row =
      'Ada,,Lovelace,adi,ada@example.com,vip,,,+1 1,+1 2,+1 3,+1 4,+1 5,+1 6,+1 7,+1 8,ada@example.org,,ada.example,engine.example,CTO,Engine,1 Main St,Austin,TX,78701,USA,2 Side St,Boston,MA,02101,USA,5/13/1990,,,Hello,,';
    expect(await firstRow(`${header}\n${row}`)).toEqual({
      contact: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        additionalEmails: ['ada@example.org'],
        tags: ['vip'],
        phones: ['+1 1', '+1 2', '+1 5', '+1 6', '+1 7', '+1 8'],
        websites: ['ada.example', 'engine.example'],
        jobTitle: 'CTO',
        company: 'Engine',
        addresses: [
          address({
            street: '1 Main St',
            city: 'Austin',
            region: 'TX',
            postalCode: '78701',
            country: 'USA',
          }),
          address({
            street: '2 Side St',
            city: 'Boston',
            region: 'MA',
            postalCode: '02101',
            country: 'USA',
          }),
        ],
        birthday: '1990-05-13',
        note: 'Hello',
      },
      unmapped: [
        'Nickname',
        'Distribution Lists',
        'Messenger ID',
        'Pager',
        'Fax',
        'Anniversary',
        'Custom 1',
        'Messenger ID1',
        'Skype ID',
      ],
      notices: [],
    });
  });

  const THUNDERBIRD =
    'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home Phone,Fax Number,Pager Number,Mobile Number,Home Address,Home Address 2,Home City,Home State,Home ZipCode,Home Country,Work Address,Work Address 2,Work City,Work State,Work ZipCode,Work Country,Job Title,Department,Organization,Web Page 1,Web Page 2,Birth Year,Birth Month,Birth Day,Custom 1,Notes';
  const thunderbird = (birth: string) =>
    firstRow(
      `${THUNDERBIRD}\nAda,Lovelace,Ada Lovelace,,ada@example.com,ada@example.org,,+1 1,+1 2,,,+1 3,2 Side St,Flat 4,Boston,MA,02101,USA,1 Main St,,Austin,TX,78701,USA,CTO,Engines,Engine,ada.example,engine.example,${birth},,Hello`,
    );

  it('of Thunderbird', async () => {
    expect(await thunderbird('1990,5,14')).toEqual({
      contact: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        additionalEmails: ['ada@example.org'],
        phones: ['+1 1', '+1 2', '+1 3'],
        addresses: [
          address({
            street: '1 Main St',
            city: 'Austin',
            region: 'TX',
            postalCode: '78701',
            country: 'USA',
          }),
          address({
            street: '2 Side St\nFlat 4',
            city: 'Boston',
            region: 'MA',
            postalCode: '02101',
            country: 'USA',
          }),
        ],
        jobTitle: 'CTO',
        department: 'Engines',
        company: 'Engine',
        websites: ['ada.example', 'engine.example'],
        birthday: '1990-05-14',
        note: 'Hello',
      },
      unmapped: ['Nickname', 'Screen Name', 'Fax Number', 'Pager Number', 'Custom 1'],
      notices: [],
    });
  });

  it.each([
    ['1990,5,14', '1990-05-14', []],
    [',05,14', '--05-14', []],
    [',,', undefined, []],
    ['1990,,', undefined, ['Birth Year value_ignored']],
    ['1990,,14', undefined, ['Birth Year value_ignored']],
    ['1990,2,30', undefined, ['Birth Year value_ignored']],
    ['1990,May,14', undefined, ['Birth Year value_ignored']],
    [',,1990-05-14', '1990-05-14', []],
  ])('of Thunderbird with the birth columns %j has the birthday %s', async (birth, birthday, said) => {
    const { contact, notices } = await thunderbird(birth);
    expect([contact.birthday, notices]).toEqual([birthday, said]);
  });

  it('with the day of birth, but no column for the month, has no birthday and a warning', async () => {
    expect(await firstRow('Name,Birth Day,Birth Year\nAda,14,1990')).toEqual({
      contact: { name: 'Ada' },
      unmapped: ['Birth Year'],
      notices: ['Birth Day value_ignored'],
    });
    expect((await firstRow('Name,Birth Month,Birth Year\nAda,5,1990')).unmapped).toEqual([
      'Birth Month',
      'Birth Year',
    ]);
  });

  it.each([
    [
      'Imię;Nazwisko;Ulica;Miasto;Kod pocztowy;Kraj\nAda;Nowak;Rynek 1;Kraków;31-042;Polska',
      address({ street: 'Rynek 1', city: 'Kraków', postalCode: '31-042', country: 'Polska' }),
    ],
    [
      'Imię;Nazwisko;Miasto;Województwo;Kraj\nAda;Nowak;Kraków;małopolskie;Polska',
      address({ city: 'Kraków', region: 'małopolskie', country: 'Polska' }),
    ],
    [
      'Jméno;Příjmení;Město;Kraj;Země\nAda;Nowak;Zlín;Zlínský;Česko',
      address({ city: 'Zlín', region: 'Zlínský', country: 'Česko' }),
    ],
    [
      'Meno;Priezvisko;Mesto;Kraj\nAda;Nowak;Nitra;Nitriansky',
      address({ city: 'Nitra', region: 'Nitriansky' }),
    ],
  ])('in Polish, Czech or Slovak: %j', async (text, expected) => {
    expect(await firstRow(text)).toEqual({
      contact: { name: 'Ada Nowak', addresses: [expected] },
      unmapped: [],
      notices: [],
    });
  });

  it('that only looks like one of Yahoo keeps its columns out', async () => {
    expect((await firstRow('First,Last,Home,Other\nAda,Lovelace,Boston,x')).unmapped).toEqual([
      'Home',
      'Other',
    ]);
  });
});

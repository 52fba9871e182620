import { findTable } from './find-table.js';

const look = (text: string, names: string[] = []) => findTable({ text, isWhole: true }, { names });

describe('the header line of a file', () => {
  it('is found below a preamble', async () => {
    const text =
      'Notes:\n"Some may be missing"\n\nFirst Name,Last Name,URL,Email Address\nAda,Lovelace,,a@b.cz\n';
    expect(await look(text)).toMatchObject({ headerLine: 4 });
  });

  it.each([
    ['with an address', 'Email,Channel,Kind\na@k.cz,Mail,Person\nb@k.cz,Email,Company\n', 1],
    ['below another header', 'Name,Preferred,Kind\nZed,Phone,Company\n', 1],
    ['below rows of people', 'Jan,jan@pre.cz\nEva,eva@pre.cz\nName,Email\nX,x@pre.cz\n', null],
  ])('is no row of words that are known %s', async (_, text, headerLine) => {
    expect(await look(text)).toMatchObject({ headerLine });
  });

  it.each([
    ['name,email,customFields.@twitter,id\nJana,,@jana,\n', [], 1],
    ['name,email,customFields.jana@example.com,id\nJana,,x,\n', [], 1],
    ['Name,Email,Twitter @\nJana,jana@example.com,@jana\n', [], 1],
    ['Person,Address @ work\nJana,Prague\n', [], 1],
    ['Kunde,jana@acme.com budget\nMax,7\n', ['Kunde', 'jana@acme.com budget'], 1],
    ['Kunde,jana@acme.com\nMax,max@acme.com\n', ['Kunde'], null],
  ])('may have a sign of addresses in it: %j', async (text, names, headerLine) => {
    expect(await look(text, names)).toMatchObject({ headerLine });
  });

  it('is looked for in cells of any length', async () => {
    const cell = `${'x'.repeat(120_000)}@${'y'.repeat(120_000)}`;
    expect(await look(`name,${cell}\nJana,\n`)).toMatchObject({ headerLine: 1 });
  });

  it('is not looked for where the caller counts columns and none is known', async () => {
    expect(await look('Alice,Acme\nBob,Beta\n', ['#1', '#2'])).toMatchObject({ headerLine: null });
    expect(await look('Name,Firma\nBob,Beta\n', ['#1', '#2'])).toMatchObject({ headerLine: 1 });
    expect(await look('Kunde,Ort\nBob,Beta\n', ['Kunde', '#2'])).toMatchObject({ headerLine: 1 });
  });
});

describe('the delimiter of a file', () => {
  it.each([
    [
      'a comma in the header and in every name',
      'Name, Vorname;E-Mail\nMüller, Jana;j@x.cz\nDoe, Max;m@x.cz\n',
      ';',
    ],
    ['the same without a space', 'Name,Vorname;E-Mail\nMüller,Jana;j@x.cz\nDoe,Max;m@x.cz\n', ';'],
    ['the same without addresses', 'Name, Vorname;Ort\nMüller, Jana;Bonn\nDoe, Max;Köln\n', ';'],
    ['two addresses in a cell', 'Name,Email\nJana,j@x.cz; j2@x.cz\nMax,m@x.cz; m2@x.cz\n', ','],
    ['a decimal comma', 'Kunde;Betrag\nJana;1,50\nMax;2,75\nEva;3,00\n', ';'],
    ['a space behind every comma', 'Name, Email\nJana, j@x.cz\nMax, m@x.cz\n', ','],
    ['tabs around commas', 'Name\tPlace\nDoe, J\tBonn, D\nFoe, K\tKöln, D\n', '\t'],
  ])('is seen with %s', async (_, text, delimiter) => {
    expect(await look(text)).toMatchObject({ delimiter, secondBestDelimiter: null });
  });

  it('is uncertain where two make a table alike', async () => {
    expect(await look('Kunde,Nr;Raum\nJana,1;Bonn\nMax,2;Köln\n')).toMatchObject({
      delimiter: ',',
      secondBestDelimiter: ';',
    });
  });
});

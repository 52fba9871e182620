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

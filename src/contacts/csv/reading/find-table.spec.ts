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

  it('is not looked for where the caller counts columns and none is known', async () => {
    expect(await look('Alice,Acme\nBob,Beta\n', ['#1', '#2'])).toMatchObject({ headerLine: null });
    expect(await look('Name,Firma\nBob,Beta\n', ['#1', '#2'])).toMatchObject({ headerLine: 1 });
    expect(await look('Kunde,Ort\nBob,Beta\n', ['Kunde', '#2'])).toMatchObject({ headerLine: 1 });
  });
});

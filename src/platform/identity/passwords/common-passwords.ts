/**
 * The most used passwords of published breaches that are long enough to be accepted otherwise, in lower case. Words and
 * rows of the keyboard with digits or a mark at the end are caught by `isCommonPassword` itself.
 */
const COMMON = new Set(
  `12345678 123456789 1234567890 11111111 00000000 12341234 87654321 88888888 99999999 66666666 123123123 987654321
  password passw0rd p@ssword p@ssw0rd pa55word passwort motdepasse contrasena parola wachtwoord senha
  qwertyuiop qwertyui qwerty qwertz qwertzuiop azertyuiop asdfghjkl asdfghjk zxcvbnm zxcvbnmasd 1qaz2wsx 1q2w3e4r
  1q2w3e4r5t qazwsxedc q1w2e3r4 qweasdzxc abcdefgh abcd1234 aa123456 a1b2c3d4 abc12345 qwer1234 asdf1234 zaq12wsx
  iloveyou sunshine princess football baseball basketball superman batman trustno1 welcome letmein dragon monkey
  starwars whatever michelle jennifer jordan23 liverpool arsenal chelsea samsung computer internet corvette maverick
  mercedes marlboro midnight elephant chocolate butterfly charlie1 admin administrator changeme default secret
  master freedom shadow ashley bailey mustang access killer pokemon naruto minecraft google facebook linkedin
  instagram twitter youtube summer winter autumn spring january february november december monday blink182 charlie
  michael thomas robert daniel andrew joshua matthew george hunter tigger soccer hockey ranger buster ginger pepper
  cookie cheese orange purple silver yamaha ferrari porsche harley martin jessica amanda nicole hannah samantha`.split(
    /\s+/,
  ),
);

/** Whether an attacker's first few thousand guesses would find it. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const word = plain.replace(/[\d!@#$%^&*._?+-]+$/, '');
  return COMMON.has(plain) || COMMON.has(word) || /^(.)\1*$/u.test(plain) || isRun(plain);
}

/** 23456789, abcdefgh, 98765432 */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  if (Math.abs(step) !== 1) return false;
  return codes.every((code, i) => i === 0 || code - (codes[i - 1] ?? 0) === step);
}

export default async function globalTeardown() {
  await globalThis.testObjects?.stop();
  await globalThis.testPooler?.stop();
  await globalThis.testPostgres?.stop();
}

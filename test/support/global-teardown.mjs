export default async function globalTeardown() {
  await globalThis.testObjects?.stop();
  await globalThis.testPostgres?.stop();
}

import { openTestDatabase, startTestPostgres } from '../src/testing.ts';

/** One server and one template for the whole run. */
export default async function setup(): Promise<() => Promise<void>> {
  const [stop] = await Promise.all([startTestPostgres(), openTestDatabase().then((database) => database.close())]);
  return stop;
}

import { defineConfig } from 'vitest/config'

/** Long randomized runs: `npm run fuzz`. SOTTO_FUZZ_RUNS sets the number of cases of each property. */
export default defineConfig({
  test: { include: ['test/fuzz/**/*.fuzz.ts'], testTimeout: 600_000, maxWorkers: 2 },
})

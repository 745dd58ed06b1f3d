import { defineConfig } from 'vitest/config'

/** Long randomized runs: `npm run fuzz`. SOTTO_FUZZ_RUNS sets the number of cases of each property. */
export default defineConfig({
  // A property of 100,000 inputs takes minutes, and several times as long on a busy computer.
  test: { include: ['test/fuzz/**/*.fuzz.ts'], testTimeout: 3_600_000, maxWorkers: 2 },
})

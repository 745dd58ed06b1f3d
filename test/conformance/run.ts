import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runVectors, type Tally } from './runner.ts'

/** `npm run conformance -- --vectors DIR`. The vectors are not part of this repository; without them nothing is claimed. */
const { values } = parseArgs({ options: { vectors: { type: 'string' } } })
const beside = join(import.meta.dirname, '../../../shared/conformance/vectors')
const vectors = values.vectors === undefined ? beside : resolve(values.vectors)

let tally: Tally = { passed: 0, failed: 0, skipped: 0 }
if (existsSync(vectors)) {
  tally = await runVectors({ vectors, adapter: join(import.meta.dirname, 'adapter.mjs'), say: (line) => { console.log(line) } })
} else {
  console.log(values.vectors === undefined ? 'No vectors beside this repository; name a folder with --vectors.' : `There is no folder ${vectors}.`)
  if (values.vectors !== undefined) process.exitCode = 1
}
if (tally.failed > 0) process.exitCode = 1
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`)

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runVectors, type Tally } from './runner.ts'

/** `npm run conformance -- --vectors DIR`. The vectors are not part of this repository; without them nothing is claimed. */
const { values } = parseArgs({ options: { vectors: { type: 'string' } } })
const defaultVectors = join(import.meta.dirname, '../../../shared/conformance/vectors')
const vectors = values.vectors === undefined ? defaultVectors : resolve(values.vectors)

let tally: Tally = { passed: 0, failed: 0, skipped: 0 }
if (values.vectors === undefined && !existsSync(vectors)) {
  console.log('There are no vectors beside this repository; name their folder with --vectors.')
} else {
  try {
    tally = await runVectors({
      vectors,
      adapter: join(import.meta.dirname, 'adapter.mjs'),
      msg: (line) => {
        console.log(line)
      },
    })
    if (tally.passed + tally.failed + tally.skipped === 0) throw new Error(`no vector in ${vectors}`)
  } catch (error) {
    console.log(String(error))
    process.exitCode = 1
  }
}
if (tally.failed > 0) process.exitCode = 1
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`)

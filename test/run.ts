import { spawnSync } from 'node:child_process'

/**
 * `npm test`: everything that must hold before a change is merged, and the time that each part took. A part
 * that fails ends the run.
 *
 * The parts run one after the other. Unit and page tests side by side need as much processor time, and on two
 * cores some property tests then reach their time limit.
 */
const parts = ['check', 'build', 'test:unit', 'conformance', 'test:browser']

interface Result {
  readonly part: string
  readonly seconds: number
  readonly code: number
}

function run(part: string): Result {
  const start = performance.now()
  // Without --silent, which the npm commands of tests would inherit. On Windows, npm is a script of the shell.
  const { status, error } = spawnSync('npm', ['run', part], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) throw error
  return { part, seconds: Math.round((performance.now() - start) / 1000), code: status ?? 1 }
}

const results: Result[] = []
for (const part of parts) {
  const result = run(part)
  results.push(result)
  if (result.code !== 0) break
}
console.log('')
for (const { part, seconds, code } of results)
  console.log(`${part}: ${String(seconds)} s${code === 0 ? '' : `, failed with exit code ${String(code)}`}`)
process.exitCode = results.at(-1)?.code ?? 1

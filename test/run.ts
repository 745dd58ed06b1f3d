import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * `npm test`: everything that must hold before a change is merged, and the time that each part took.
 *
 * The parts of a group run side by side, because page tests wait for half of their time. A failed part
 * doesn't stop the others of its group, so that one run shows all failures. It stops the groups after it.
 */
const groups = [['check'], ['build'], ['test:unit', 'test:browser', 'conformance']]

interface Result {
  readonly part: string
  readonly seconds: number
  readonly code: number
}

async function run(part: string): Promise<Result> {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', part], {
    stdio: ['inherit', 'pipe', 'pipe'],
    // On Windows, npm is a script of the shell.
    shell: process.platform === 'win32',
  })
  const width = Math.max(...groups.flat().map(({ length }) => length))
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    createInterface(from).on('line', (line) => to.write(`[${part.padEnd(width)}] ${line}\n`))
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      resolve(status ?? 1)
    })
  })
  return { part, seconds: Math.round((performance.now() - start) / 1000), code }
}

const results: Result[] = []
for (const group of groups) {
  results.push(...(await Promise.all(group.map(run))))
  if (results.some(({ code }) => code !== 0)) break
}
console.log('')
for (const { part, seconds, code } of results)
  console.log(`${part}: ${String(seconds)} s${code === 0 ? '' : `, failed with exit code ${String(code)}`}`)
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1

import { readFileSync, writeFileSync } from 'node:fs'
import { exitCodes, toOutput } from './contract.ts'
import { runStage } from './stages.ts'

// Read and written in one call each: streams on them take Node 7 ms to make (docs/performance.md).
const [STDIN, STDOUT] = [0, 1]
const [stage = ''] = process.argv.slice(2)

if (stage === 'capabilities') {
  const { capabilities } = await import('./capabilities.ts')
  msg(capabilities)
} else {
  const outcome = await runStage(stage, readFileSync(STDIN, 'utf8'))
  msg(toOutput(stage, outcome))
  process.exitCode = exitCodes[outcome.kind]
}

function msg(answer: object): void {
  writeFileSync(STDOUT, `${JSON.stringify(answer)}\n`)
}

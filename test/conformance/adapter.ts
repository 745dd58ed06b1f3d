import { text } from 'node:stream/consumers'
import { exitCodes, toOutput } from './contract.ts'
import { runStage } from './stages.ts'

const [stage = ''] = process.argv.slice(2)

if (stage === 'capabilities') {
  const { capabilities } = await import('./capabilities.ts')
  console.log(JSON.stringify(capabilities))
} else {
  const outcome = await runStage(stage, await text(process.stdin))
  console.log(JSON.stringify(toOutput(stage, outcome)))
  process.exitCode = exitCodes[outcome.kind]
}

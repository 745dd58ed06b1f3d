import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { whyFailed, whySkipped, type Answer } from './compare-answer.ts'
import { readVectors, type UnreadableVector, type Vector } from './vectors.ts'

export interface Run {
  /** The folder of vectors. */
  readonly vectors: string
  /** The module that Node runs for every call. */
  readonly adapter: string
  readonly msg: (line: string) => void
}

export interface Tally {
  passed: number
  failed: number
  skipped: number
}

const IN_PARALLEL = 2
const TIME_LIMIT = 30_000

/**
 * Runs the adapter on every vector, in a new process each, and reports every vector that didn't pass, with
 * the reason.
 */
export async function runVectors({ vectors, adapter, msg }: Run): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 }
  const { exitCode, output: capabilities } = await call(adapter, 'capabilities', Buffer.alloc(0))
  if (exitCode !== 0) throw new Error(`the adapter does not state its capabilities: exit ${exitCode}`)

  const runVector = async (vector: Vector | UnreadableVector) => {
    const skipped = 'manifest' in vector ? whySkipped(vector.manifest, capabilities) : undefined
    if (skipped !== undefined) {
      tally.skipped++
      return msg(`skipped ${vector.name}: ${skipped}`)
    }
    const failed =
      'manifest' in vector
        ? whyFailed(vector, await call(adapter, vector.manifest.stage, vector.input))
        : vector.unreadable
    if (failed === undefined) tally.passed++
    else {
      tally.failed++
      msg(`FAILED ${vector.name}: ${failed}`)
    }
  }
  const queue = readVectors(vectors).values()
  const work = async () => {
    for (const vector of queue) await runVector(vector)
  }
  await Promise.all(Array.from({ length: IN_PARALLEL }, work))
  return tally
}

async function call(adapter: string, stage: string, input: Buffer): Promise<Answer> {
  const child = spawn(process.execPath, [adapter, stage], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIME_LIMIT,
  })
  // An adapter that ends without reading its input closes the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { exitCode: child.exitCode ?? -1, output: parsed(output) }
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

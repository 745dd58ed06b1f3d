import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { COMMAND } from './command.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'kill-command.mjs')).href

/** The point at which a command ends, as kill-command.mjs defines it. */
export type KillAt =
  | { readonly at: 'read' }
  | {
      readonly at: 'asked' | 'did' | 'said'
      readonly method: 'GET' | 'POST'
      readonly path: string
      readonly times?: number
      readonly paid?: true
    }

/**
 * Runs a command that is killed at this point. Resolves with the signal that ended it, and throws its output
 * if it ended otherwise.
 */
export async function killedCommand(
  args: readonly string[],
  killAt: KillAt,
  environment: Record<string, string>,
): Promise<string> {
  const child = spawn(process.execPath, ['--import', PRELOAD, COMMAND, ...args], {
    env: { ...process.env, ...environment, SOTTO_TEST_KILL_AT: JSON.stringify(killAt) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdin.end()
  await once(child, 'close')
  if (child.signalCode === null)
    throw new Error(`it was not killed, and ended with ${String(child.exitCode)}: ${output}`)
  return child.signalCode
}

const count = z.object({ model: z.string(), times: z.int() })

/**
 * The number of requests that the sandbox of this data folder has done and charged for, by model or path.
 * Call it only when no process has the folder open.
 */
export function doneBy(dataDir: string): Record<string, number> {
  return Object.fromEntries(
    rowsOf(dataDir, 'SELECT model, count(*) AS times FROM record GROUP BY model ORDER BY model').map(
      (row) => {
        const { model, times } = count.parse(row)
        return [model, times]
      },
    ),
  )
}

function rowsOf(dataDir: string, sql: string): unknown[] {
  const ledger = new DatabaseSync(join(dataDir, 'sandbox', 'sandbox.sqlite'), { readOnly: true })
  try {
    return ledger.prepare(sql).all()
  } finally {
    ledger.close()
  }
}

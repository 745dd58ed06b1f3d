import { fork } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formsOf } from '../../../canary.ts'
import type { CrashOrder, CrashMessage } from './crash.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-crash-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Crash extends CrashMessage {
  readonly code: number | null
  readonly output: Buffer
  /** Node's diagnostic report (process.report), which a supervisor may have switched on. */
  readonly report: Buffer
}

async function crash(order: CrashOrder): Promise<Crash> {
  const reports = await mkdtemp(join(folder, 'report-'))
  const child = fork(join(import.meta.dirname, 'crashing-process.ts'), [JSON.stringify(order)], {
    execArgv: ['--report-uncaught-exception', `--report-directory=${reports}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => output.push(bytes))
  let received: CrashMessage | undefined
  child.on('message', (message: CrashMessage) => {
    received = message
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const [name] = await readdir(reports)
  if (!received || name === undefined)
    throw new Error(`It did not die as it was told to: ${Buffer.concat(output).toString()}`)
  return { ...received, code, output: Buffer.concat(output), report: await readFile(join(reports, name)) }
}

/**
 * The forms of formsOf, and the forms of inspected bytes: `<Buffer de ad`, or numbers with commas, over several
 * lines.
 */
function formsIn(secret: string, bytes: Buffer): string[] {
  const forms = formsOf(secret, bytes)
  const close = bytes.toString('latin1').replaceAll(/\s+/g, '').toLowerCase()
  const raws = /^[0-9a-f]{64}$/.test(secret)
    ? [Buffer.from(secret, 'hex'), Buffer.from(secret)]
    : [Buffer.from(secret)]
  // Inspection and reports show only the beginning of long secrets.
  const beginnings = raws.map((raw) => raw.subarray(0, 12))
  if (beginnings.some((raw) => close.includes(raw.toString('hex')))) forms.push('inspected')
  if (beginnings.some((raw) => close.includes(raw.toJSON().data.join(',')))) forms.push('numbers')
  if (secret.length > 24 && bytes.includes(secret.slice(0, 24))) forms.push('beginning')
  return forms
}

describe('a process that dies with the secrets of money in hand', () => {
  it.each([
    ['exception', 'message'],
    ['rejection', 'cause'],
  ] as const)(
    'would be found to print them: %s, %s',
    async (by, of) => {
      const { secrets, output, report, code } = await crash({ by, of })
      expect(code).not.toBe(0)
      expect(Object.values(secrets).filter((secret) => secret.length < 16)).toEqual([])
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, formsIn(secret, output)]).not.toEqual([name, []])
        if (of === 'message') expect([name, formsIn(secret, report)]).not.toEqual([name, []])
      }
    },
    150_000,
  )

  it.each(['exception', 'rejection'] as const)(
    'prints none of them, of whatever its own parts threw: %s',
    async (by) => {
      const { secrets, thrown, output, report, code } = await crash({ by, of: 'own errors' })
      expect(code).not.toBe(0)
      expect(thrown).toHaveLength(11)
      // Both the output and the report contain the errors that ended the process.
      for (const part of [
        'AggregateError',
        'wallet/connection-invalid',
        'wallet/unreachable',
        'service/unreachable',
        'ECONNREFUSED',
        'payment/credential-refused',
      ])
        expect(output.toString()).toContain(part)
      expect(report.toString()).toContain('it failed')
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, formsIn(secret, output), formsIn(secret, report)]).toEqual([name, [], []])
      }
    },
    150_000,
  )
})

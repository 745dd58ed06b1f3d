import fc from 'fast-check'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { closedForm, logEvents, type Log, type LogEventName } from '../../../src/shared/log-events.ts'
import { closeLogFile, createLogFile, createLog } from '../../../src/host/log/create-log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const names = Object.keys(logEvents) as LogEventName[]
const written = async (): Promise<unknown[]> =>
  (await readFile(join(folder, 'logs', 'sotto.log'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

describe('log events', () => {
  it('don’t include a free object, string or error, by their types', () => {
    const log: Log = () => undefined
    // @ts-expect-error not an event
    log('a message', {})
    // @ts-expect-error a field that the event does not have
    log('sotto/stopped', { prompt: 'hello' })
    // @ts-expect-error a string where only listed ones may stand
    log('proxy/refused', { code: 'hello', status: 400 })
    // @ts-expect-error an error is no field
    log('proxy/refused', new Error('hello'))
    expect(names.length).toBeGreaterThan(5)
  })

  it('with an undeclared field are refused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.dictionary(fc.string(), fc.anything(), { minKeys: 1 }),
        (name, fields) => {
          const text = fc.stringify(fields)
          const { line } = closedForm(name, { ...fields, canary: text })
          expect(line).toEqual({ event: 'log/refused' })
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(names)('named %s have no field for free text', (name) => {
    const fields: Record<string, z.ZodType> = logEvents[name].fields
    for (const [field, schema] of Object.entries(fields)) {
      for (const text of [
        'canary',
        'sk-sotto-canary',
        'https://example.invalid/?q=canary',
        'private/canary',
        '',
      ]) {
        expect({ field, taken: schema.safeParse(text).success }).toEqual({ field, taken: false })
      }
    }
  })

  it('are written unchanged, with their level', () => {
    const refused = {
      code: 'auth/invalid-api-key',
      status: 401,
      method: 'POST',
      route: '/v1/chat/completions',
      keyFingerprint: '0a1b2c3d',
    }
    expect(closedForm('proxy/refused', refused)).toEqual({
      level: 'warn',
      line: { event: 'proxy/refused', ...refused },
    })
  })
})

describe('the log file', () => {
  it('is private to its owner, and contains events of the level or above', async () => {
    const { log, close } = await createLog({ level: 'warn', to: 'file' }, folder)
    log('sotto/stopped', {})
    log('proxy/refused', { code: 'auth/missing-api-key', status: 401, method: 'GET', route: '/metrics' })
    await close()
    expect(await written()).toEqual([
      {
        level: 'warn',
        time: expect.any(Number) as unknown,
        event: 'proxy/refused',
        code: 'auth/missing-api-key',
        status: 401,
        method: 'GET',
        route: '/metrics',
      },
    ])
    expect((await stat(join(folder, 'logs', 'sotto.log'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'logs'))).mode & 0o777).toBe(0o700)
  })

  it('is continued by the next start', async () => {
    for (const _ of [1, 2]) {
      const { log, close } = await createLog({ level: 'info', to: 'file' }, folder)
      log('sotto/stopped', {})
      await close()
    }
    expect(await written()).toHaveLength(2)
  })

  it('grows to four files at most', async () => {
    const file = await createLogFile(folder, '1K')
    for (let at = 0; at < 100; at++) await new Promise((done) => file.write(`${'x'.repeat(99)}\n`, done))
    await closeLogFile(file)
    const files = await readdir(join(folder, 'logs'))
    expect(files.toSorted()).toEqual(['sotto.log', 'sotto.log.1', 'sotto.log.2', 'sotto.log.3'])
    for (const name of files) expect((await stat(join(folder, 'logs', name))).size).toBeLessThanOrEqual(1200)
  })

  it.each([
    ['a folder has its name', 'logs/sotto.log', true],
    ['its folder is a file', 'logs', false],
  ])('doesn’t stop anything if it can’t be written: %s', async (_why, inTheWay, isFolder) => {
    if (isFolder) await mkdir(join(folder, inTheWay), { recursive: true })
    else await writeFile(join(folder, inTheWay), '')
    const { log, close } = await createLog({ level: 'info', to: 'file' }, folder)
    log('sotto/stopped', {})
    await close()
    expect((await stat(join(folder, inTheWay))).isDirectory()).toBe(isFolder)
  })
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const module = JSON.stringify(join(import.meta.dirname, '..', '..', 'src', 'host', 'restart.ts'))
/** Prints its environment before and after the call, in each process that runs it. */
const program = `
  import { writeSync } from 'node:fs'
  const { overwriteOnFree } = await import(${module})
  const started = process.env.GLIBC_TUNABLES
  overwriteOnFree()
  const seen = {
    pid: process.pid, flags: process.execArgv, args: process.argv.slice(2), pool: Buffer.poolSize, started,
    tunables: process.env.GLIBC_TUNABLES, other: process.env.OTHER, mark: process.env.SOTTO_RESTARTED,
  }
  writeSync(1, JSON.stringify(seen))
`
const seenSchema = z.object({
  pid: z.number(),
  flags: z.array(z.string()),
  args: z.array(z.string()),
  pool: z.number(),
  started: z.string().optional(),
  tunables: z.string().optional(),
  other: z.string().optional(),
  mark: z.string().optional(),
})
type Seen = z.infer<typeof seenSchema>

function run(environment: Record<string, string>, flags: readonly string[] = []): Seen & { first: number } {
  const { stdout, stderr, pid } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '-e', program, 'x', 'serve', 'two words'],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], ...environment } },
  )
  expect(stderr).toBe('')
  return { ...seenSchema.parse(JSON.parse(stdout)), first: pid }
}

const TUNABLES = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0'

describe.skipIf(process.platform !== 'linux')('a start that overwrites freed memory', () => {
  it('replaces the process once, with the same id, arguments and environment', () => {
    const seen = run({ OTHER: 'kept' }, ['--no-warnings'])
    expect(seen).toMatchObject({ pid: seen.first, args: ['serve', 'two words'], pool: 0, other: 'kept' })
    expect(seen.flags).toEqual(expect.arrayContaining(['--no-warnings', '--disable-sigusr1']))
    expect(seen.started).toBe(TUNABLES)
    // Programs that Sotto starts don't get it.
    expect(seen).not.toHaveProperty('tunables')
    expect(seen).not.toHaveProperty('mark')
  })
  it('adds to the variable of the person, and restores it', () => {
    const seen = run({ GLIBC_TUNABLES: 'glibc.malloc.arena_max=2' })
    expect(seen.started).toBe(`glibc.malloc.arena_max=2:${TUNABLES}`)
    expect(seen.tunables).toBe('glibc.malloc.arena_max=2')
  })
  it('doesn’t restart again if the system removed the variable', () => {
    expect(run({ SOTTO_RESTARTED: '' })).not.toHaveProperty('started')
  })
  it('doesn’t restart a process that has a channel to its parent, which would be closed', async () => {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${program}; process.send(seen); process.disconnect()`],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { PATH: process.env['PATH'] } },
    )
    const seen = seenSchema.parse((await once(child, 'message'))[0])
    expect(seen.pid).toBe(child.pid)
    expect(seen).not.toHaveProperty('started')
  })
})

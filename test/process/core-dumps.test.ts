import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND } from './command.ts'
import { dataOf } from './command-json.ts'

const PRLIMIT = '/usr/bin/prlimit'

describe.runIf(process.platform === 'linux')('sotto serve, from a shell that allows core dumps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-core-'))
  let child: ChildProcess
  beforeAll(async () => {
    const started = spawn(
      '/bin/sh',
      [
        '-c',
        'ulimit -c unlimited && echo limit && exec "$0" "$@"',
        process.execPath,
        COMMAND,
        'serve',
        '--no-open',
        '--json',
      ],
      {
        env: {
          ...process.env,
          SOTTO_DATA_DIR: folder,
          SOTTO_PORT: '0',
          SOTTO_UI_PORT: '0',
          SOTTO_VAULT: 'memory',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    child = started
    const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
    // Without it the process below would show nothing of what Sotto does.
    expect((await lines.next()).value).toBe('limit')
    expect(dataOf((await lines.next()).value as string)).toMatchObject({ event: 'ready' })
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })

  it('leaves its memory out of a dump that the kernel hands to a crash handler', () => {
    expect(Number.parseInt(readFileSync(`/proc/${child.pid!}/coredump_filter`, 'utf8'), 16)).toBe(0)
  })
  it.runIf(existsSync(PRLIMIT))('writes no core file', () => {
    expect(readFileSync(`/proc/${child.pid!}/limits`, 'utf8')).toMatch(/^Max core file size\s+0\s+0\s/m)
  })
})

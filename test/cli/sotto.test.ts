import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMAND } from '../process/command.ts'

/** The setting of the C library with which the process began, after the restart if there was one. */
async function tunablesOf(args: readonly string[]): Promise<string | undefined> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-entry-'))
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: {
      ...process.env,
      SOTTO_DATA_DIR: dataDir,
      SOTTO_PORT: '0',
      SOTTO_UI_PORT: '0',
      SOTTO_VAULT: 'memory',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    // Each of these commands runs until it is stopped, and prints something once it is ready.
    await Promise.race([
      once(child.stdout, 'data'),
      ended.then(([code]) => Promise.reject(new Error(`ended with ${String(code)}`))),
    ])
    const environment = await readFile(`/proc/${String(child.pid)}/environ`, 'utf8')
    return environment.split('\0').find((variable) => variable.startsWith('GLIBC_TUNABLES='))
  } finally {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

describe.skipIf(process.platform !== 'linux')('the entry of the command', () => {
  it.each([
    ['sotto', []],
    ['sotto with options', ['--no-open', '--json']],
    ['sotto serve', ['serve', '--no-open', '--json']],
    ['sotto open that starts Sotto', ['open', '--print']],
  ])('overwrites freed memory for %s', async (_name, args) => {
    expect(await tunablesOf(args)).toContain('glibc.malloc.perturb=')
  })

  it('starts a command without secrets only once', async () => {
    expect(await tunablesOf(['sandbox', '--seed', 'serve', '--json'])).toBeUndefined()
  })
})
